"""The exact segment solver of Hard Wired: the shortest segments that given circuits allow.

Works on the tables of the wiring and knows nothing of turns. `solve` is the
same solver in the ids of cards, for people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from kitwright.engines.hard_wired_wiring import Step, Wiring, bits
from kitwright.model.game import Game
from kitwright.model.games.hard_wired import HardWired


class UnknownCardError(ValueError):
    """A card was named that the deck lacks, or more often than it is printed."""

    def __init__(self, message: str, wrong: str, known: Iterable[str]) -> None:
        super().__init__(message)
        self.wrong = wrong
        self.known = tuple(known)


class Segment(Struct, frozen=True):
    """Circuits in the order in which they are laid, and the display that they lead to."""

    circuits: tuple[str, ...]
    display: str
    values: tuple[tuple[int, ...], ...]  # at the start and after each circuit


def cheapest(
    wiring: Wiring,
    value: int,
    targets: int,
    hand: Sequence[int],
    public: Sequence[int],
    laid: int = 0,
) -> tuple[int, ...] | None:
    """Return a shortest way to finish a segment, and of those one with fewest from the hand.

    None means that there is no way; an empty one, that the segment is as good as finished.
    """
    if laid >= wiring.fewest and targets >> value & 1:
        return ()
    cards = (*public, *hand)
    steps, lead, own = wiring.steps(cards), wiring.leads(targets), bits(hand)
    free = own | bits(public)
    for length in wiring.lengths(value, laid, cards, steps, lead):
        _, way = _cheapest(value, length, free, own, steps, lead)
        if way:
            return tuple([card.bit_length() - 1 for card in way])
    return None


def _cheapest(
    value: int, length: int, free: int, own: int, steps: Sequence[Step], lead: Sequence[int]
) -> tuple[int, tuple[int, ...]]:
    """Return how many circuits of `own` a way of this length needs, and the way; or no way."""
    if length == 1:
        hits = lead[value] & free
        hits = hits & ~own or hits
        return (1 if hits & own else 0), ((hits & -hits,) if hits else ())
    least = length + 1
    way: tuple[int, ...] = ()
    for alike, act in steps:
        card = alike & free
        card = card & ~own or card
        card &= -card
        # Looking one circuit ahead saves most of the calls.
        if not card or (length == 2 and not lead[act[value]] & (free ^ card)):
            continue
        cost, rest = _cheapest(act[value], length - 1, free ^ card, own, steps, lead)
        if card & own:
            cost += 1
        if rest and cost < least:
            least, way = cost, (card, *rest)
            if not least:
                break
    return least, way


def shortest(
    wiring: Wiring, value: int, targets: int, cards: Sequence[int]
) -> tuple[tuple[int, ...], ...]:
    """Return every segment of the least possible length, in the order of the cards given."""
    for length in range(wiring.fewest, min(wiring.most, len(cards)) + 1):
        found = tuple(_ways(wiring, value, targets, tuple(cards), length))
        if found:
            return found
    return ()


def _ways(
    wiring: Wiring, value: int, targets: int, cards: tuple[int, ...], length: int
) -> Iterator[tuple[int, ...]]:
    for at, card in enumerate(cards):
        after = wiring.acts[card][value]
        if length == 1:
            if targets >> after & 1:
                yield (card,)
            continue
        for rest in _ways(wiring, after, targets, cards[:at] + cards[at + 1 :], length - 1):
            yield (card, *rest)


def solve(
    game: Game, current: str, displays: Sequence[str], circuits: Sequence[str]
) -> tuple[Segment, ...]:
    """Return every shortest segment from the current display to one of `displays`."""
    view = HardWired.of(game)
    wiring = Wiring(view)
    values = {card: wiring.number[display.values] for card, display in view.displays}
    _refuse_unknown("display", [current, *displays], [card for card, _ in view.displays])
    names = [card for card, _ in view.circuits]
    _refuse_unknown("circuit", circuits, names)
    targets = {values[display]: display for display in reversed(displays)}
    found = shortest(
        wiring, values[current], sum(1 << value for value in targets), _numbers(circuits, names)
    )
    segments = dict.fromkeys(_tell(wiring, values[current], way, names, targets) for way in found)
    return tuple(segments)


def _tell(
    wiring: Wiring, value: int, way: Sequence[int], names: Sequence[str], targets: dict[int, str]
) -> Segment:
    passed = [value]
    for card in way:
        passed.append(wiring.acts[card][passed[-1]])
    return Segment(
        tuple(names[card] for card in way),
        targets[passed[-1]],
        tuple(wiring.lineups[number] for number in passed),
    )


def _numbers(wanted: Sequence[str], names: Sequence[str]) -> list[int]:
    """Return a card number for each id; the second mention of an id is its second copy."""
    taken: Counter[str] = Counter()
    numbers = []
    for name in wanted:
        numbers.append(names.index(name) + taken[name])
        taken[name] += 1
    return numbers


def _refuse_unknown(kind: str, wanted: Sequence[str], printed: Sequence[str]) -> None:
    there = Counter(printed)
    for name, times in Counter(wanted).items():
        if name not in there:
            raise UnknownCardError(f"'{name}' is no {kind} of the game", name, there)
        if times > there[name]:
            said = f"{kind} '{name}' is named {times} times; the deck has {there[name]}"
            raise UnknownCardError(said, name, ())
