"""Tournaments: what goes on, and the words by which players and hosts take part (`tournament_verbs`)."""

from typing import Final

from server.commands.registry import Answer, Command, Context
from server.commands.tournament_answers import overview, standings_answer
from server.commands.tournament_verbs import find_verb, verb_lines

HELP_TOURNAMENT: Final = (
    "An open night goes on all evening: players come and go, and every few minutes those who wait get a table.",
    "A swiss has a fixed number of rounds: all play at the same time, and a winner is found.",
    "Points of a table: 12, 8, 4, 0 for four; 12, 6, 0 for three; 10, 2 for two. Those who tie share them.",
    "AI players fill up only where people cannot be divided, and play for those who are away.",
    "tournament new NAME [format=open|swiss] [rules=RULES] [rounds=N] [seats=2..4] [clock=S] [fill=LEVEL|full|none]",
    "    [start=HH:MM|full|host] [end=HH:MM] [places=N] [people=only] [final=on]",
)


@Command(
    "tournament [WHAT] [NAME]",
    pages={"lobby"},
    ssh="answer",
    details=(*HELP_TOURNAMENT, *verb_lines()),
)
async def tournament(context: Context, rest: str) -> Answer | None:
    """Play a tournament, or hold one."""
    word, _, more = rest.partition(" ")
    verb = find_verb(word)
    if verb is not None:
        return await verb.handler(context, more.strip())
    if rest:
        return standings_answer(context, (await context.lobby.tournaments.find(rest)).state)
    return await overview(context)
