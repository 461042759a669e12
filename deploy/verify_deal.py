#!/usr/bin/env python3
"""Deal a recorded game again, without the program that dealt it: verify_deal.py FILE. Exits 0 where the deal holds."""

import hashlib
import hmac
import json
import re
import sys
from pathlib import Path  # Python 3.10 or later, and nothing else


def deal_again(text: str) -> list[str]:
    """What must stand in a record with these headers: the commitment, what it proves, the cards, the luck."""
    keys, ranks = ("game", "seed", "dealer", "deck", "deal", "start"), "23456789TJQKA"
    [game], [seed], [dealer], [deck], [deal], [start] = (re.findall(rf"(?m)^{key}: (.+)$", text) for key in keys)
    found = re.findall(r'(?m)^cut by ".*?"(?: \(seat ([0-9]+), sealed ([0-9a-f]{64})\))?: (".*"|not opened)$', text)
    cuts = [(seat, seal, json.loads(cut).encode()) for seat, seal, cut in found if cut != "not opened"]
    if any(seal and hashlib.sha256(cut).hexdigest() != seal for _, seal, cut in cuts):
        raise ValueError("a cut was opened with another text than was sealed")
    seats = range(len(re.findall("(?m)^player ", text)))
    people = set(re.findall(r'(?m)^player ([0-9]+): ".*", (?:person|bot)$', text))
    no_one = len(people) > 0 and people <= {seat for seat, _, _ in cuts} and len(cuts) == len(found)
    who = "no one could" if no_one else "the players could not"
    promise = [f"promise: {who} choose the cards"] if any(seal for _, seal, _ in found) else []
    mixed = seed.encode() + b"".join(b"\n%d:%b" % (len(cut), cut) for _, _, cut in cuts)
    key = hashlib.sha256(b"quatch-deal-v1\0" + mixed).digest()
    blocks = (hmac.digest(key, number.to_bytes(8, "big"), "sha256") for number in range(2**64))
    words = (int.from_bytes(block[at : at + 4], "big") for block in blocks for at in range(0, 32, 4))

    def below(limit: int) -> int:
        return next(word for word in words if word < 2**32 - 2**32 % limit) % limit

    def shuffled(items: list[str]) -> list[str]:
        for last in range(len(items) - 1, 0, -1):
            other = below(last + 1)
            items[last], items[other] = items[other], items[last]
        return items

    suits = [list("cdhs") if copies == "4" else shuffled(list("cdhs"))[: int(copies)] for copies in deck.split()]
    stock = shuffled([rank + suit for rank, its_suits in zip(ranks, suits, strict=True) for suit in its_suits])
    by_card = start in {"lowest", "declare"}
    first = 0 if by_card else below(len(seats)) if dealer == "none" else int(dealer.removeprefix("seat "))
    order = [str((first + n) % len(seats) + 1) for n in seats]
    luck = shuffled(order) if by_card else order
    held: list[list[str]] = [[] for _ in seats]
    for zone, count in zip(["down", "up", "hand"], map(int, re.findall("[0-9]+", deal)), strict=True):
        rounds = [[stock.pop() for _ in seats] for _ in range(count)]
        for zones, cards in zip(held, zip(*rounds, strict=True), strict=False):
            known = cards if zone == "down" else sorted(cards, key=lambda card: (ranks.index(card[0]), card))
            zones.append(" ".join([zone, *known]))
    commitment = hashlib.sha256(f"quatch-commit-v1\0{game}\0{seed}".encode()).hexdigest()
    dealt = [f"seat {seat}: {', '.join(zones)}" for seat, zones in enumerate(held, 1)]
    end = [f"stock: {' '.join(stock[::-1]) or 'none'}", f"luck: {' '.join(luck)}"]
    return [f"commitment: {commitment}", *promise, *dealt, *end]


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] in {"-h", "--help"}:
        sys.exit(__doc__)
    try:
        record = Path(sys.argv[1]).read_text("utf-8-sig")
        right = deal_again(record)
    except (OSError, ValueError, LookupError, ArithmeticError) as error:
        sys.exit(f"No record that can be dealt again: {error}")
    said = re.findall("(?m)^(?:commitment|promise|seat [0-9]+|stock|luck): .*$", record)
    if said != right:
        sys.exit(f"The deal does not hold. These lines differ: {sorted({*said} ^ {*right})}")
    print("The deal holds: commitment, cards and luck are what the seed and the cuts make them.")
