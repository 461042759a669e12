"""What people say if they go, take a break or come back, and of the name and the key that they are known by."""

import re
from typing import Final

from engine.wording.phrases import listed, quantity, sentence_case
from server.commands.finding import READS, company, is_heard
from server.commands.registry import Context, command_named
from server.commands.sitting import question_before_leaving
from server.people.players import come_in_again_text
from server.plain_questions.about_the_game import ABOUT_US
from server.plain_questions.sentence import EVERYWHERE, GAME, IN_GAME, Sentence
from server.player.player_session import PlayerSession, kept_seat_text, parting_lines
from server.table.finished_game import RATED

_ACCOUNT: Final = "It is free, without account or money: with an ssh key your games are rated, as a guest they are not."
_KEYS_ALONE: Final = "There is no password: your ssh key says who you are. Without a key you are a guest."
_RATING: Final = (
    "Each rated game moves your rating up or down by how you did against all but guests: me shows it, top the best."
)
_RATING_MEANS: Final = (
    "A rating says how strong a player is. It rises when you win, most against stronger players, and falls when you "
    "lose; new players' ratings move fast. Unrated games change none: help top tells which games count."
)
_KEY: Final = "In a shell type ssh-keygen once, and come in again: from then on your name is kept, and games are rated."
OUT: Final = "quit hangs up; at a table it keeps your seat, and leave gives the seat up for the lobby."
_BACK_FROM: Final = "leave goes back to where you were."
_HOST: Final = "Tell the person who gave you this address: they run the server. report is about players."
_NAME: Final = "In the lobby type name and the new one, as in name Anna."
_BACK: Final = "Type the same ssh line again: with the same key you are the same player, and a kept seat is yours."
_SHORT_TIME: Final = r"(few|couple( of)?|half|one|two|three|five|ten|\d+)? ?(min(ute)?|sec(ond)?|moment)"
_BY_CODE: Final = "resume and the code that you were shown takes it back"
_AWAY: Final = (
    "phone (rings|is ringing)|answer (phone|door)|toilet|(bath|rest)room|loo|pee|brb|door ?bell"
    "|(take|have|need|short|lunch) break|(coffee|tea)( break)?$|right back|my (internet|wifi|connection)"
)


def _come_back(context: Context, _: str) -> str:
    """The seat that is kept for the player, or the one table that has a seat free."""
    own = context.own_seats if isinstance(context, PlayerSession) else {}
    free = [each.number for each in context.lobby.tables.listings() if each.open_seats and not each.private]
    return f"sit {min(own or free)}" if own or len(free) == 1 else ""


def _lost_code(context: Context, _: str) -> str:
    if context.player.account or command_named("reseat", context.lobby.features) is None:
        return ""
    told = f"reseat {context.player.name} as NAME, with the name that you had"
    return f"The person who runs the server can give you back what is kept for you. Ask them to type {told}."


def _may_be_theirs(context: Context, said: str = "") -> str:
    """How a guest takes what may be kept for them, as the lobby shows it; empty if nothing is, or by another name."""
    if not isinstance(context, PlayerSession):
        return ""
    if context.offer.line.startswith("resume "):
        return context.reminder
    told = next((f"Type resume {each.about}." for each in context.scene.hints if each.text == "resume"), "")
    is_other = said.startswith("i ") and not told.casefold().endswith(f" {said.rpartition(' ')[2]}.")
    return "" if is_other else told


def _come_again(context: Context, _: str) -> str:
    """How a player comes back: by the key, or a guest by the code."""
    if context.player.account or not context.caller.may_return:
        return _BACK
    if told := _may_be_theirs(context):
        return told
    code = context.resume_code if isinstance(context, PlayerSession) else ""
    taken = f"resume {code} takes it back" if code else _BY_CODE
    return f"Type the same ssh line again. If a seat is kept for you, {taken}."


def _to_inviter(context: Context, _: str) -> str:
    """How the player takes an invitation that holds."""
    if isinstance(context, PlayerSession) and context.offer.by:
        return f"{sentence_case(context.way_to_offer)}."
    return ""


def _seat_back(context: Context, said: str) -> str:
    """How a player who has come again gets the seat that may be kept for them."""
    if isinstance(context, PlayerSession) and (own := context.own_seats):
        return f"Your seat is kept: sit {min(own)} takes it."
    if context.player.account:
        return "No seat is kept for you, as leave gives it up: tables lists the free ones, and sit N takes one."
    told = f"If you fell out, your seat is kept: {_BY_CODE}. {_lost_code(context, said)}".rstrip()
    return _may_be_theirs(context) or told


