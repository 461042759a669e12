"""`ssh HOST COMMAND`: one command, which is answered. What every command answers is in `commands.test_registry`."""

import json
import random
from typing import Final

import pytest

from server.config import Config
from server.joining import JoinLines
from server.lobby.lobby import Lobby
from server.people.players import Caller, Player
from server.people.settings import Settings
from server.session import exec_commands
from server.session import exec_commands as remote
from server.storage.sqlite_database import MemoryDatabase
from tests.soak import Figure, long
from tests.support.asking import OP, Asking
from tests.support.at_terminals import lobby_at, person
from tests.support.clock import Clock
from tests.support.each import for_each
from tests.support.emitted import check_emitted
from tests.support.emulator import open_lobby
from tests.support.features import COMMANDS, FEATURES

BEGUN: Final = ("can i", "i want to", "could you please", "show me", "give me")


@for_each("typed", ["who bo", "version 2", "tables xyz", "tables all 3"])
async def test_words_that_mean_nothing_are_refused(typed: str) -> None:
    """A script would take the answer for that to its question."""
    status, lines = await exec_commands.answer(typed, Lobby(Config(), MemoryDatabase()), Caller("ana", OP))
    assert (status, len(lines)) == (2, 1)
    assert "nothing after it" in lines[0] or "tables all" in lines[0]


@pytest.mark.features("replay")
async def test_an_option_that_there_is_not_is_answered_with_those_there_are() -> None:
    """And --help with what the command does."""
    lobby, caller = Lobby(Config(), MemoryDatabase(), features=FEATURES), Caller("ana", OP)
    for typed, said in (
        ("who --jsn", "No option '--jsn': did you mean --json?"),
        ("tables --foo", "No option '--foo': there are --json, --help."),
        ("replay X --sise=80x24", "No option '--sise': did you mean --size?"),
        ("replay X --size=80x24", "No finished game 'X': replay lists the latest."),
        ("tables --help", "tables [all]: list the tables; all: also those that sleep."),
    ):
        assert (await exec_commands.answer(typed, lobby, caller))[1][0] == said


async def test_help_fits_a_usual_terminal_however_long_the_address_is() -> None:
    """Rows that break are broken at a word."""
    lobby = Lobby(Config(), MemoryDatabase())
    lobby.join_lines = JoinLines((f"-p 22222 {'a' * 40}",))
    _, lines = await exec_commands.answer("help", lobby, Caller("ana"))
    assert [line for line in lines if len(line) > 80] == []


async def test_answers_name_the_server_as_the_line_to_pass_on_does() -> None:
    """Help, and what is wrong; without an address HOST stands for it."""
    lobby = Lobby(Config(), MemoryDatabase())
    assert "ssh -t HOST and one of these:" in (await exec_commands.answer("help", lobby, Caller("ana")))[1]
    lobby.join_lines = JoinLines(("-p 2222 cards.example",))
    _, lines = await exec_commands.answer("help", lobby, Caller("ana"))
    assert "ssh -t -p 2222 cards.example and one of these:" in lines
    assert "HOST" not in "\n".join(lines)
    _, lines = await exec_commands.answer("play", lobby, Caller("ana"))
    in_lines = "for plain lines ssh -T -p 2222 cards.example, and type play there."
    assert lines == [f"Play needs a terminal: ssh -t -p 2222 cards.example play; {in_lines}"]


@pytest.mark.parametrize("typed", ["how many people are on", "show me who is here"])
async def test_a_sentence_is_understood_as_in_a_session(typed: str) -> None:
    """If no command begins so."""
    assert (await exec_commands.answer(typed, Lobby(Config(), MemoryDatabase()), Caller("ana", OP)))[0] == 0


