"""The lesson: a player learns a rule set step by step, in positions that are made up.

Here is what the learner types, and what their screen then shows. The steps themselves come from `engine/lessons`. The
positions are nobody's game, so nothing here is a secret; the learner sees them through a view all the same.
What it must not know: tables and other players.
"""

from collections.abc import Sequence
from typing import Final
from weakref import WeakKeyDictionary

from engine.errors import InputError, Refused
from engine.events import GameOver
from engine.game import play
from engine.lessons import LEARNER, lesson
from engine.moves import Move
from engine.rules import Rules
from engine.rulesets import DEFAULT
from engine.view import View, view_of
from engine.wording.own_cards import own_cards_text
from engine.wording.rules_sheet import aim_note
from engine.wording.typed_moves import typed_form
from server.commands.registry import Command, declared_in
from server.commands.side_views import at_side_view
from server.features import Feature
from server.language.event_text import sentences
from server.language.position_text import pile_text
from server.player.player_session import PlayerSession, SideView
from server.render.scene import Offer, Progress, Teaches
from server.table.place import Place
from server.table.snapshot import NO_TABLE, Sitter, Snapshot

LESSON: Final = Place(
    "lesson",
    "exercise",
    "in a lesson",
    "type lesson first",
    "lesson",
    heading="Lesson",
    count="step",
    has_last=True,
    hints=("Enter or h what to type", "skip", "b back"),
    guides=True,
)
TEACHERS: Final = ("Ada", "Ben", "Cleo")
"""The names of the other players in the examples; one more than needed, if the player has one of them."""


_LEFT_AT: Final = WeakKeyDictionary[PlayerSession, dict[str, int]]()
"""The steps, from 0, at which each player has left lessons, by the names of their rules."""


class Lesson(SideView):
    """Teaches the rules of a rule set step by step."""

    place = LESSON

    def __init__(self, rules: Rules, session: PlayerSession, name: str = "") -> None:
        """Begin at the step at which the player has left it. ``name`` is what they typed for these rules.

        Raises InputError if no example can be dealt under them.
        """
        self._rules = rules
        self._session = session
        self._name = name or rules.name
        self._steps = lesson(rules)
        self._left_at = _LEFT_AT.setdefault(session, {})
        self._at = self._left_at.get(rules.name, 0)
        if not self._steps:
            raise InputError("bad_request", "there is no lesson in these rules: their deck is too odd for examples")
        how = "Type what each step says, and press Enter."
        how = f"You go on at step {self._at + 1}; b goes back." if self._at else how
        self._show([f"A lesson in {rules.title}.", aim_note(rules), how])

    @property
    def progress(self) -> Progress:
        """How far the lesson has come."""
        return Progress(self._at + 1, len(self._steps), "")

    @property
    def text(self) -> list[str]:
        """The present step: its title, the rule, what to do."""
        step = self._steps[self._at]
        cards = ", other cards" if self._at else ""
        return [f"Step {self._at + 1} of {len(self._steps)}{cards}: {step.title}", step.text, self.task]

    @property
    def task(self) -> str:
        """What to do now, and how that is typed."""
        return f"{self._steps[self._at].task}: type {self.to_type}"

    async def move(self, move: Move) -> list[str]:
        """Try a move. Returns what to answer; nothing if the step is done."""
        step = self._steps[self._at]
        try:
            after, events = play(step.position, LEARNER, move)
        except Refused as refused:
            return [refused.message]
        if not step.goal(events):
            return [f"That is allowed, but it is not what this step shows. {step.text} {self.task}"]
        # A table says that the game is over, and can deal another; in a lesson the step says so.
        seen = [event.seen_by(LEARNER) for event in events if not isinstance(event, GameOver)]
        return self.go(1, [*sentences(seen, self._snapshot(view_of(after, LEARNER))), step.praise])

    def go(self, steps: int, before: Sequence[str] = ()) -> list[str]:
        """Tell these lines, and go on by so many steps. After the last step the lesson is over, as the answer says."""
        at = max(0, self._at + steps)
        if at >= len(self._steps):
            self.is_over = True
            del self._left_at[self._rules.name]
            self._session.is_taught = True
            self._session.offer = Offer(f"play {self._name}", "play what you have learned against AI players")
            return [
                *before,
                f"That was the lesson: play {self._name} begins a game, and so does Enter.",
                "In a game hint gives advice, why 7 tells why a seven cannot go, help lists the rest.",
            ]
        self._at = at
        self._show(before)
        return []

    def _show(self, before: Sequence[str]) -> None:
        """Show the present step, and in the log its text after these lines."""
        step = self._steps[self._at]
        view = view_of(step.position, LEARNER)
        self._left_at[self._rules.name] = self._at
        self.to_type = typed_form(step.move)
        self.snapshot = self._snapshot(view)
        self.log = [*before, *self.text]
        # Players who see no screen are told the cards.
        pile = [pile_text(view)] if view.phase == "play" else []
        self._session.front_end.told([*self.log[:-1], *pile, *own_cards_text(view, LEARNER), self.log[-1]])

    def _snapshot(self, view: View) -> Snapshot:
        own = self._session.player.name
        others = [each for each in TEACHERS if each.lower() != own.lower()]
        sitters = tuple(Sitter(name) for name in (own, *others)[: len(view.hands)])
        return Snapshot(NO_TABLE, self._rules, LEARNER, sitters, view, self._at + 1, place=LESSON)


@Command(
    "lesson [RULES]",
    where={"lobby"},
    ssh="screen",
    words=(
        "tutorial, learn, teach, teach me, teach game, learn play, learn game, how play, how play ..., new here, "
        "new player, am new, i'm new, im new, training, practice"
    ),
)
async def begin(session: PlayerSession, rest: str) -> None:
    """Learn the game by playing, in five minutes."""
    session.set_side_view(Lesson(session.lobby.rulebook.find(rest or DEFAULT), session, rest))
    session.talk.count_anew()


at_side_view(Lesson, "hint", "Show what to type now.", lambda view, _: [view.task], "h", "")
at_side_view(
    Lesson,
    "skip",
    "Go to the next step.",
    lambda view, _: view.go(1),
    words="next, next step, continue, go on, got it, done",
)
at_side_view(
    Lesson,
    "step N",
    "Go to step N, or to the last one.",
    lambda view, number: view.go(min(number, view.progress.of) - view.progress.at),
    words="go step TEXT, jump step TEXT",
)
at_side_view(Lesson, "back", "Go back one step.", lambda view, _: view.go(-1), "b", words="previous, previous step")


FEATURE: Final = Feature("lesson", (*declared_in(__name__), LESSON, Teaches("lesson", "five minutes")))
