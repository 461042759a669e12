"""Lessons, taken by a player who does what they say and by one who does not."""

import asyncio

import pytest

from engine.cards import RANKS
from engine.errors import InputError
from engine.lessons import lesson as lesson_in
from engine.rules import Rules
from engine.rulesets import ruleset, rulesets
from server.cells import wrap
from server.commands.typed_line import execute, parse
from server.config import Config
from server.lesson import Lesson
from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.player.player_session import PlayerSession
from server.render.frame import draw
from server.render.scene import Progress, Scene
from server.storage.sqlite_database import MemoryDatabase
from tests.support.at_terminals import lobby_at, person
from tests.support.clock import Clock
from tests.support.each import for_each
from tests.support.emulator import TerminalPlayer, people
from tests.support.features import FEATURES
from tests.support.front_end import Remembering
from tests.support.goldens import same_screens
from tests.support.taught_rules import MANY_RULES

pytestmark = pytest.mark.virtual_time
WIDTH = 76
"""Cells of a line on the smallest screen."""
JUNK = [
    *("xyzzy", "7 x", "s", "s 7", "lay", "lay 4", "lay 2 2 2 2 2", "p", "p k k", "d", "ready", "flip 9", "flip x", "1"),
    *("\x00", "  ", "77777", "why", "52", "0", "backwards", "swap k 4", "10", "pass the salt", *RANKS),
]


class Learner:
    """A player in a lesson."""

    def __init__(self, rules: Rules, name: str = "ana") -> None:
        front_end = Remembering()
        self.told = front_end.lines

        async def come_in() -> PlayerSession:
            return PlayerSession(Lobby(Config(), MemoryDatabase(), features=FEATURES), Caller(name), front_end)

        self.session = asyncio.run(come_in())
        self.session.side_view = self.lesson = Lesson(rules, self.session)

    @property
    def is_over(self) -> bool:
        """Whether they are back in the lobby."""
        return self.session.place.name == "lobby"

    def type(self, line: str) -> list[str]:
        """The answer to a line. Raises InputError if it means nothing."""
        return list(asyncio.run(execute(parse(line, self.session), self.session)).lines)

    @property
    def scene(self) -> Scene:
        """What the screen shows of the lesson."""
        lesson = self.lesson
        return Scene("ana", snapshot=lesson.snapshot, log=lesson.log, progress=lesson.progress)

    @property
    def shown(self) -> str:
        """What to type, as the step says it."""
        return self.lesson.task.rpartition(": type ")[2]

    @property
    def steps(self) -> int:
        """How many steps the lesson has."""
        return self.lesson.progress.of

    def go_to(self, title: str) -> None:
        """Skip to the step of this title, and forget what was told."""
        while not self.lesson.text[0].endswith(f": {title}"):
            self.type("skip")
        self.told.clear()

    @property
    def screen(self) -> list[str]:
        """The screen at the smallest size."""
        return [row.text for row in draw(self.scene, 60, 20).rows]


@for_each("name", MANY_RULES)
def test_a_player_who_types_what_each_step_says_comes_to_the_end(name: str) -> None:
    """Every step once; the rule in three lines at most, what to do in one."""
    learner = Learner(MANY_RULES[name])
    for step in range(1, learner.steps + 1):
        assert learner.lesson.progress.at == step
        title, rule, task = learner.lesson.text
        assert max(len(title), len(task)) <= WIDTH, task
        assert len(wrap(rule, WIDTH)) <= 3, rule
        answer = learner.type(learner.shown)
        assert learner.is_over == (step == learner.steps)
        assert bool(answer) == (step == learner.steps)
    assert all(line and "\n" not in line for line in learner.told)


@for_each("name", ["house 0", "house 1", "house 2", *rulesets()])
def test_nothing_typed_breaks_a_lesson(name: str) -> None:
    """Each is answered or said to mean nothing; only the goal goes on."""
    learner = Learner(MANY_RULES[name])
    for _ in range(learner.steps):
        for text in JUNK:
            before = learner.lesson.progress
            try:
                answer = learner.type(text)
            except InputError as error:
                answer = [error.message]
            if learner.is_over:
                return
            assert bool(answer) == (learner.lesson.progress == before)
        learner.type("skip")