async def test_no_sentence_does_what_changes_something(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind ssh HOST: it is only guessed, and nobody is asked whether it was meant."""
    lobby, done, chance = Asking().lobby, list[str](), random.Random(28)

    async def handler(_: object, rest: str) -> None:
        done.append(rest)

    acting = [each for each in COMMANDS if not (each.read_only or each.shows_over_ssh)]
    for each in acting:
        monkeypatch.setattr(each, "handler", handler)
    for word in sorted({word for each in acting for word in each.typed} - {""}):
        said = (f"/{word}", f"{word[0]}{word[2:]}", *(f"{begun} {word}" for begun in BEGUN))
        lines = [f"{each}{rest}" for each in said for rest in ("", " bo", " really", " bo really", " really?")]
        for line in chance.sample(lines, long(2, len(lines))):
            await exec_commands.answer(line, lobby, Caller("ana", OP))
            assert not done, line


@pytest.mark.features("tournament", "plain_questions")
async def test_a_question_about_tournaments_is_not_answered_with_the_aim_of_the_game() -> None:
    """It names the command that tells more."""
    status, lines = await exec_commands.answer("how do i join a tournament", Asking().lobby, Caller("ana", OP))
    assert (status, lines) == (2, ["Did you mean tournament? ssh HOST help lists all."])


@pytest.mark.features("rankings")
async def test_a_sentence_shows_what_it_is_about() -> None:
    """Behind ssh HOST, as in a session."""
    asked = await exec_commands.answer("show me the best players", Asking().lobby, Caller("ana", OP))
    assert asked == await exec_commands.answer("top", Asking().lobby, Caller("ana", OP))


@pytest.mark.features("own_page", "daily")
@pytest.mark.parametrize(("name", "does"), [("me", "show your games"), ("daily", "play today's deal")])
async def test_a_command_is_explained_however_help_is_asked_for(name: str, does: str) -> None:
    """Also `me`, which a sentence passes over."""
    for given in (f"help {name}", f"{name} --help", f"{name} -h", f"{name} now --help"):
        status, lines = await exec_commands.answer(given, Asking().lobby, Caller("ana", OP))
        assert (status, lines[0].split("]: ")[1].startswith(does)) == (0, True)


async def test_a_program_is_given_no_guess() -> None:
    """It would take the answer for that to its question."""
    status, (line,) = await exec_commands.answer("show me tables --json", Asking().lobby, Caller("ana", OP))
    assert (status, {*json.loads(line)}) == (2, {"v", "you", "error"})


async def test_a_program_is_told_who_it_is_also_if_it_is_refused() -> None:
    """By a command that fails, by one that there is not, and by those of ops."""
    for typed in ("replay NOSUCH --json", "nonsense --json", "admin people --json"):
        status, (line,) = await exec_commands.answer(typed, Lobby(Config(), MemoryDatabase()), Caller("ana", OP))
        told = json.loads(line)
        assert (status, told["v"], told["you"]) == (2, 1, {"name": "ana", "identity": OP})
        assert {*told["error"]} == {"code", "message"}


@pytest.mark.virtual_time
async def test_a_player_with_a_key_blocks_another_from_a_shell() -> None:
    """Also while they are in a session, and a player who is absent. Guests have nothing to keep it under."""
    async with lobby_at(Clock()) as lobby, person(lobby, "bo") as bo:
        ana = Caller("ana", "SHA256:ana")
        assert (await exec_commands.answer("block bo", lobby, Caller("gus", None)))[0] == 2
        assert await exec_commands.answer("block bo", lobby, ana) == (
            0,
            ["You hear no more from bo; they cannot sit with you."],
        )
        async with person(lobby, "ana") as here:
            await bo.type("say hello")
            assert "bo: hello" not in here.shown
            assert await exec_commands.answer("block bo", lobby, ana) == (0, ["You hear bo again."])
            await bo.type("say good evening")
            assert "bo: good evening" in here.shown
            await here.type("set tips off")
            cy = (await lobby.profiles.account_of(Caller("cy", "SHA256:cy"))).id
            await lobby.profiles.claim_name(Player(cy, "cy"))
            assert await exec_commands.answer("block cy", lobby, ana) == (
                0,
                ["You hear no more from cy; they cannot sit with you."],
            )
            assert (await exec_commands.answer("block c", lobby, ana))[0] == 2
            await here.type("set tips on")
        assert Settings.from_json((await lobby.profiles.account_of(ana)).settings).ignored == ("cy",)


async def test_a_sentence_that_needs_a_terminal_is_told_the_command() -> None:
    """Not the word that it begins with."""
    status, lines = await exec_commands.answer("i want to play", Asking().lobby, Caller("ana", OP))
    assert (status, lines) == (
        2,
        ["Play needs a terminal: ssh -t HOST play; for plain lines ssh -T HOST, and type play there."],
    )


async def test_what_works_in_a_session_alone_is_refused_as_it_was_typed() -> None:
    """Not by the name of the command that the word stands for."""
    status, lines = await exec_commands.answer("whisper", Lobby(Config(), MemoryDatabase()), Caller("ana", OP))
    assert (status, lines) == (2, ["Whisper works in a session: come in with ssh HOST, and type it there."])


GIVEN: Final = long(150, 100_000)
_WORDS: Final = (
    *("help", "version", "who", "tables", "rules", "life", "top", "replay", "verify", "admin", "watch", "--json"),
    *("1", "-1", "../..", "'", '"', ";", "$(who)", "%s", "\x00", "\x1b[31m", "\u202e", "漢", "x" * 300, "\n", " "),
)


async def test_any_command_of_ssh_is_answered(figure: Figure) -> None:
    """28: exit status 0, 1 or 2, and an answer in plain text."""
    chance = random.Random(28)
    async with open_lobby() as lobby:
        statuses = dict.fromkeys((0, 1, 2), 0)
        for _ in range(GIVEN):
            command = chance.choice((" ", "", "  ")).join(chance.choices(_WORDS, k=chance.randrange(1, 5)))
            status, lines = await remote.answer(command, lobby, Caller("ana"))
            statuses[status] += 1
            assert lines
            check_emitted("\n".join(lines).encode(), None)
            assert status == 0 or len(lines) == 1, command
    assert all(statuses[status] for status in (0, 2))
    figure(f"{GIVEN:,} commands of ssh, {statuses[0]:,} answered")
