"""Talking to other people, and not hearing them."""

from engine.errors import InputError
from server.clean import clean
from server.commands.registry import Answer, Command
from server.limits import IGNORED, TALK_LENGTH
from server.people.names import skeleton
from server.player.player_session import PlayerSession


@Command("say TEXT, or /TEXT")
async def say(session: PlayerSession, rest: str) -> None:
    """Talk to the people around you."""
    text = _talk(session, rest, "say what? Type say hello, or /hello")
    if session.at_table:
        session.table.say(session, session.player.name, text)
    else:
        session.lobby.say(session.player.name, text)


@Command("tell NAME TEXT", pages={"lobby", "between"})
async def tell(session: PlayerSession, rest: str) -> Answer:
    """Say something to one person."""
    name, _, said = rest.partition(" ")
    other = session.lobby.find(name)
    text = _talk(session, said, f"tell {other.player.name} what?")
    other.hear(session.player.name, f"(to you) {text}")
    return Answer([f"You tell {other.player.name}: {text}"])


@Command("ignore NAME", pages=())
async def ignore(session: PlayerSession, rest: str) -> Answer:
    """Stop hearing somebody, or hear them again."""
    name, look = clean(rest), skeleton(rest)
    if look not in session.talk.ignored:
        name = session.lobby.find(name).player.name if name else ""
    if not name or look == skeleton(session.player.name):
        raise InputError("bad_request", "ignore whom? Type ignore NAME; once more to hear them again")
    if look in session.talk.ignored:
        session.talk.ignored.discard(look)
        return Answer([f"You hear {name} again."])
    if len(session.talk.ignored) >= IGNORED:
        raise InputError("too_fast", "that is enough people to ignore")
    session.talk.ignored.add(look)
    return Answer([f"You hear no more from {name}."])


def _talk(session: PlayerSession, text: str, otherwise: str) -> str:
    """What a player may say now. Raises InputError if it is empty, which ``otherwise`` tells, or they are muted."""
    text = clean(text, TALK_LENGTH)
    if not text:
        raise InputError("bad_request", otherwise)
    session.must_be_free_to_talk()
    return text
