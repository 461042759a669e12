"""One row of the tables of what people say, and what it may need to know."""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from engine.rules import Rules
from engine.rulesets import DEFAULT
from engine.view import View
from engine.wording.phrases import sentence_case
from server.commands.finding import ways
from server.commands.registry import Context
from server.language.parsing import RANK_WORDS
from server.language.position_text import awaited_text
from server.render.scene import Teaches

RANK: Final = f"{'|'.join(RANK_WORDS)}|10|[2-9jqk]"
"""A pattern for a rank as it is said."""
GAME: Final = "table watching"
"""The kinds of places at a table."""
IN_GAME: Final = "arranging playing out"
"""With a seat in a game that goes on."""
PHASES: Final = frozenset({"arranging", "playing", "out", "between"})
"""How far the game at the player's table is for the player: out is who has no cards left, while others play on."""
NEWCOMER: Final = r"^i am (\w+ )?(new|beginner|newbie|noob)\b.*|^((total|complete|absolute) )?(beginner|newbie|noob)$"
"""A pattern for what people say who have not played before."""
EVERYWHERE: Final = f"lobby shell record exercise {GAME}"
"""The same as all places, for what counts more than a sentence for all of them that fits as well."""


class Sentence(NamedTuple):
    """Sentences that mean the same."""

    said: str
    """A pattern, which is looked for in the line as `meaning` compares it."""
    means: str | Callable[[Context, str], str]
    r"""What they mean, or what finds it for the line that was typed: an answer, which ends with a full stop, or a line
    to carry out instead, where \1 stands for the first group. Empty if they mean nothing here."""
    where: str = ""
    """Where they mean it, as `places_of` calls it; empty for all.

    Of sentences that fit as much of a line that for a phase of a game counts, then that for fewer places."""
    to_others: bool = False
    """Whether they are said to others rather, if there are others."""


def places_of(context: Context) -> set[str]:
    """What `Sentence.where` calls the place of a player: by its name, its kind and, at a table, how far a game is."""
    found, snapshot = {context.place.name, context.place.kind}, context.snapshot
    if snapshot is not None and context.place.kind == "table":
        view = snapshot.view
        is_out = view is not None and view.seat in view.places
        goes_on = "arranging" if view is not None and view.phase == "arrange" else "out" if is_out else "playing"
        found.add(goes_on if snapshot.playing else "between")
    return found


def view_here(context: Context) -> View | None:
    """The game that the player is at, as they see it; None if there is none."""
    return context.snapshot.view if context.snapshot is not None else None


def and_now(context: Context, told: str) -> str:
    """This sentence and, if it is the player's turn, what they can do now."""
    snapshot = context.snapshot
    is_mine = snapshot is not None and snapshot.playing and snapshot.my_turn
    return " ".join(filter(None, [told, *(awaited_text(snapshot) if snapshot is not None and is_mine else ())]))


def rules_named(context: Context, said: str) -> str:
    """The name of the rule set that a sentence names; empty if it names none."""
    words = said.replace("-", " ")
    named = (each for each in context.lobby.rulebook.names if re.search(rf"\b{each.replace('-', ' ')}\b", words))
    return max(named, key=len, default="")


def rules_here(context: Context) -> Rules:
    """The rules of the table, or the usual ones."""
    return context.snapshot.rules if context.snapshot is not None else context.lobby.rulebook.find(DEFAULT)


def rules_meant(context: Context, said: str) -> Rules:
    """The rules that a sentence names, else those `rules_here`."""
    name = rules_named(context, said)
    return context.lobby.rulebook.find(name) if name else rules_here(context)


def noted(note: Callable[[Rules], str]) -> Callable[[Context, str], str]:
    """What finds this note on the rules that are meant, as `Sentence.means`."""
    return lambda context, said: note(rules_meant(context, said))


def ways_on(context: Context, _: str = "") -> str:
    """What most players want where they are."""
    return f"{sentence_case(ways(context).strip())}."


def taught(context: Context, told: str) -> str:
    """What teaches the game and how long it takes, put into this sentence; empty if nothing teaches it."""
    return next((told.format(each.word, each.how_long) for each in context.lobby.features.all(Teaches)), "")
