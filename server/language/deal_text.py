"""How the cards of a game were cut, and what that proves to each player."""

from collections.abc import Iterator

from server.records.fairness import PROMISES, DealCut
from server.table.snapshot import NextDeal

HOW_TO_CUT = "Before the game starts you can cut once: cut TEXT, or cut seal HASH. See help cut."


def deal_text(deal: NextDeal, *, playing: bool) -> Iterator[str]:
    """The commitment, the cuts and what they prove, in lines. ``playing``: the cards are dealt."""
    yield f"Game {deal.game}. Its cards come from a seed that was fixed before any cut:"
    yield deal.commitment
    yield "That is the commitment, the SHA-256 of game and seed. It fits no other seed."
    yield from map(_cut_text, deal.cuts)
    yield f"After the game, verify {deal.game} checks the seed against the commitment and deals the cards again."
    if playing:
        yield f"What that proves: {PROMISES[deal.no_one_could_choose]}."
    else:
        yield "What that proves: the players cannot choose the cards."
    if not deal.no_one_could_choose:
        yield "The host of the server could: they know the seed, and may cut last."
    yield "If you seal a text that nobody can guess, and all seals are opened: you know that nobody else could."
    if not playing:
        yield f"If all players seal a cut, the deal is marked: {PROMISES[True]}."
    yield "It does not prove that the host has not looked at the cards."
    if not (playing or deal.closed):
        yield HOW_TO_CUT


def _cut_text(cut: DealCut) -> str:
    if not cut.seal:
        return f"{cut.name} cut with: {cut.text}"
    opened = "" if cut.text is None else f", and opened it: {cut.text}"
    return f"{cut.name} sealed a cut: {cut.seal}{opened}"
