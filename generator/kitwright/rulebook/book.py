"""A rulebook put together: examples played, words filled in, figures found, everything checked."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from kitwright.model.game import Game
from kitwright.model.rulebook import RulesSource
from kitwright.problems import InvalidInputError, Place, Problem, did_you_mean
from kitwright.rulebook.blocks import (
    Block,
    Callout,
    Figure,
    Heading,
    Paragraph,
    Rulebook,
    Table,
)
from kitwright.rulebook.checks import check_glossary, check_numbers, check_sections
from kitwright.rulebook.examples import replay_examples
from kitwright.rulebook.parse import Reader
from kitwright.rulebook.prose import BROKEN, fill, filled, listed
from kitwright.rulebook.scenes import Cards, SceneMaker

_STANDARD = "The examples and the pictures of the table show the standard game."


def make_rulebook(
    source: RulesSource,
    game: Game,
    standard: Game,
    cards: Cards,
    icons: Collection[str],
    drawn: Collection[str],
) -> Rulebook:
    """Make the blocks of a rulebook; all its faults are raised together.

    `standard` is the game without its variant, which examples are played with; `icons` are
    the names of all icons, `drawn` of those on the faces.
    """
    problems: list[Problem] = []
    examples = replay_examples(source, standard, problems)
    context = _context(source, game, examples) | ({BROKEN: True} if problems else {})
    maker = SceneMaker(source, cards, context, problems)
    shelf = _Shelf(source, context, maker, icons, problems)
    page = fill(source.text, source.file, context, problems)
    blocks = Reader(source.file, page, shelf.show, problems).read()
    headings = [b for b in blocks if isinstance(b, Heading) and b.section]
    problems += check_numbers(source)
    problems += check_sections(source, headings)
    problems += check_glossary(source, game, drawn)
    problems += shelf.unused()
    first = blocks[0] if blocks else None
    if not (isinstance(first, Heading) and first.level == 1) and (blocks or not problems):
        said = "the rulebook begins without a title; expected '# ' and the name of the game"
        problems.append(Problem(Place(source.file), "bad-heading", said))
    if problems:
        raise InvalidInputError(problems)
    return Rulebook(game.title, game.tagline, _facts(game), _with_variant(blocks, source, game))


def _context(
    source: RulesSource, game: Game, examples: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Return what the words of a rulebook may look up."""
    about = game.as_context()
    about["decks"] = {
        deck.id: {
            "id": deck.id,
            "title": deck.title,
            "count": deck.count,
            "designs": len(deck.cards),
            "data": deck.data,
            "cards": tuple(
                {**card.fields, "id": card.id, "copies": card.copies} for card in deck.cards
            ),
        }
        for deck in game.decks
    }
    decks = tuple(about["decks"][deck.id] for deck in game.decks)
    about["cards"] = {card["id"]: card for deck in decks for card in deck["cards"]}
    known = {"game": about, "decks": decks, "variants": source.variants, "examples": examples}
    return {**known, "figures": game.figures.values}


def _facts(game: Game) -> str:
    fewest, most = game.players
    players = f"{fewest} to {most} players" if most > fewest else f"{fewest} players"
    players = "1 player" if most == 1 else players
    low, high = game.minutes
    minutes = f"{low} to {high} minutes" if high > low else f"{low} minutes"
    return f"{players}, {minutes}, age {game.age} and up"


def _with_variant(blocks: tuple[Block, ...], source: RulesSource, game: Game) -> tuple[Block, ...]:
    """Tell below the title which variant this is the rulebook of."""
    variant = next((v for v in source.variants if v["id"] == game.variant), None)
    if variant is None:
        return blocks
    place = blocks[0].place
    words = f"**{variant['title']}.** {variant['about']} {_STANDARD}"
    return (blocks[0], Callout("note", (Paragraph(words, place),), place), *blocks[1:])


class _Shelf:
    """What a page shows by name: figures, tables, the glossary."""

    def __init__(
        self,
        source: RulesSource,
        context: Mapping[str, Any],
        maker: SceneMaker,
        icons: Collection[str],
        problems: list[Problem],
    ) -> None:
        self.source, self.context, self.maker, self.icons = source, context, maker, icons
        self.problems = problems
        self.shown: set[str] = set()

    def show(self, target: str, caption: str, place: Place) -> Block | None:
        """Return the block that `![caption](target)` stands for."""
        self.shown.add(target)
        kind, _, name = target.partition(":")
        told = self.source.told
        if target == "glossary":
            return self.glossary(caption, place)
        if kind == "figure" and name in told.figures:
            spec = told.figures[name]
            scene = self.maker.scene(name, spec)
            return Figure(name, scene, caption, spec.wide, place) if scene is not None else None
        if kind == "table" and name in told.tables:
            return self.table(name, caption, place)
        known = [
            *(f"figure:{key}" for key in told.figures),
            *(f"table:{key}" for key in told.tables),
            "glossary",
        ]
        hint = did_you_mean(target, known)
        said = f"there is nothing called '{target}'; expected a figure or table of rules.yaml{hint}"
        self.problems.append(Problem(place, "unknown-figure", said))
        return None

    def glossary(self, caption: str, place: Place) -> Table:
        """Return the glossary as a table: icon, name, meaning."""
        rows = []
        for key, entry in self.source.told.glossary.items():
            icon = entry.icon or key
            mark = f":{icon}:" if icon in self.icons else ""
            at = self.source.place("glossary", key, "text")
            text = filled(entry.text, at, self.context, self.problems)
            rows.append((mark, f"**{entry.name}**", text))
        return Table(("", "", ""), tuple(rows), ("center", "left", "left"), caption, place)

    def table(self, name: str, caption: str, place: Place) -> Table:
        """Return a table whose rows are data."""
        spec = self.source.told.tables[name]
        path = ("tables", name)
        items = listed(spec.rows, self.source.place(*path, "rows"), self.context, self.problems)
        rows = []
        for item in items:
            known = {**self.context, "row": item}
            cells = []
            for index, column in enumerate(spec.columns):
                at = self.source.place(*path, "columns", index, "text")
                cells.append(filled(column.text, at, known, self.problems))
            rows.append(tuple(cells))
        header = tuple(column.title for column in spec.columns)
        aligns = tuple(column.align for column in spec.columns)
        return Table(header, tuple(rows), aligns, caption, place)

    def unused(self) -> list[Problem]:
        """Find figures, tables and entries that no page shows."""
        told = self.source.told
        found = [
            Problem(
                self.source.place(f"{kind}s", name),
                "not-shown",
                f"the {kind} '{name}' is not shown; expected it in rules.md as ![…]({kind}:{name})",
            )
            for kind, names in (("figure", told.figures), ("table", told.tables))
            for name in names
            if f"{kind}:{name}" not in self.shown
        ]
        if told.glossary and "glossary" not in self.shown:
            said = "the glossary is not shown; expected it in rules.md as ![](glossary)"
            found.append(Problem(self.source.place("glossary"), "not-shown", said))
        return found