def test_each_step_tells_the_pile_and_the_own_cards_in_words() -> None:
    """For a player without a screen."""
    learner = Learner(ruleset("quatch"))
    learner.go_to("What cannot go")
    learner.type("skip")
    assert sum(line.startswith("Pile of") for line in learner.told) == 1
    assert sum(line.startswith("Your hand") for line in learner.told) == 1


def test_a_wrong_card_is_refused_in_the_words_of_the_game() -> None:
    """As at a table: the reason and what would be legal. The step stays."""
    learner = Learner(ruleset("quatch"))
    assert learner.lesson.text[0] == "Step 1 of 14: Your turn"
    learner.go_to("What cannot go")
    assert learner.type("8") == ["An 8 is lower than a jack. You can play a king."]
    assert learner.lesson.text[0] == "Step 3 of 14, other cards: What cannot go"


def test_what_is_allowed_but_not_meant_is_kept_apart_from_what_is_refused() -> None:
    """One of two 9s may go, but both is what there is to learn."""
    learner = Learner(ruleset("quatch"))
    learner.go_to("Several at once")
    (told,) = learner.type("9")
    assert told.startswith("That is allowed, but it is not what this step shows. You may play cards of one rank togeth")
    assert told.endswith("Play the two 9s together: type 9 9")
    assert learner.type("99") == []
    assert learner.told[:2] == ["You play two 9s.", "Right: two cards gone in one turn."]


def test_finding_one_s_way() -> None:
    """Enter and hint tell what to type, skip and b go on and back, help lists that; back stops at the first."""
    learner = Learner(ruleset("life"))
    assert learner.type("") == learner.type("h") == ["The top of the pile is an 8. Play the 9: type 9"]
    assert learner.type("skip") == []
    assert learner.lesson.progress == Progress(2, 18, "")
    assert learner.type("b") == learner.type("back") == []
    assert learner.lesson.progress == Progress(1, 18, "")
    assert "skip" in " ".join(learner.type("?"))
    for _ in range(17):
        learner.type("skip")
    assert learner.lesson.progress == Progress(18, 18, "")
    assert "play life begins a game" in " ".join(learner.type("skip"))
    assert learner.is_over


def test_no_empty_place_is_drawn_that_nobody_has_explained() -> None:
    """The first step shows no row in which no card lies."""
    assert "[  ]" not in "".join(Learner(ruleset("quatch")).screen)


def test_no_other_player_has_the_name_of_the_learner() -> None:
    """Somebody is called Ada."""
    names = [sitter.name for sitter in Learner(ruleset("life"), "ada").lesson.snapshot.sitters if sitter]
    assert names == ["ada", "Ben"]


def test_questions_are_answered_as_at_a_table() -> None:
    """What is on the screen answers them."""
    learner = Learner(ruleset("quatch"))
    assert learner.type("why 9") == ["You can play a 9 now: it is higher than an 8."]
    assert any("Ada: hand 3" in line for line in learner.type("where"))
    assert learner.type("leave") == ["You are in the lobby."]


@for_each("name", rulesets())
def test_each_step_can_be_read_on_the_smallest_screen(name: str) -> None:
    """Title, rule and task are all in sight at 60 by 20, and what was said of the answer before."""
    learner, said = Learner(ruleset(name)), ""
    for step in lesson_in(ruleset(name)):
        shown = " ".join(" ".join(learner.screen).split())
        for line in (said, *learner.lesson.text):
            assert line in shown
        said = step.praise
        learner.type(learner.shown)


def test_rules_too_odd_for_a_lesson_are_refused() -> None:
    """A deck of tens that may never be the last card has no game to show."""
    deck = dict.fromkeys(("2", "3", "4", "5", "6", "7", "8", "9", "J", "Q", "K", "A"), 0) | {"10": 2}
    rules = ruleset("quatch").with_options(
        {"deck.copies": deck, "deal.up": 0, "deal.down": 0, "deal.hand": 1, "arrange.mode": "none"}
    )
    with pytest.raises(InputError):
        Learner(rules)


async def lesson(_: Lobby, ana: TerminalPlayer) -> None:
    """The second step of one."""
    await ana.type("lesson", "9")


