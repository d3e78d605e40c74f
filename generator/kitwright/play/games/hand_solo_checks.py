"""The checks of Hand Solo: its cards first, then what its captains show. Changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from statistics import median

from kitwright.engines.hand_solo import HandSoloEngine, engine
from kitwright.engines.hand_solo_moves import Leave, Move
from kitwright.engines.hand_solo_state import State
from kitwright.model.game import Game
from kitwright.model.games.hand_solo import BASICS, HandSolo
from kitwright.play.figures import Check
from kitwright.play.simulate import Played, Progress, Series

SEED = 1977
DECKS: Mapping[str, int] = {"starports": 9, "contacts": 9, "ships": 6, "upgrades": 4, "trackers": 3}
FACES_A_GOOD = 3
EXAMPLE = ("ganymede", ("phobos", "freighter"))  # of the original rules
EXAMPLE_PRICES = {"FO": 7, "IN": 5, "MI": 4, "FU": 2, "TE": 3, "CN": 10, "MI+": 7}
MOST_BY_DELIVERY = 8
PASSIVE_CAREERS = 200
CAREERS: Mapping[str, int] = {
    "random": 300,
    "contractor": 300,
    "trader": 300,
    "planner": 100,
    "infamous": 100,
}
RARE = 0.005  # the share under which a rank counts as not reached
FREE_GAIN = 1.05  # more than this, and dropped contracts pay


def checks(
    game: Game, workers: int | None = None, progress: Progress | None = None
) -> Iterator[Check]:
    """Yield the checks of the cards, then those of careers."""
    rules = engine(game)
    yield from card_checks(game, rules.view)
    yield from price_checks(rules)
    yield from delivery_checks(rules.view)
    yield from contract_checks(rules.view)
    yield passive_check(rules)
    yield from career_checks(rules, play_careers(game, workers, progress))


def card_checks(game: Game, view: HandSolo) -> Iterator[Check]:
    """Check what the decks are made of."""
    counts = tuple(game.deck(deck).count for deck in DECKS)
    yield Check(
        "cards of the box",
        "must",
        sum(counts),
        f"= {sum(DECKS.values())}",
        counts == tuple(DECKS.values()),
        ", ".join(f"{n} {deck}" for n, deck in zip(counts, DECKS, strict=True)),
    )
    faces = Counter(port.unknown.commodity for port in view.starports.values())
    faces.update(contact.neutral.commodity for contact in view.contacts.values())
    shown = tuple(faces[good] for good in BASICS)
    yield Check(
        "faces of each basic good",
        "must",
        shown,
        f"= {FACES_A_GOOD} each",
        set(shown) == {FACES_A_GOOD} and set(faces) == set(BASICS),
        ", ".join(f"{good} {n}" for good, n in zip(BASICS, shown, strict=True)),
    )
    merchants = [c.neutral for c in view.contacts.values() if c.neutral.faction == "Merchant"]
    fair = [c.subtype for c in merchants if c.price == view.goods[c.commodity].average]
    yield Check(
        "merchants at the average price",
        "must",
        len(fair),
        f"= {len(merchants)}",
        len(fair) == len(merchants),
        f"{len(fair)} of {len(merchants)} merchants trade their good at its printed average",
    )


def price_checks(rules: HandSoloEngine) -> Iterator[Check]:
    """Check the friendly prices against the rule, and the worked example."""
    view, box = rules.view, rules.box
    right = total = 0
    for port, card in view.starports.items():
        friendly = view.prices(port, True)
        for good, price in card.prices.items():
            average = view.goods[good].average or price
            step = friendly[good] - price
            floored = friendly[good] == price == view.rules.price_floor
            same_way = (step > 0, step < 0) == (price > average, price < average)
            right += floored or same_way
            total += 1
    yield Check(
        "friendly prices",
        "must",
        right,
        f"= {total}",
        right == total,
        f"{right} of {total} friendly prices move away from the average, or not at all at it",
    )
    port, revealed = EXAMPLE
    market = tuple(box.number[card] for card in revealed)
    found = {good: box.price(box.number[port], False, good, market) for good in EXAMPLE_PRICES}
    yield Check(
        "pricing example",
        "must",
        tuple(found.values()),
        f"= {', '.join(map(str, EXAMPLE_PRICES.values()))}",
        found == EXAMPLE_PRICES,
        ", ".join(f"{good} {price}" for good, price in found.items()),
    )


def delivery_checks(view: HandSolo) -> Iterator[Check]:
    """Check which ports deliveries can turn friendly."""
    ports = tuple(view.starports)
    first = [port for port in ports if can_deliver(view, frozenset(), port)]
    yield Check(
        "ports that a delivery turns",
        "must",
        len(first),
        f"= {len(ports)}",
        len(first) == len(ports),
        f"{len(first)} of {len(ports)} ports can be turned friendly by a delivery from the start",
    )
    most = most_by_delivery(view)
    yield Check(
        "ports turned by deliveries alone",
        "must",
        most,
        f"= {MOST_BY_DELIVERY}",
        most == MOST_BY_DELIVERY,
        f"a friendly port sells an advanced good, so supply dries up: {most} of {len(ports)} "
        "ports at most, and a contract must turn the rest",
    )


def can_deliver(view: HandSolo, friendly: frozenset[str], port: str) -> bool:
    """Tell whether enough other cards show what a port wants."""
    wants = view.starports[port].wants
    goods = [
        (card.friendly if name in friendly else card.unknown).commodity
        for name, card in view.starports.items()
        if name != port
    ]
    goods += [contact.neutral.commodity for contact in view.contacts.values()]
    return goods.count(wants.good) >= wants.count


def most_by_delivery(view: HandSolo) -> int:
    """Search every order of deliveries for the most ports that they can turn friendly."""
    waiting, known = [frozenset[str]()], {frozenset[str]()}
    while waiting:
        friendly = waiting.pop()
        for port in view.starports:
            after = friendly | {port}
            if after not in known and can_deliver(view, friendly, port):
                known.add(after)
                waiting.append(after)
    return max(map(len, known))


def contract_checks(view: HandSolo) -> Iterator[Check]:
    """Find contracts that nobody can take."""
    if not view.rules.contracts:
        return
    jobs = {name: port.contract for name, port in view.starports.items()}
    jobs |= {name: c.contract for name, c in view.contacts.items() if c.contract is not None}
    holds = max(ship.holds for ship in view.ships.values())
    stuck = [n for n, job in jobs.items() if job.cargo != "all" and job.cargo > holds]
    about = f"{', '.join(stuck)}: no ship has the holds without an upgrade" if stuck else "none"
    yield Check("contracts that no ship can take", "finding", len(stuck), "= 0", not stuck, about)


def passive_check(rules: HandSoloEngine) -> Check:
    """Let captains who do nothing fly a year: nobody may be forced out of it."""
    rng, broke = Random(SEED), 0
    for _ in range(PASSIVE_CAREERS):
        state = rules.new_game(1, rng)
        while state.phase != "year":
            state = state.apply(_passive(state))
        broke += state.credits < rules.box.ship.fees
    return Check(
        "forced out in the first year",
        "must",
        broke,
        "= 0",
        broke == 0,
        f"{broke} of {PASSIVE_CAREERS} captains who trade nothing cannot pay their first fee",
    )


def _passive(state: State) -> Move:
    return state.legal_moves()[0] if state.why_not(Leave()) else Leave()


def play_careers(
    game: Game, workers: int | None, progress: Progress | None
) -> dict[str, tuple[Played, ...]]:
    """Play the careers of every captain."""
    played, done, total = {}, 0, sum(CAREERS.values())
    for bot, careers in CAREERS.items():
        played[bot] = Series(game, 1, (bot,), SEED).play(range(careers), workers)
        done += careers
        if progress is not None:
            progress(done, total)
    return played


def career_checks(rules: HandSoloEngine, played: Mapping[str, Sequence[Played]]) -> Iterator[Check]:
    """Check how careers end and what they are worth."""
    every = [career for careers in played.values() for career in careers]
    ended = sum(career.finished for career in every)
    about = f"{ended} of {len(every)} careers came to an end"
    yield Check("careers end", "must", ended, f"= {len(every)}", ended == len(every), about)
    ranks = {
        bot: Counter(rules.view.rank(career.scores[0]) for career in careers)
        for bot, careers in played.items()
    }
    names = [rank.rank for rank in rules.view.ranks]
    for bot, found in ranks.items():
        shares = tuple(round(found[name] / found.total(), 3) for name in names)
        told = ", ".join(
            f"{name} {share:.1%}" for name, share in zip(names, shares, strict=True) if share
        )
        yield Check(f"{bot}: ranks", "finding", shares, "sum 1", True, told)
    yield _rare_check("ranks that nobody reaches", names, ranks.values())
    able = (ranks["trader"], ranks["planner"])
    yield _rare_check("ranks that no trader or planner reaches", names, able)
    yield _infamy_check(played["planner"], played["infamous"])


def _rare_check(said: str, names: Sequence[str], ranks: Iterable[Counter[str]]) -> Check:
    pooled: Counter[str] = Counter()
    for found in ranks:
        pooled.update(found)
    rare = [name for name in names if pooled[name] < RARE * pooled.total()]
    about = f"under {RARE:.1%} of careers: {', '.join(rare)}" if rare else "every rank is reached"
    return Check(said, "finding", len(rare), "= 0", not rare, about)


def _infamy_check(honest: Sequence[Played], infamous: Sequence[Played]) -> Check:
    plain, dropped = (
        median(career.scores[0] for career in careers) for careers in (honest, infamous)
    )
    ratio = dropped / plain if plain else 1.0
    return Check(
        "free renown of dropped contracts",
        "finding",
        round(ratio, 3),
        f"<= {FREE_GAIN}",
        ratio <= FREE_GAIN,
        f"taking merchant contracts only to drop them in the last year lifts the planner's median "
        f"from {plain:g} to {dropped:g}; the 'good-name' variant takes that away",
    )
