"""Commands that look and tell: cards, check, schema."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kitwright.cli.common import (
    FaultsError,
    cache_folder,
    check_variant,
    chosen_game,
    chosen_games,
    chosen_workspace,
    common_options,
    every_variant,
    faults_shown,
    json_option,
    plain,
    progress,
    show_problems,
    strict_option,
    table,
    workers_option,
)
from kitwright.problems import did_you_mean

if TYPE_CHECKING:
    from kitwright.model.game import Deck, Game


@click.command()
@click.argument("game")
@click.option("--deck", help="Only this deck.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
@json_option
@common_options
def cards(
    game: str,
    deck: str | None,
    as_csv: bool,
    as_json: bool,
    workspace: Path | None,
    variant: str | None,
) -> None:
    """List the cards of GAME as a table, JSON or CSV."""
    from kitwright.load import load_game

    if as_csv and as_json:
        raise click.UsageError("--csv and --json exclude each other")
    space = chosen_game(workspace, game, variant)
    with faults_shown():
        loaded = load_game(space, game, variant)
    decks = _decks(loaded, deck)
    if as_json:
        text = json.dumps({"game": game, "decks": [_deck(d) for d in decks]}, indent=1)
        click.echo(text)
    elif as_csv:
        click.echo(_csv(decks), nl=False)
    else:
        for each in decks:
            click.echo(plain(f"{each.title} ({each.id}): {each.count} cards, {each.size.name}"))
            rows = [(c.id, str(c.copies), _fields(c.fields)) for c in each.cards]
            click.echo(table(rows, ("card", "copies", "fields")) + "\n")


def _decks(game: Game, wanted: str | None) -> list[Deck]:
    known = [deck.id for deck in game.decks]
    if wanted is not None and wanted not in known:
        hint = did_you_mean(wanted, known) or f"; it has {', '.join(known)}"
        raise click.UsageError(f"{game.id} has no deck '{wanted}'{hint}")
    return [deck for deck in game.decks if wanted in (None, deck.id)]


def _deck(deck: Deck) -> dict[str, Any]:
    rows = [{"id": card.id, "copies": card.copies, **card.fields} for card in deck.cards]
    return {"id": deck.id, "title": deck.title, "size": deck.size.name, "cards": rows}


def _fields(fields: dict[str, Any]) -> str:
    shown = (f"{key}={_value(value)}" for key, value in fields.items() if value is not None)
    return " ".join(shown)[:120]


def _value(value: Any) -> str:
    from kitwright.formulas import show

    if isinstance(value, str | int | float | bool):
        return show(value)
    return json.dumps(value, ensure_ascii=False).replace('"', "")


def _csv(decks: list[Deck]) -> str:
    names = list(dict.fromkeys(key for d in decks for c in d.cards for key in c.fields))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["deck", "id", "copies", *names])
    for deck in decks:
        for card in deck.cards:
            values = [_cell(card.fields.get(name)) for name in names]
            writer.writerow([deck.id, card.id, card.copies, *values])
    return out.getvalue()


def _cell(value: Any) -> str:
    return "" if value is None else _value(value)


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@json_option
@strict_option
@workers_option
@common_options
def check(
    games: tuple[str, ...],
    as_json: bool,
    strict: bool,
    workers: int | None,
    workspace: Path | None,
    variant: str | None,
) -> None:
    """Check data, layouts, print and play; print the figures as a table."""
    space = chosen_workspace(workspace)
    results = []
    for name in chosen_games(space, games):
        check_variant(space, name, variant)
        results.append(_check(space, name, variant, workers, strict))
    if as_json:
        shown = [_as_json(game, checks) for game, checks in results]
        click.echo(json.dumps(shown[0] if len(shown) == 1 else shown, indent=1))
    else:
        for game, checks in results:
            _print_checks(game, checks)
    if any(not c.ok and _fails(c, strict) for _, checks in results for c in checks):
        click.get_current_context().exit(1)


def _fails(check_: Any, strict: bool) -> bool:
    return strict or check_.level == "must"


def _check(space: Any, name: str, variant: str | None, workers: int | None, strict: bool) -> Any:
    from kitwright.jobs.answers import Answers
    from kitwright.jobs.cues import with_cues
    from kitwright.jobs.joins import with_joins
    from kitwright.jobs.sights import sight_checks
    from kitwright.pipeline import STANDARD, check_print
    from kitwright.play.checks import run_checks
    from kitwright.play.measure import stale_check
    from kitwright.play.solvers import remembered

    with faults_shown():
        game, warnings = check_print(space, name, variant, STANDARD)
        if warnings and strict:
            raise FaultsError(warnings)
        show_problems(warnings)
        with progress(f"checking {name}") as bar:
            known = remembered(game, Answers(cache_folder(space)))
            checks = run_checks(with_joins(space, with_cues(space, known)), workers, bar)
        stale = stale_check(every_variant(space, name))
        seen = sight_checks(space, name, variant)
    return name, (*checks, *([stale] if stale is not None else []), *seen)


def _as_json(game: str, checks: Any) -> dict[str, Any]:
    rows = [
        {
            "name": c.name,
            "level": c.level,
            "figure": c.figure,
            "bound": c.bound,
            "ok": c.ok,
            "about": c.about,
        }
        for c in checks
    ]
    return {"game": game, "checks": rows}


def _print_checks(game: str, checks: Any) -> None:
    click.echo(f"{game}: {sum(c.ok for c in checks)} of {len(checks)} checks hold")
    rows = [(c.name, _figure(c.figure), str(c.bound), _verdict(c)) for c in checks]
    click.echo(table(rows, ("check", "figure", "bound", "ok")))
    for item in checks:
        if not item.ok:
            click.echo(plain(f"{item.level}: {item.name}: {item.about}"))
    click.echo("")


def _verdict(item: Any) -> str:
    return "yes" if item.ok else "NO" if item.level == "must" else "finding"


def _figure(figure: Any) -> str:
    if isinstance(figure, dict):
        return " ".join(f"{key} {_figure(value)}" for key, value in figure.items())
    if isinstance(figure, list | tuple):
        return " ".join(_figure(value) for value in figure)
    return f"{figure:.4g}" if isinstance(figure, float) else str(figure)


@click.command()
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder for the schema files; printed as one JSON object without it.",
)
def schema(output: Path | None) -> None:
    """Write the JSON Schemas of the data and layout languages, for editors."""
    from kitwright.load.schemas import schemas

    made = schemas()
    if output is None:
        click.echo(json.dumps(made, indent=1))
        return
    output.mkdir(parents=True, exist_ok=True)
    for name, content in made.items():
        text = json.dumps(content, indent=1) + "\n"
        (output / f"{name}.schema.json").write_text(text, encoding="utf-8")
    click.echo(f"{len(made)} schemas in {output}")
