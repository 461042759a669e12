"""A typed line on its way: understood as a move or a command, then carried out."""

import re
from typing import Final, NamedTuple

from msgspec.structs import replace

from engine.cards import RANK_CARDS, RANKS
from engine.errors import BadMove, InputError, NoSuch
from engine.moves import Move
from engine.view import View
from server.commands import finding, registry
from server.language.parsing import are_cards, parse_typed_move
from server.limits import LINE_LENGTH
from server.number_text import read_number
from server.player.player_session import PlayerSession
from server.table.place import ADMIN_SSH

_NO: Final = re.compile("n|no|nope|cancel|never ?mind|nvm|forget it|not now|maybe later|no thanks|another time")
_YES: Final = ("yes", "accept", "i accept")
_COMES: Final = re.compile(
    r"accept (the )?invitation|come|(i'm )?coming|join( them| (the )?table)?|go( to (the )?table)?|ok(ay)?|.*love to"
)
"""How a player who was invited says yes, besides `_AGREES`."""
_AGREES: Final = re.compile(r"sure|(yes|yeah|yep|sure|ok|okay) (let'?s|(let'?s )?(go|play|start|do it)|(i'm )?coming)")
"""How a player agrees to an invitation or to another game in other words than yes."""
_OF_CHATS: Final = {"private": "tell", "w": "tell", "r": "tell", "mute": "ignore", "kick": "remove", "part": "leave"}
"""What words of chats are called here, besides those that stand for our commands everywhere."""
_AS_TOLD: Final = re.compile(r"^(ssh .*(?= (sit|watch) \d)|type|(enter|press)(?=( (\w|10))+$)) +", re.IGNORECASE)
"""What stands before what is typed, in a pasted invitation, or as a player types also that they type: "type 9"."""
_TO_PLAYER: Final = re.compile(r"^/? *@(?=\w)")
_REPLIES: Final = re.compile(r"^(?:/ *r|/? *reply) (?=(\S+))", re.IGNORECASE)
_HELP_WITH: Final = re.compile(r"^(\w+) (--help|-h)$")


class ParsedCommand(NamedTuple):
    """A command as typed, and the text behind its name."""

    command: registry.Command
    rest: str


def parse(line: str, context: registry.Context) -> Move | ParsedCommand:
    """What a line means where the player is. Raises InputError if it means nothing there."""
    line = line.strip()[:LINE_LENGTH]
    line = line if are_cards(line) else _sentence(line, context)
    said, snapshot, place = finding.spoken(line), context.snapshot, context.place
    view = snapshot.view if snapshot is not None else None
    if line[:1] in {"/", "'"}:
        ours = _of_chats(line[1:], context) if line[0] == "/" else ""
        if not ours:
            return ParsedCommand(finding.find("say", context), re.sub("^(/me |.)", "", line).strip())
        line, said = ours, finding.spoken(ours)
    typed, meant = line, ""
    if place.number_means:
        line = place.number_means.format(line) if read_number(line) is not None else line
    elif view and not (place.kind == "exercise" and (said == "next" or _is_no_queen(line, view))):
        move, meant = _move_of(line, view, context)
        if move:
            return move
    word, _, rest = line.partition(" ")
    if word.lower() == registry.ADMIN and not context.caller.is_alone:
        context.lobby.must_be_op(context.caller)
        return _for_ops(rest.strip(), context)
    meant = meant or finding.meant_by(line, context)
    begins = {"lobby": "play", "table": "start"}.get(place.name)
    if begins and meant == line and word[:1].isdecimal() and are_cards(line):
        raise InputError("wrong_phase", f"no game is running here: type {begins} to begin one")
    if finding.is_small_talk(said) and place.kind != "shell" and (meant == line or finding.is_heard(context)):
        if place.kind not in {"table", "watching"}:
            unheard = InputError(finding.UNKNOWN, f"nobody hears you here:{finding.ways(context)}")
            raise finding.Unsaid(line, context) if finding.is_heard(context) else unheard
        return ParsedCommand(finding.find("say", context), line)
    command, rest = finding.find_in_line(meant, context)
    if not finding.may_do(command, typed, context):
        raise finding.told_of(command, context, rest.rstrip("?"))
    if said == "q" and command.name == "quit" and place.name in {"table", "watching"}:
        raise InputError("bad_request", "q alone is too short here: type quit to hang up")
    return ParsedCommand(command, rest)


def _sentence(line: str, context: registry.Context) -> str:
    """What is meant by a line that is not only cards: without how it begins, or what it is the answer to."""
    line = _HELP_WITH.sub(r"help \1", _AS_TOLD.sub("", _TO_PLAYER.sub("tell ", line)))
    reply, to = _REPLIES.match(line), context.talk.heard_from if isinstance(context, PlayerSession) else ""
    if reply and to and not context.lobby.visitors.recent_player(reply[1].rstrip(":,")):
        line = f"tell {to} {line[reply.end() :]}"
    return _answered(finding.spoken(line), context) or line


def _of_chats(line: str, context: registry.Context) -> str:
    """The line that is meant by one with a slash before it; empty if it is a sentence, which is said.

    Raises InputError for a command that is not done so, as it would be nothing for others to read.
    """
    word, _, rest = line.strip().partition(" ")
    first, known = rest.partition(" ")[0].lower(), registry.known(context)
    same = registry.called(_OF_CHATS.get(word.lower(), word.lower()), context.lobby.features) if word else ()
    command = next((each for each in same if each in known), None)
    if command is None or command.name == "say":
        return ""
    takes = command.usage.partition(" ")[2]
    is_to_player = command.name == "tell" or ("NAME" in takes and context.lobby.visitors.named(first))
    may_be_number = not re.match(r"\[?N\b", takes) or re.match(r"#|\d", first)
    is_argument = first not in finding.FILLERS and may_be_number and (" " not in rest or is_to_player)
    if rest and not (takes and is_argument):
        return ""
    if command.name in {"tell", "who", "tables", "help"}:
        return f"{command.name} {rest}".rstrip()
    ours = re.sub("#.*", "N", f"{command.name} {rest}").rstrip()
    raise InputError("bad_request", f"here that is {ours}, without a slash")