def take_break(context: Context, _: str) -> str:
    """What to tell a player who goes for a while."""
    kept = kept_seat_text(context) if isinstance(context, PlayerSession) and context.in_game else ""
    if isinstance(context, PlayerSession) and not kept and (code := context.resume_code):
        kept = " ".join(f"{each}." for each in parting_lines(context))
        if not kept and not context.lobby.kept_name(context.player.id, {}):
            return f"Take your time. You are a guest: if you quit, or are cut off in the lobby, nothing is kept. {_KEY}"
        kept = kept or f"Afterwards {come_in_again_text(code)}."
    if kept and context.scene.clock_left is not None:
        return f"There is no pause, and the clock runs: type quit if you must go. {kept}".rstrip()
    return f"Nothing gets lost: take your time, or type quit. {kept}".rstrip()


def _wait(context: Context, said: str) -> str:
    """What a player reads who wants to wait: what refuses the next game, if others ask for it."""
    at_table = context.location.snapshot if isinstance(context, PlayerSession) else context.snapshot
    if at_table is None or not at_table.agreed or at_table.seat in {None, *at_table.agreed}:
        return take_break(context, said)
    left = context.scene.clock_left
    dealt = "" if left is None else f", which is dealt in {quantity(left, 'second')} otherwise"
    return f"Type no to refuse the next game{dealt}."


def _refused(context: Context, said: str) -> str:
    """A no with more words, where a player was invited or asked for another game."""
    if isinstance(context, PlayerSession) and (context.is_asked or context.offer.by):
        return "decline"
    return OUT if re.fullmatch("no more( games?| thanks| thank you| now| today)*", said) else ""


def _stops(context: Context, _: str) -> str:
    """What people do who play together and agree to end a game before its end; empty for a player among AI players."""
    both = listed([*company(context), "you"], "and")
    waits = f"No game is called off. If {both} quit, it waits until one of you is back; a player who leaves is last."
    return waits if company(context) else ""


def _if_i_leave(context: Context, _: str) -> str:
    """What leave costs here, as it asks it."""
    costs = question_before_leaving(context) if isinstance(context, PlayerSession) and not context.occasion else ""
    return costs or take_break(context, "")


def _if_i_lose(context: Context, _: str) -> str:
    """What a lost game costs: a guest and a game that is not rated no rating."""
    snapshot = context.snapshot
    rating = snapshot.rating if snapshot is not None and snapshot.seat is not None else ""
    if context.player.account is None:
        return "Nothing gets lost but the game: guests have no rating."
    if rating and not rating.startswith(RATED):
        return f"Nothing gets lost but the game: it is {rating}."
    return "A lost rated game lowers your rating, most against weaker players; me shows it."


def _bye(context: Context, said: str) -> str:
    command = command_named(said.partition(" ")[0], context.lobby.features)
    is_other = command is not None and command.works(context.place)  # "ignore bye" is of somebody
    return "" if is_other or is_heard(context) else "quit"  # others read what comes before it


def _registered(context: Context, _: str) -> str:
    if context.player.account:
        return f"Your ssh key is your account, and you are {context.player.name}. me shows your games."
    return f"You are a guest, {context.player.name}, and your name is forgotten when you go. {_KEY}"


def _reading(context: Context, _: str) -> str:
    """A player who reads wants no other game now, nor that what they ask of the page takes it away."""
    snapshot = context.snapshot
    if context.place.kind == "table" and snapshot is not None and snapshot.agreed:
        return "decline"
    return "Read on: a page stays until you press Enter, and another game waits a minute for you."


def _little_time(context: Context, _: str) -> str:
    if context.snapshot is not None:
        return take_break(context, "")
    return "play 2 begins a short game; if you quit before its end, your seat is kept."


