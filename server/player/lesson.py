"""A lesson as a person goes through it: what they type, and what their screen then shows.

The positions are made up, so nothing here is a secret of any game; the learner sees them through a view all the same.
"""

from collections.abc import Callable, Sequence
from typing import Final

from engine.cards import RANK_CARDS
from engine.errors import InputError, Refused
from engine.events import Event, GameOver
from engine.game import play
from engine.lessons import LEARNER, lesson
from engine.moves import Move, pick
from engine.rules import Rules
from engine.state import State
from engine.view import view_of
from engine.wording.rules_sheet import aim_note
from engine.wording.typed_moves import typed_form
from server.language.event_text import sentences
from server.language.parsing import ParsedCommand, parse
from server.language.position_text import own_words, pile_words
from server.render.scene import Progress, Scene
from server.table.snapshot import LESSON, Sitter, Snapshot

TEACHERS: Final = ("Ada", "Ben", "Cleo")
"""Who holds the other hands in the examples."""
HELP: Final = (
    "Type what the step says. Anything else may be tried: nothing is lost here.",
    "Enter, or h         what to type now",
    "skip, b             the next step, the one before",
    "why 7, where, pile  work as in a game, and so does rules",
    "leave, quit, Esc    back to the lobby",
)


class Lesson:
    """One person's lesson in some rules.

    ``tell`` shows lines where lines are how things are told; ``leave`` takes the person back to the lobby.
    """

    def __init__(
        self, rules: Rules, scene: Scene, tell: Callable[[list[str]], None], leave: Callable[[], None], name: str = ""
    ) -> None:
        """``name`` is what a person types for these rules. Raises InputError where they are too odd for any example."""
        self._rules = rules
        self._scene = scene
        self._tell = tell
        self._leave = leave
        self._name = name or rules.name
        self._steps = lesson(rules)
        self._at = 0
        if not self._steps:
            raise InputError("bad_request", "there is no lesson in these rules: their deck is too odd for examples")
        how = "Type what each step says, and press Enter. Every step has cards of its own."
        self._show([f"A lesson in {rules.title}.", aim_note(rules), how])

    @property
    def progress(self) -> str:
        """How far the lesson has come."""
        return f"step {self._at + 1} of {len(self._steps)}"

    @property
    def text(self) -> list[str]:
        """The present step: its title, the rule, what to do."""
        step = self._steps[self._at]
        return [f"{self.progress.capitalize()}: {step.title}", step.text, self.task]

    @property
    def task(self) -> str:
        """What to do now, and how that is typed."""
        step = self._steps[self._at]
        return f"{step.task}: type {typed_form(step.move)}"

    @property
    def snapshot(self) -> Snapshot:
        """The present step as a table."""
        return self._snapshot(self._steps[self._at].position)

    def obey(self, text: str) -> list[str] | None:
        """Do what was typed; the lines of the answer, None where it was not for the lesson.

        Raises InputError where it means nothing.
        """
        word = text.strip().lower()
        if not word:
            return [self.task]
        if word in {"skip", "b", "back"}:
            return self._go(-1 if word[0] == "b" else 1)
        if word == "q" and not self._has_queens:
            self._leave()
            return ["You are in the lobby."]
        meant = parse(text, self.snapshot.view, at_table=True)
        match meant:
            case ParsedCommand("help"):
                return list(HELP)
            case ParsedCommand("hint"):
                return [self.task]
            case ParsedCommand():
                return None
        return self._try(meant)

    @property
    def _has_queens(self) -> bool:
        """Whether a q may be meant for a card."""
        position = self._steps[self._at].position
        return bool((position.hands[LEARNER] | position.ups[LEARNER]) & RANK_CARDS[pick("q").rank])

    def _try(self, move: Move) -> list[str]:
        step = self._steps[self._at]
        try:
            after, events = play(step.position, LEARNER, move)
        except Refused as refused:
            return [refused.message]
        if not step.goal(events):
            return [f"That is allowed, but here try this. {self.task}"]
        return self._go(1, [*self._told(after, events), step.praise])

    def _go(self, steps: int, before: Sequence[str] = ()) -> list[str]:
        """Go on by so many steps; past the last the lesson is over, and that is the answer."""
        at = max(0, self._at + steps)
        if at >= len(self._steps):
            self._leave()
            return [
                *before,
                f"That was the lesson: play {self._name} begins a game, rules {self._name} tells the rules again.",
                "In a game hint gives advice, why 7 tells why a seven cannot go, help lists the rest.",
            ]
        self._at = at
        self._show([*before, "Now with other cards."] if before else [])
        return []

    def _show(self, before: Sequence[str]) -> None:
        """Put the present step on the scene, its words into the log: after what came of the one before."""
        lines = [*before, *self.text]
        self._scene.snapshot, self._scene.answer = self.snapshot, ""
        self._scene.progress = Progress(self._at + 1, len(self._steps), "")
        self._scene.log.clear()
        self._scene.log.extend(lines)
        self._tell([*lines[:-1], *self._cards(), lines[-1]])

    def _cards(self) -> list[str]:
        """What the step is about, for whom it is not drawn."""
        view = self.snapshot.view
        if view is None:
            return []
        return [*([pile_words(view)] if view.phase == "play" else []), *own_words(view)]

    def _told(self, after: State, events: Sequence[Event]) -> list[str]:
        snapshot = self._snapshot(after)
        # That a game is over is what a table says, which can deal another; here the step says it.
        seen = [event.seen_by(LEARNER) for event in events if not isinstance(event, GameOver)]
        return sentences(seen, snapshot)

    def _snapshot(self, state: State) -> Snapshot:
        names = (self._scene.name, *TEACHERS, *(f"Seat {n}" for n in range(5, len(state.hands) + 1)))
        sitters = tuple(Sitter(name) for name in names[: len(state.hands)])
        return Snapshot(LESSON, self._rules, LEARNER, sitters, view_of(state, LEARNER), self._at + 1)
