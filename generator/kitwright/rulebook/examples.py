"""Worked examples: dealt and played again by the engine, move by move.

What the words and figures of a rulebook say of an example is looked up here, so it is what
the rules do. Knows the engine's contract and no game.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from kitwright.engines import engine_of
from kitwright.engines.api import State, Telling
from kitwright.formulas import FormulaError, compile_formula
from kitwright.model.game import Game
from kitwright.model.rulebook import ExampleSpec, RulesSource, StepSpec
from kitwright.problems import Problem, did_you_mean

_MOST_NAMED = 6  # moves in a message


def replay_examples(
    source: RulesSource, game: Game, problems: list[Problem]
) -> Mapping[str, Mapping[str, Any]]:
    """Play every example; one that no longer holds is a Problem at its move."""
    found: dict[str, Mapping[str, Any]] = {}
    engine = engine_of(game) if source.told.examples else None
    titles = {
        card.id: card.fields.get("title") or card.id for deck in game.decks for card in deck.cards
    }
    for name, example in source.told.examples.items():
        place = source.place("examples", name)
        fewest, most = game.players
        if engine is None:
            said = f"the example '{name}' cannot be played; expected a game that has an engine"
            problems.append(Problem(place, "example-fails", said))
        elif not fewest <= example.players <= most:
            said = f"players is {example.players}; expected {fewest} to {most}"
            where = source.place("examples", name, "players")
            problems.append(Problem(where, "example-fails", said))
        else:
            start = engine.new_game(example.players, Random(example.seed))
            found[name] = _play(source, name, example, start, titles, problems)
    return found


def _play(
    source: RulesSource,
    name: str,
    example: ExampleSpec,
    state: State[Any],
    titles: Mapping[str, Any],
    problems: list[Problem],
) -> Mapping[str, Any]:
    moments = [_moment(state, "", titles)]
    for index, step in enumerate(example.moves):
        said = step.move if isinstance(step, StepSpec) else step
        place = source.place("examples", name, "moves", index)
        moves = {str(move): move for move in state.legal_moves()}
        if said not in moves:
            open_ = ", ".join(f"'{move}'" for move in [*moves][:_MOST_NAMED]) or "none"
            more = ", …" if len(moves) > _MOST_NAMED else ""
            text = f"the example '{name}' no longer holds: '{said}' is not open at this moment;"
            text += f" expected one of {open_}{more}{did_you_mean(said, moves)}"
            problems.append(Problem(place, "example-fails", text))
            break
        state = state.apply(moves[said])
        moments.append(_moment(state, said, titles))
        if isinstance(step, StepSpec):
            fault = _untrue(step.so, moments[-1])
            if fault:
                text = f"the example '{name}' no longer holds: after '{said}' {fault}"
                where = source.place("examples", name, "moves", index, "so")
                problems.append(Problem(where, "example-fails", text))
    moments += [moments[-1]] * (len(example.moves) + 1 - len(moments))  # so that words find theirs
    return {
        "players": example.players,
        "start": moments[0],
        "after": tuple(moments[1:]),
        "end": moments[-1],
    }


def _untrue(formula: str, moment: Mapping[str, Any]) -> str:
    """Say why what should be true is not; nothing when it is."""
    try:
        held = compile_formula(formula)(moment)
    except FormulaError as error:
        return str(error)
    return "" if held else f"'{formula}' is not true; expected it to be"


def _moment(state: State[Any], move: str, titles: Mapping[str, Any]) -> dict[str, Any]:
    """Return what words and figures may look up of one moment."""
    facts = state.facts() if isinstance(state, Telling) else {}
    return {
        "move": move,
        "card": titles.get(_card_of(move, titles), ""),
        "turn": state.turn + 1,
        "seat": state.to_move + 1,
        "scores": state.scores(),
        "winners": tuple(seat + 1 for seat in state.winners()),
        "cards": state.cards(),
        **facts,
    }


def _card_of(move: str, titles: Mapping[str, Any]) -> str:
    return next((word for word in move.split() if word in titles), "")
