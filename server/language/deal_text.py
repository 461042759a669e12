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
    yield from (_cut_text(cut, playing=playing) for cut in deal.cuts)
    yield f"After the game, verify {deal.game} checks the seed against the commitment and deals the cards again."
    if not playing:
        yield "What that proves: the players cannot choose the cards."
        yield "The host of the server can: they know the seed, and may cut last."
        yield "If you seal a text that nobody can guess, and all seals are opened, nobody else can choose."
        yield f"If all people and bots at the table do so, the deal is marked: {PROMISES[True]}."
    else:
        yield f"What that proves: {PROMISES[deal.no_one_could_choose]}."
        if not deal.no_one_could_choose:
            yield "The host of the server could: they knew the seed, and may have cut last."
        yield "If you sealed a text that nobody could guess, and all seals were opened, nobody else could choose."
    yield "Nothing proves that the host has not looked at the cards."
    if not (playing or deal.closed):
        yield HOW_TO_CUT


def _cut_text(cut: DealCut, *, playing: bool) -> str:
    if not cut.seal:
        return f"{cut.name} cut with: {cut.text}"
    opened = f", and opened it: {cut.text}" if cut.text is not None else ", and did not open it" if playing else ""
    return f"{cut.name} sealed a cut: {cut.seal}{opened}"