def test_screens() -> None:
    """At every size."""
    same_screens(lesson, "lesson", FEATURES)


async def test_a_lesson_that_is_over_ends_in_the_lobby_and_enter_plays() -> None:
    """After the last step the player is where they were before; the page says what Enter does."""
    async with lobby_at(Clock()) as where, person(where, "ana") as ana:
        await ana.type("lesson life")
        session = ana.session.player_session
        assert session.place.name == "lesson"
        assert session.scene.progress is not None
        with pytest.raises(InputError, match="you are in a lesson"):
            session.must_be_in_lobby()
        assert not session.may_look_back
        await ana.type(*["skip"] * (session.scene.progress.of - 1))
        assert session.place.name == "lesson"
        assert "That was the lesson" in await ana.type("skip")
        assert (session.place.name, session.snapshot) == ("lobby", None)
        assert "Enter: play life>" in ana.shown
        assert "learn the game" not in await ana.type("who"), "they are no newcomer any more"
        assert "Life" in await ana.type("")
        assert session.place.name == "table"


async def test_a_lesson_that_was_left_goes_on_at_its_step() -> None:
    """The one in the same rules; when it is over it begins anew. What learners say of a step does not leave it."""
    async with lobby_at(Clock()) as where, person(where, "ana") as ana:

        def step() -> int:
            progress = ana.session.player_session.scene.progress
            assert progress is not None
            return progress.at

        await ana.type("lesson life", "done", "got it", "leave", "lesson")
        assert step() == 1
        await ana.type("leave")
        assert "You go on at step 3; b goes back." in await ana.type("lesson life")
        assert step() == 3
        await ana.type(*["skip"] * 20, "leave", "lesson life")
        assert step() == 1


def test_a_step_can_be_gone_to_by_its_number() -> None:
    """Not beyond the last one, which would end the lesson."""
    learner = Learner(ruleset("quatch"))
    for typed, step in (("go to step 13", 13), ("step 2", 2), ("jump to step 15", 14)):
        assert learner.type(typed) == []
        assert learner.lesson.progress.at == step


async def test_next_goes_on_also_where_a_table_would_take_it_for_ready() -> None:
    """That is how players say that they arrange no more."""
    async with lobby_at(Clock()) as where, person(where, "ana") as ana:
        await ana.type("lesson")
        session = ana.session.player_session
        for step in range(2, session.scene.progress.of + 1 if session.scene.progress else 0):
            await ana.type("next")
            assert session.scene.progress is not None
            assert session.scene.progress.at == step


async def test_an_enter_at_once_keeps_the_page_that_says_what_enter_does() -> None:
    """The player has not read it; the next Enter does it."""
    async with lobby_at(Clock()) as where, person(where, "ana") as ana:
        await ana.type("lesson life")
        session = ana.session.player_session
        assert session.scene.progress is not None
        await ana.type(*["skip"] * session.scene.progress.of)
        assert "Enter: play life>" in await ana.send(b"\r")
        assert session.place.name == "lobby"
        await ana.type("")
        assert session.place.name == "table"


async def test_a_lesson_shows_what_is_said_meanwhile_and_loses_nothing() -> None:
    """It needs the room for itself. Back in the lobby all that was said there is shown again."""
    async with lobby_at(Clock()) as where, person(where, "ana") as ana, person(where, "bo") as bo:
        session = ana.session.player_session
        await bo.type("/before")
        await ana.type("lesson")
        assert list(session.scene.talk) == []
        await bo.type("/meanwhile")
        assert list(session.scene.talk) == ["bo: meanwhile"]
        await ana.type("leave")
        assert list(session.scene.talk) == ["bo: before", "bo: meanwhile"]


def test_turn_says_what_the_step_asks_for() -> None:
    """Not all that could be played, of which the step takes one move alone."""
    learner = Learner(ruleset("quatch"))
    assert learner.type("turn") == learner.type("whose turn is it?") == [learner.lesson.task]


async def test_who_may_have_spoken_to_others_reads_of_the_lesson() -> None:
    """It is named beside the game until a player has played."""
    async with people("ana", "bo", features=FEATURES) as (ana, _):
        await ana.type("such a nice place to be")
        assert "Enter says it to the others here, play begins a game, lesson teaches" in ana.session.display.answer