def _move_of(line: str, view: View, context: registry.Context) -> tuple[Move | None, str]:
    """The move that is typed, see `parse_typed_move`, or that a sentence means, or else the line that is meant."""
    move, refused, meant = None, None, ""
    try:
        move = parse_typed_move(line, view)
    except BadMove as error:
        refused = error
    if move is None and (meant := finding.meant_by(line, context)) != line:
        is_command = registry.called(meant.partition(" ")[0], context.lobby.features)
        move = None if is_command else parse_typed_move(meant, view)
    elif refused:
        first, *others = line.split()
        is_talk = are_cards(first) and max(map(len, others), default=0) > finding.SHORT and finding.is_heard(context)
        raise finding.Unsaid(line, context) if is_talk else refused
    if move and line.endswith("?"):
        raise InputError("bad_request", f"that is a question: type {line.rstrip('? ')} alone if you mean it")
    return move, meant


def _answered(said: str, context: registry.Context) -> str:
    """The line that a yes stands for: what the player was asked or invited to; empty for other words.

    Raises InputError for a no, and if nothing was asked.
    """
    asked, is_no = "", bool(_NO.fullmatch(said))
    if isinstance(context, PlayerSession):
        question = (context.typed_again.asked or context.typed_again.proposed) if context.typed_again.is_latest else ""
        if not question and (context.offer.by or context.is_asked) and (reply := _reply(said, context)):
            return reply
        asked = question or _offered(context)
    if asked and is_no:
        raise InputError("bad_request", "all right, nothing was changed")
    if asked:
        return asked if said in {"y", *_YES} else ""
    is_answer = (is_no and said != "n") or said in _YES or (said == "y" and context.snapshot is None)  # else why
    if is_answer and ((is_no and said != "cancel") or finding.meant_by(said, context) == said):
        raise _nothing_asked(said, context)
    return ""


def _reply(said: str, session: PlayerSession) -> str:
    """The line that answers an invitation, or a wish for another game; empty if these words answer neither."""
    is_no = _NO.fullmatch(said) or (said == "stop" and session.is_asked)
    if is_no and (said != "n" or not session.side_view):
        return "decline"
    is_yes = _AGREES.fullmatch(said) or (session.takes_offer and _COMES.fullmatch(said))
    return _offered(session) if is_yes else ""


def _offered(session: PlayerSession) -> str:
    """The line that a yes stands for though nothing was asked: it is what Enter does, and concerns others."""
    is_open = session.takes_offer or (session.is_asked and session.side_view is None)
    return (session.next_step or "start") if is_open else ""


def _nothing_asked(said: str, context: registry.Context) -> InputError:
    """The refusal of a yes or no to nothing; it may be meant for others, or for an invitation that waits elsewhere."""
    if isinstance(context, PlayerSession) and (context.is_asked or context.offer.by):
        return InputError("bad_request", "type leave, then start" if context.is_asked else context.way_to_offer)
    if finding.is_heard(context) and (context.snapshot is not None or not _NO.fullmatch(said)):
        return finding.Unsaid(said, context)
    return InputError("bad_request", f"nothing was asked just now:{finding.ways(context)}")


def _for_ops(line: str, context: registry.Context) -> ParsedCommand:
    """What an op means by the word admin and this line, as they type it behind ssh HOST. Raises InputError."""
    word, _, rest = line.partition(" ")
    command = finding.find(word.lower() or "help", context)
    if not command.works(ADMIN_SSH):
        raise InputError("bad_request", f"{command.name} works without admin")
    return ParsedCommand(command, f"{registry.ADMIN} {rest}".strip() if command.behind_admin else rest.strip())


async def execute(meant: Move | ParsedCommand, session: PlayerSession) -> registry.Answer:
    """Carry out a command, or a move in a side view. Raises InputError if it cannot be done."""
    if not isinstance(meant, ParsedCommand):
        assert session.side_view is not None  # noqa: S101 - a table takes all other moves
        session.typed_again.confirm_nothing_but(str(meant))
        answer = registry.Answer(await session.side_view.move(meant))
    else:
        session.has_given_command = True
        session.typed_again.confirm_nothing_but(meant.command.name, f"{meant.command.name} {meant.rest}")
        if not meant.command.read_only:
            await session.wait_for_turn()
        try:
            answer = await meant.command.run(session, meant.rest)
        except NoSuch as error:
            if not (error.meant and meant.command.is_proposed):
                raise
            rest = re.sub(rf"(?i)(?<![\w-]){re.escape(error.name)}(?![\w-])", error.meant, meant.rest, count=1)
            raise finding.DidYouMean(error.message, f"{meant.command.name} {rest}", session) from None
        answer = replace(answer, title=answer.title or f"{meant.command.name} {meant.rest}".rstrip())
    if session.side_view and session.side_view.is_over:
        answer = replace(answer, title=session.side_view.place.name)
        session.set_side_view(None)
    return answer


def _is_no_queen(line: str, view: View) -> bool:
    """Whether this is a q, and the player has no queen: in an exercise it leaves."""
    held = view.hands[view.seat or 0] | view.ups[view.seat or 0]
    return line.lower() == "q" and not held & RANK_CARDS[RANKS.index("Q")]
