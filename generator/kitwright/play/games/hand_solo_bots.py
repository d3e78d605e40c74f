"""Captains for Hand Solo, from one who knows averages to one who knows the rest of the deck."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from kitwright.engines.hand_solo_moves import (
    Accept,
    Bribe,
    Buy,
    Complete,
    Deliver,
    Drop,
    GoOn,
    Land,
    Leave,
    Move,
    Refuse,
    Sell,
)
from kitwright.engines.hand_solo_state import State
from kitwright.play.bots import Bot
from kitwright.play.games.hand_solo_outlook import Outlook

CHEAP, SAFE_YEARS, RICH_YEARS, THIN = 0.75, 3, 10, 0.5


def trader_bot(seen: State, rng: Random) -> Move:
    """Buy well below the average, sell at it, deliver when the next fees are safe."""
    return _first(seen, _trades(seen, contracts=False))


def contractor_bot(seen: State, rng: Random) -> Move:
    """Take every contract that leaves room or money enough, and trade in the holds left."""
    return _first(seen, _trades(seen, contracts=True))


def _first(seen: State, wishes: Iterator[Move]) -> Move:
    """Return the first wish that is legal; else what must be done."""
    for move in wishes:
        if not seen.why_not(move):
            return move
    return seen.legal_moves()[0]


def _average(seen: State, good: str) -> int:
    goods = seen.box.view.goods
    return (goods[good].average or goods[good[:2]].average or 0) * seen.box.ship.hold_size


def _trades(seen: State, contracts: bool) -> Iterator[Move]:
    """Yield what a captain without a plan would like to do, the best first."""
    names, fee = seen.box.cards, seen.box.ship.fees
    safe, rich = (seen.credits >= years * fee for years in (SAFE_YEARS, RICH_YEARS))
    yield from (GoOn(), Land())
    if not seen.at_port:
        if contracts and _sound(seen):
            yield Accept()
        yield from ((Bribe(), Refuse()) if seen.hold and rich else (Refuse(),))
        yield Leave()
        return
    for card, job in seen.hold:
        if job:
            yield Complete(names[card], "renown" if rich else "credits")
            yield Complete(names[card], "credits")
    if safe:
        yield Deliver()
    for card, _ in seen.hold:
        good = seen.good(card)
        if seen.price(good) >= _average(seen, good):
            yield Sell(names[card])
    if contracts and _sound(seen):
        yield Accept()
    for card in seen.offered:
        good = seen.good(card)
        if seen.price(good) <= CHEAP * _average(seen, good):
            yield Buy(names[card])
    yield Leave()


def _sound(seen: State) -> bool:
    """Tell whether a contract leaves a hold to trade with, or enough for years without trade."""
    if seen.box.contracts[seen.here] is None:
        return False
    left, fee = seen.credits - _deposit(seen), seen.box.ship.fees
    roomy = seen.box.room(seen.here) < seen.free_holds
    return left >= (SAFE_YEARS if roomy else RICH_YEARS) * fee


def _deposit(seen: State) -> int:
    contract = seen.box.contracts[seen.here]
    return (contract.deposit or 0) * seen.box.times(seen.here) if contract else 0


def planner_bot(seen: State, rng: Random) -> Move:
    """Weigh every deal against what the known rest of the deck is expected to bring."""
    if seen.phase == "year":
        return _first(seen, iter((GoOn(),)))
    outlook = Outlook(seen)
    if not seen.at_port:
        return _plan_contact(seen, outlook)
    if seen.phase == "meet":
        return Land() if _worth_landing(seen, outlook) else Leave()
    return _first(seen, _plan_port(seen, outlook))


def _worth_landing(seen: State, outlook: Outlook) -> bool:
    if seen.free_holds:
        return True
    for card, job in seen.hold:
        if job and seen.box.goal_of(card, seen.here):
            return True
        if not job and seen.price(seen.good(card)) + THIN >= outlook.aboard(card, job):
            return True
    wants, cargo = seen.box.wants[seen.here], [seen.good(c) for c, job in seen.hold if not job]
    return not seen.is_renowned(seen.here) and cargo.count(wants.good) >= wants.count


def _plan_port(seen: State, outlook: Outlook) -> Iterator[Move]:
    """Yield what is worth doing after a landing, the best first."""
    names, renown = seen.box.cards, outlook.renown()
    for card, job in seen.hold:
        if job:
            pays = seen.box.contract(card).pays * seen.box.times(card)
            yield Complete(names[card], "renown" if renown > pays else "credits")
            yield Complete(names[card], "credits")
    wants = seen.box.wants[seen.here]
    best = max(seen.price(wants.good), outlook.cargo(wants.good))
    if renown > best * wants.count:
        yield Deliver()
    for card, job in seen.hold:
        if not job and seen.price(seen.good(card)) >= outlook.cargo(seen.good(card)):
            yield Sell(names[card])
    gains = sorted(((_gain(seen, outlook, c), -c) for c in seen.offered), reverse=True)
    bought = sum(gain for gain, _ in gains[: seen.free_holds] if gain > THIN)
    if _contract_gain(seen, outlook) > max(bought, THIN):
        yield Accept()
    yield from (Buy(names[-card]) for gain, card in gains if gain > THIN)
    yield Leave()


def _gain(seen: State, outlook: Outlook, card: int) -> float:
    """Return what buying a card is expected to earn."""
    price, good = seen.price(seen.good(card)), seen.good(card)
    return outlook.cargo(good, stranded=seen.credits - price < seen.box.ship.fees) - price


def _contract_gain(seen: State, outlook: Outlook) -> float:
    if seen.why_not(Accept()):
        return 0.0
    deposit = _deposit(seen)
    stranded = seen.credits - deposit < seen.box.ship.fees
    return outlook.contract(seen.here, stranded) - deposit


def _plan_contact(seen: State, outlook: Outlook) -> Move:
    names = seen.box.cards
    if seen.contact.faction == "Mercenary":
        aboard = sum(outlook.aboard(card, job) for card, job in seen.hold)
        pays = aboard > seen.contact.stat.amount and not seen.why_not(Bribe())
        return Bribe() if pays else Refuse()
    if seen.contact.faction != "Merchant":
        return seen.legal_moves()[0]
    choices: list[tuple[float, int, Move]] = [(0.0, 0, Leave())]
    choices.append((_contract_gain(seen, outlook), 1, Accept()))
    choices.append((_gain(seen, outlook, seen.here), 2, Buy(names[seen.here])))
    for card, job in seen.hold:
        if not job:
            gain = seen.price(seen.good(card)) - outlook.cargo(seen.good(card))
            choices.append((gain, 3 + card, Sell(names[card])))
    legal = [choice for choice in choices if not seen.why_not(choice[2])]
    return max(legal, key=lambda choice: (round(choice[0], 3), -choice[1]))[2]


def infamous_bot(seen: State, rng: Random) -> Move:
    """Plan, but in the last year take merchant contracts only to drop them."""
    if seen.year == seen.box.rules.years and seen.phase in ("meet", "trade"):
        for card, job in seen.hold:
            if job and card >= seen.box.ports and not seen.why_not(Drop(seen.box.cards[card])):
                return Drop(seen.box.cards[card])
        merchant = not seen.at_port and seen.contact.faction == "Merchant"
        if merchant and not seen.why_not(Accept()):
            return Accept()
    return planner_bot(seen, rng)


BOTS: Mapping[str, Bot] = {
    "contractor": contractor_bot,
    "trader": trader_bot,
    "planner": planner_bot,
    "infamous": infamous_bot,
}