COMING_AND_GOING: Final = (
    Sentence(r"^(am|are) i (registered|guest|logged in|rated)$|^(will|do) you (remember|know) me\b.*", _registered),
    Sentence(r"^what is my (user|nick)?name$|^.*\b(create|make|need) account\b.*", _registered),
    Sentence(r"^(?!log in$)((how )?(do|can|must) i (have |need )?)?(register|log ?in|sign (up|in))$", _registered),
    Sentence(r"^log( me)? (in|on)$", "ask login"),  # a line, for log is a command
    Sentence(r"^(?:register|sign (?:up|in)|log ?in) (?:as )?(?!me$)([\w-]+)$", r"name \1", "lobby table"),
    Sentence(
        r"\b(keep|reserve) (my )?name\b|\b(take|steal) my name\b"
        r"|^(is|will) .*\bname\b.*\b(mine|kept|saved?|safe|remember(ed)?)\b.*",
        _registered,
    ),
    Sentence(r"\b(get|let|way|want) (i |me |us )?out(ta)?\b|^how\b.*\b(exit|quit|leave|close|stop(?! server))\b", OUT),
    Sentence(r"(?<!can i )\b(need|have|got|must) (go|leave)\b|\bi (want|should like) (stop|quit)$", OUT),
    Sentence(
        r"^((how|can|do|want|let's|should|agree|i|all) )*(cancel|abort|call off|stop|end)( (game|it|match|early))*$"
        r"|\b(offer|agree( on)?|call (it|this)|propose) draw$",
        _stops,
        "playing",
    ),
    Sentence(r"^(can i )?(cancel|abort|call off)( game| it)*$", f"No game is called off: {OUT}", IN_GAME),
    Sentence(r"\b(get|let|way) (me )?out\b", _BACK_FROM, "record exercise"),
    Sentence(r"^(how|can|where)\b.*\b(exit|quit|leave|close|stop|(?<=i )end)\b.*", _BACK_FROM, "record exercise"),
    Sentence(r"^close$|^(ok )?i quit$", OUT, "lobby table watching"),
    Sentence(r"^.*\bdon't want play any ?more$", OUT, f"lobby watching between {IN_GAME}"),
    Sentence(r"^stop( game| playing)?$", OUT, IN_GAME),
    Sentence(r"^stop( game| playing)?$|^(go )?back (start|begin\w*|menu|home)\b.*", "leave", "between"),
    Sentence(r"^exit( game)?$", "leave", "between watching"),
    Sentence(r"^(:(q|wq|x|qa|quit)!?|zz|(exit|quit)\(\)|\^[cd]|ctrl-[cd])$", "quit", f"lobby {GAME}"),
    Sentence(r"\b(come|get|be) back\b.*", _come_again),
    Sentence(r"\baccept\b.*|^yes i (come|will)$|^(o+h|a+h|yay|wow) (yes|yeah|sure)$", _to_inviter, f"lobby {GAME}"),
    Sentence(
        r"^(y|(yes )?((that|it)('s| is| was) me|i (am|was) [\w-]+)|(yes|yeah|yep)( i was)?)$", _may_be_theirs, "lobby"
    ),
    Sentence(
        r"\b(get|want|take) my seat$|\bmy (seat|game|table) (back|again)$|^continue my (seat|game|table)$"
        r"|^i (?!.*\b(if|when)\b).*\b((lost|dropped|lose) (\w+ )?(connection|internet|wifi|seat)|disconnected)$"
        r"|^my (connection|internet|wifi) (\w+ )?(lost|broke|down|dropped|gone)$"
        r"|^i (fell|dropped|was thrown|got thrown|was kicked|got kicked) out$",
        _seat_back,
        "lobby watching",
    ),
    Sentence(r"\b(come|get|go|be) back( in| into)?( my)? (table|game|seat)$", _come_back, "lobby"),
    Sentence(r"^(go |get |take me )?back( my| our)? (game|table)$", "leave", "record exercise"),
    Sentence(r"^.*\b(los[te]|forgot(ten)?|don't (have|know)|have no|without) (\w+ )*code$", _lost_code, "lobby"),
    Sentence(r"^back( (start|begin\w*|menu|home))?$", "leave", "lobby watching"),
    Sentence(
        r"^.+ (bye|goodbye)$|^(good ?)?night( (all|every(one|body)))?$"
        r"|^(bye|see you|cya|ttyl)( (bye|for|later|soon|tomorrow|all|guys|folks|every(one|body)))*$",
        _bye,
        "table lobby watching",
    ),
    Sentence(r"^i (am|have) (done|finished)( playing)?$", "leave", "between"),
    Sentence(r"^(done|finished)$|^i am( in)?$", "turn", "table"),
    Sentence(r"^i am (out|off|leaving|going|done|finished)$", OUT, to_others=True),
    Sentence(r"^(hang|hold) on\b.*|^(wait )?i need (a )?(minute|moment|second|sec)$", _wait, to_others=True),
    Sentence(r"^(wait|hold on|one (?=m|s))( ?(one|minute|moment|second|sec|bit|me|up|let me think|phone))*$", _wait),
    Sentence(rf"^(?!second$)((i|am|need|want|wait|only|gimme|back|in) )*{_SHORT_TIME}s?( (more|time))?$", _wait),
    Sentence(rf"\bpause$|\bpause (it|game|my game)$|\b({_AWAY})\b", take_break),
    Sentence(r"\b(if|when) i (disconnect|quit|leave|close|hang up|go|am (away|gone))\b( away| off)?", take_break),
    Sentence(
        r"^.*\b(if|when) i (leave|resign|give up|concede|forfeit|surrender|fold)\b(?! (computer|keyboard|phone)).*"
        r"|^(can i )?(leave|quit|stop|end)( now| game| it)* (without (losing|rating|cost)\w*|and start again)\b.*",
        _if_i_leave,
    ),
    Sentence(
        r"^(does|is|will|do|what|how|can)\b.*\b(if|when) (i|you) (lose|lost|(am|come) last)( (game|it|that|all|one))*$"
        r"|^(is it|is that|it is) \w+ (lose|losing)( game)?$|^(is|does|what does) (losing|loss|lost game)\b.*"
        r"|^what (do|can) i lose$",
        _if_i_lose,
    ),
    Sentence(
        r"^(is|can|does|do)\b.* (my (ip|address|data)|data safe)\b.*|\bemail\b"
        r"|\bwhat .*\b(store|keep|know) (about|of) me\b",
        "privacy",
    ),
    Sentence(r"\bchange\b.* ((user|nick|display ?)name|nick)$", "name", "lobby table watching"),
    Sentence(r"\bchange (my )?((user|nick|display ?)?name|nick)$", _NAME, "shell"),
    Sentence(r"^where (do|can|must) i (type|write|enter|put)( in)? my (user|nick)?name$", _NAME),
    Sentence(r"\bname\b.*\b(wrong|misspell?ed|typo)\b|\b(wrong|correct|fix)\b.* name$", _NAME),
    Sentence(r"^(.*\b(who|is|contact|call|need) )?(admin|operator|owner|moderator|staff|support|in charge)$", _HOST),
    Sentence(r"\bwho (runs|hosts)\b|^(.*\b(found|have|report|give|send|is|game) )?(bugs?|feedback|broken)$", _HOST),
    Sentence(r"^what is new\b|\bnews\b|\bchangelog\b|^(what|which) version.*|^version", ABOUT_US),
    Sentence(r"\b(get|make|create|have no)\b.* key$", _KEY),
    Sentence(r"\b(my |a )?(pass ?word|passwd|pass ?phrase)s?\b(?!=)", _KEYS_ALONE),
    Sentence(r"\bany account\b|\blogged in\b|\b(is|for) ((it|game) )?free\b|\b(it|does) cost\b|\bpay\b", _ACCOUNT),
    Sentence(r"\b(for|real|cost) (money|cash)\b|\b(prizes?|rewards?|stakes|chips|gambl\w+)\b", _ACCOUNT),
    Sentence(r"\bhow\b.*\b(rat(ed|ing)|elo|scoring).*|\bpoints (for|count)", _RATING, f"lobby shell {GAME}"),
    Sentence(
        r"^(what (is|are|does|do)|explain) (elo|(un)?rat(ed|ings?))( games?| mean| for)*$", _RATING_MEANS, EVERYWHERE
    ),
    Sentence(r"^(un)?rated( games?)?$", _RATING_MEANS, EVERYWHERE),
    Sentence(
        r"^((is|am|are|was|do|why|what)\b.* )?(rated|guest)( games?)?$|\b(have|no|without|need)( ssh)? key$", _ACCOUNT
    ),
    Sentence(
        rf"^(?!.*\bquick (game|match)$)((i|have|got|only|is|there|do|you|want|need|can|play|let's|give|me|any"
        rf"|one|game|match|something|anything|for|with|very|{_SHORT_TIME}s?) )*"
        r"(short|quick|brief|fast)( (game|one|match|round))?$",
        _little_time,
        "lobby",
    ),
    Sentence(
        rf"^(i )?((have )?got|have) (only )?{_SHORT_TIME}s?( (time|free|spare|left))?$"
        r"|^(i )?(not|don't have|haven't( got)?) (much|many) time$",
        _little_time,
        "lobby table",
    ),
    Sentence(r"\b(only have|have only|got only|only got) .*\bmin(ute)?s?$", _little_time, "lobby table"),
    Sentence(
        r"^(no|nope|nah) (thanks|thank you|sorry|let's|i|i'm|not|don't|never|more|maybe|later|another|again|next)\b.*"
        r"|^(nah$|not now|not today|maybe later|another time)\b.*",
        _refused,
        EVERYWHERE,
    ),
    Sentence(READS.pattern, _reading, EVERYWHERE, to_others=True),
)
