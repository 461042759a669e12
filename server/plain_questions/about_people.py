"""What people say of one another and to one another, and how players come together."""

import re
from collections.abc import Callable
from typing import Final

from engine.ai import LEVELS
from engine.wording.phrases import listed, quantity, sentence_case
from server.commands.finding import DidYouMean, another_table, company
from server.commands.registry import Context, called
from server.commands.yourself import ignored_text
from server.plain_questions.sentence import EVERYWHERE, GAME, IN_GAME, Sentence, rules_named, taught, ways_on
from server.player.player_session import PlayerSession
from server.table.snapshot import Presence

_CHEATS: Final = (
    "AI players see only what you would see, and the deal is fixed before: at a table fair tells what proves it."
)
_LEVELS: Final = "AI players have five levels: the strongest ones play each move on in many games that they imagine."
_SEEN: Final = "Others see what you play and what you say, as in say hello or /hello; nothing else that you type."
_SAID: Final = "Type say hello, or /hello: the players around you read it. tell NAME says it to one player."
_TOLD: Final = "tell and a name say something to one player alone, as in tell Anna hello."
PEOPLE: Final = "In the lobby meet finds people to play with, and new opens a table for friends."
_REMOVE: Final = "If you opened this table, type remove and the name of a player, as in remove Fox."
_QUIET: Final = "AI players do not talk; ignore NAME stops hearing a player, report tells those who run the server."
_MORE: Final = "add seats an AI player, invite shows how people come; start deals, with AI players in the free seats."
_GONE: Final = "No game is paused: while a player is gone an AI player plays for them, and their seat is kept."
_BESIDE: Final = "with|against|beside|next|at"
_TOO: Final = "( (too|also|in|down|you|i|them|later|then|next|game|round|one|when .*|after .*))"
_RUDE: Final = r"fuck\w*|shit|damn|crap|hell(?! ye)|sucks?|stupid|hate|boring|bored|annoying|dumb|bullshit"
_KIN: Final = "((girl|boy)?friend|brother|sister|mate|dad|mum|mom|kid|son|daughter)s?|wife|husband|family"
_BAD: Final = "bad|terrible|awful|horrible|rubbish|garbage|trash|lousy|ugly|worst"
_DEALT: Final = (
    "what|such|i|have|got|get|was|were|dealt|me|my|my cards are|my hand is|always|again|too|those|these|that is|it is"
    "|only|all|more|very"
)
_WISHED: Final = r"^(?!(how|wh\w+|is|are)\b|.+ (can|do|if) i\b|.*\b(private|not|no|never|\w+n.t|lost|won|played)\b)"
_ONE_TO_ONE: Final = "play 2 begins a game against one AI player, and new 2 opens a table for you and another person."
_THINGS: Final = frozenset({"stock", "deck", "bin", "card", "game", "chat", "menu", "he", "she", "it", "that", "top"})
"""Of what people ask where it is, besides what is named as a command."""


def _named(context: Context, said: str) -> str:
    """The names, at the end of a sentence, of players who are here and neither ask nor sit with the player."""
    sitters = context.snapshot.sitters if context.snapshot is not None else ()
    beside = {context.player.name.casefold(), *(each.name.casefold() for each in sitters if each)}
    is_here, words = context.lobby.visitors.named, re.split(rf"\b(?:{_BESIDE})\b", said)[-1].split()
    names = (word if is_here(word) else re.sub("'?s$", "", word) for word in words)  # also at anas table
    return " ".join(name for name in names if name not in beside and is_here(name))


def _if_full(context: Context, wish: str, *others: str) -> str:
    """What helps if people have all seats: a table as wished, for them and others; empty if they have not."""
    snapshot = context.snapshot
    if snapshot is None or not all(each and not each.is_ai for each in snapshot.sitters):
        return ""
    when = "When this game is over type" if snapshot.playing and snapshot.seat is not None else "Type"
    is_for_more = others or company(context)
    table = another_table(context, wish, *others) if is_for_more else f"new {wish}".rstrip()
    return f"All seats here are taken, and others can only watch. {when} leave, then {table}."


def _play_with(context: Context, said: str) -> str:
    """What leads to the players whom the sentence names: a seat beside one, or a table to which they are invited."""
    if not (names := _named(context, said)):
        return ""
    if context.snapshot is not None:
        return _if_full(context, "", *names.split()) or f"invite {names}"
    rules, visitor = rules_named(context, said), context.lobby.visitors.named(names)
    free = (each for each in context.lobby.tables.listings() if each.open_seats and not each.private)
    theirs = visitor.table_number if visitor is not None and not visitor.is_watching else None
    is_open = theirs in [each.number for each in free if rules in {"", each.rules}]
    return f"sit {theirs}" if is_open else " ".join(f"new {rules} {names}".split())


def _to_come(context: Context, said: str) -> str:
    """What invites the players whom the sentence names, as a proposal."""
    line = _play_with(context, said.removesuffix(" with me"))
    if line and not line.endswith("."):
        raise DidYouMean(f"did you mean {line}?", line, context)
    return line


def _to_them(command: str) -> Callable[[Context, str], str]:
    """What carries out a command with the names in the sentence."""
    return lambda context, said: f"{command} {names}" if (names := _named(context, said)) else ""


def _rematch(context: Context, said: str) -> str:
    names = " ".join(filter(context.lobby.visitors.named, said.split()))
    if context.snapshot is None or not names:
        return f"Type new {names}: that opens a table and invites {names}." if names else ""
    return "Type start when this game is over: it asks all here for another one. invite NAME asks a player elsewhere."


def _to_watch(context: Context, _: str) -> str:
    tables = context.lobby.tables.listings()
    return f"watch {tables[0].number}" if len(tables) == 1 and not tables[0].private else "tables"


def _to_look(context: Context, said: str) -> str:
    is_empty = not context.lobby.tables.listings()
    return f"No game goes on now that you can watch. {ways_on(context)}" if is_empty else _to_watch(context, said)


def _upset(context: Context, _: str) -> str:
    if context.snapshot is None:
        return f"Sorry to hear that. play begins a game, {taught(context, '{} teaches it, ')}quit hangs up."
    return "Sorry to hear that. hint proposes a move, rules tells how it is played, and quit keeps your seat."


def others(context: Context, _: str) -> str:
    """Who sits beside the player; in the lobby how many people are here."""
    if context.place.kind == "exercise":
        return "Nobody plays here: the other players are part of the exercise."
    if context.snapshot is None:
        people = len(context.lobby.visitors.people())
        return f"People here: {people}. AI players have their level beside the name, as Fox has in Fox *easy."
    sitters = [each for seat, each in enumerate(context.snapshot.sitters) if each and seat != context.snapshot.seat]
    kinds = dict[str, list[str]]()
    for each in sorted(sitters, key=lambda each: (not each.is_ai, not each.bot)):
        kinds.setdefault("AI player" if each.is_ai else "bot" if each.bot else "person", []).append(each.name)
    told = [f"{quantity(len(names), kind)}, {listed(names, 'and')}" for kind, names in kinds.items()]
    return f"Beside you: {'; '.join(told)}." if told else "Nobody else sits here yet."


def _mute(context: Context, said: str) -> str:
    """What players want who are no ops: these mute for all."""
    name = re.sub(r".*\b(mute|silence) ?", "", said)
    is_meant = not name or context.lobby.visitors.named(name)
    return f"ignore {name}".rstrip() if is_meant and not context.lobby.is_op(context.caller) else ""


def _unmute(context: Context, said: str) -> str:
    name = said.partition(" ")[2]
    if isinstance(context, PlayerSession) and context.settings.ignores(name):
        return f"ignore {name} again"
    return f"You hear {name}, unless an op has muted them: ignore {name} stops that."


def _kick(context: Context, said: str) -> str:
    name = said.partition(" ")[2].removeprefix("out ").removesuffix(" out")
    return "" if context.lobby.is_op(context.caller) else f"remove {name}"  # ops have kick


def _friend(context: Context, said: str) -> str:
    if context.caller.is_alone:
        return ""
    if told := _to_come(context, said):
        return told
    if context.snapshot is None:
        return "Type new to open a table: invite shows there what your friend types."
    if context.snapshot.occasion and context.snapshot.occasion.alone:
        return "This game is played alone: type leave, then new opens a table for friends."
    if told := _if_full(context, str(len(context.snapshot.sitters) + 1)):
        return told
    if not context.snapshot.playing:
        raise DidYouMean("type invite to see what they type.", "invite", context)  # Enter would deal without them
    return "Type invite to see what they type. They can watch now, and sit down when this game is over."


def _join(context: Context, said: str) -> str:
    offer = context.scene.offer
    return offer.line if offer.by and offer.by.lower() == said.rpartition(" ")[2] else ""


def _to_sit(context: Context, _: str) -> str:
    """How a player who watches gets a seat, or plays with those who have all of them."""
    snapshot = context.snapshot
    if snapshot is None or snapshot.may_sit:
        return "Type sit to take a seat." if snapshot else "Type tables to see who plays, sit N to take a seat."
    after = "When this game is over, Enter or sit takes an AI player's seat; until then you watch."
    return _if_full(context, "") or after


def _to_join(context: Context, said: str) -> str:
    """How a player joins the one whom they name, if that is not done by taking a free seat."""
    visitor = context.lobby.visitors.named(said.rpartition(" ")[2])
    number = visitor.table_number if visitor is not None else None
    table = next((each for each in context.lobby.tables.listings() if each.number == number), None)
    if context.snapshot is not None and context.snapshot.table == number:
        return _to_sit(context, said)
    if visitor is not None and number is None:
        return f"invite {visitor.player.name}"
    if table is None or (table.open_seats and not table.private):
        return ""
    if table.private:
        return f"Table {number} is private: type sit {number} and its word."
    return f"No seat is free at table {number}: watch {number} looks on, and Enter takes a seat when one is free."


def _ignored(context: Context, _: str) -> str:
    return ignored_text(context, context.settings) if isinstance(context, PlayerSession) else "ignore"


def _how_good(context: Context, _: str) -> str:
    sitters = context.snapshot.sitters if context.snapshot is not None else ()
    told = [f"{each.name} is {each.ai_level}" for each in sitters if each is not None and each.ai_level]
    return f"{listed(told, 'and')}, of the levels {listed([*LEVELS], 'and')}." if told else ""


def _nobody_or(context: Context, _: str) -> str:
    """Who else is here, as the answer to a player who looks for people."""
    if context.snapshot is not None:
        return others(context, "")
    here = len(context.lobby.visitors.people())
    return "who" if here > 1 else f"Nobody else is here now. {PEOPLE}"


def _where_is(context: Context, said: str) -> str:
    """Where the player is whose name stands behind "is"; empty if no player is meant, or could be."""
    before, _, behind = said.partition("name is ")
    name = (behind or re.sub("^(wh(o|ere) )?(is|did) ", "", before)).partition(" ")[0]
    sitters = context.snapshot.sitters if context.snapshot is not None else ()
    if sitter := next((each for each in sitters if each is not None and each.name.casefold() == name), None):
        if context.place.kind == "exercise":
            return others(context, "")
        is_gone = not (sitter.is_ai or context.lobby.visitors.named(name))
        here = f"is an AI player, {sitter.ai_level}" if sitter.is_ai else "sits at this table"
        how = "is disconnected; their seat is kept" if is_gone else here
        return f"{sitter.name} {how}."
    if visitor := context.lobby.visitors.named(name):
        listed_here = {each.number for each in context.lobby.tables.listings()}
        presence = Presence(visitor.player.name, visitor.table_number, visitor.is_watching)
        return f"{presence.name}: {presence.seen_from(listed_here)}."
    if not behind and (said.startswith("who") or name in _THINGS or called(name, context.lobby.features)):
        return ""
    return f"{sentence_case(name)} is not here: new, in the lobby, opens a table, and invite shows how they come."


def _wait_for(context: Context, said: str) -> str:
    name, sitters = said.rpartition(" ")[2], context.snapshot.sitters if context.snapshot is not None else ()
    is_gone = context.lobby.visitors.named(name) is None  # to one who is here it may be said
    seated = [each.name.casefold() for each in sitters if each is not None and not each.is_ai]
    return _GONE if is_gone and name in seated else ""


def _thanked(context: Context, _: str) -> str:
    return f"You are welcome. {ways_on(context, '')}"


def _greeted(context: Context, said: str) -> str:
    good = "Good game!" if re.match("g[gl]|good (game|luck)|well", said) else f"Hello, {context.player.name}."
    only_ai = " AI players do not talk." if context.snapshot is not None else ""
    return f"{good}{only_ai} {ways_on(context, '')}"


ABOUT_PEOPLE: Final = (
    Sentence(
        r"^(are you .*\b(people|or|all)|is (?!it\b|this\b)\w+|are (?!you\b)\w+( and \w+)?"
        r"|(am|do|will) i\b.*\b(against|with))( \w+)? (real|bots?|humans?|people|persons?|ais?|robots?|computers?)\b.*",
        others,
    ),
    Sentence(
        r"^(are you|is( it)?) (\w+ )?(bot|ai|robot|computer|human|real|person)( \w+)?$", others, f"exercise {GAME}"
    ),
    Sentence(r"^(.*\b(play|against|any|meet|are|is|want) )?(real|other) (person|people|players?|humans?)$", PEOPLE),
    Sentence(r"^how\b.* find (players?|people|opponents?)$|\bagainst (human|person|people)", PEOPLE),
    Sentence(r"\b(play|game|match|with|against)\b.* (strangers?|some(one|body) (real|human))$", "meet", "lobby"),
    Sentence(
        r"^how (good|strong|hard|clever|smart) \w+ (they|s?he|it|others?|\w+ players?|bots?)$"
        r"|^is (?!it\b)\w+ (good|strong|clever|smart)( at.*)?$|^what (is \w+'s level|level (is|has|does) \w+( have)?)$",
        _how_good,
        GAME,
    ),
    Sentence(r"^(yes )?(i )?(want |should like |will )?(join|come|play with) [\w-]+$", _join, f"lobby {GAME}"),
    Sentence(r"^(1|one) ?(v|vs|on|against|versus) ?(1|one)$", _ONE_TO_ONE, "lobby"),
    Sentence(r"\bany(one|body)\b.*\b(games?|play|match|up for|around)\b|^(nobody|no one) (is|wants)\b|^seek\b", PEOPLE),
    Sentence(r"^are you (still )?(there|here|alive|awake)$|^(i am|am i) alone$", _nobody_or),
    Sentence(
        r"^(hi |hello |hey |is |are )*(there )?(any\w*|(any )?other) (\w+ )?"
        r"(humans?|people|persons?|kids|here|online|on|real|awake|alive|about|home)( \w+)?$"
        r"|^any(one|body) there$|^((hi|hello|hey) )+any(one|body)( there)?$",
        _nobody_or,
    ),
    Sentence(r"\bname is [\w-]+\b.* where is (s?he|they)$|^who is [\w-]+$", _where_is, f"lobby exercise {GAME}"),
    Sentence(rf"^where (is|are) ((every|all|they|others|people)\w*( \w+)?|my ({_KIN}))$", "who", f"lobby shell {GAME}"),
    Sentence(r"^where is (?!every|all\b|they|others|people)[\w-]+( now| gone)?$", _where_is, f"lobby {GAME}"),
    Sentence(r"^(is|did) (?!every|all\b|any|game|my\b)[\w-]+ (gone|away|here|back|leave)$", _where_is, f"lobby {GAME}"),
    Sentence(r"^(can i )?(pause|wait)( game)? for [\w-]+$", _wait_for, IN_GAME),
    Sentence(r"^where did (?!every|all\b|they|others|people)[\w-]+ go$", _where_is, f"lobby {GAME}"),
    Sentence(r"^.*\b(play|game|match|start)\b.* (?:with|against) .+", _play_with, f"lobby {GAME}"),
    Sentence(r"^(can|do|should) i (sit|join)( with| beside| at| next)* [\w-]+$", _to_join, "lobby watching"),
    Sentence(r"^.*\bgo (and )?play with [\w-]+$", _to_join, "lobby watching"),
    Sentence(
        rf"^.*\b(sit|seat|join)\b.* ({_BESIDE}) .+|^(join|go) .+s (table|game)$", _to_them("sit"), "lobby watching"
    ),
    Sentence(r"^(is|are|do|how|where|what|can)\b.*\b(api|protocol|own (bot|program|ai))\b.*", "bot"),
    Sentence(r"^.+ for (rematch|revenge|another( game| one| round)?|one more( game)?)$", _rematch, f"lobby {GAME}"),
    Sentence(
        rf"\b({_KIN}|some(one|body)|others|people|s?he|they)( wants?| also| can)* (join|play|come|watch|find me)\b"
        rf"|^how\b.*\b({_KIN}|they|others|people) get( in)?$"
        r"|(?<!what )(?<!cards )\b(can|let|how do|how does) (?!(i|you|it|me|begin|start)\b|.* for me$)[\w-]+"
        r" (join|play|come|watch)\b"
        r"|^how .*\b(add|invite)\b.*|\bcan my \w+ .*join\b.*"
        rf"|^how\b.*\b(get|bring|let|have)\b.*\b({_KIN}|others|people)( in| on| over| with me)*$",
        _friend,
        f"lobby shell {GAME}",
    ),
    Sentence(r"^(.*\b(get|have|ask|bring) )?[\w-]+ (in|join|play|come)( with (i|me))?$", _to_come, f"lobby {GAME}"),
    Sentence(r"\b(others?|they|(every|any)(one|body)|who|people) (see|read|hear)s?\b(?!.*\b(cards|hand)).*", _SEEN),
    Sentence(r"^is .+ (online|connected|around|there|playing)$", "who"),
    Sentence(r"^(who is|how many (players|people)( are)?) (playing|here|online)\b.*", "who", "lobby shell"),
    Sentence(
        r".*\bwatch (games?|(some|any)(one|body)|people|players|others|them|it|first)( play\w*)?$", _to_watch, "lobby"
    ),
    Sentence(
        r"^(?!\w+$|look )((can|let|want|like|i|me|am|only|here|came|should) )*(look|watch)(ing)?"
        r"( (around|about|round|on|first))*$|^(look|watch)ing$|^look (around|about|round|on)$",
        _to_look,
        "lobby",
    ),
    Sentence(r"^(.*\b(want|like|can|let|see)\b.*\b)?(see|watch) [\w-]+'s (game|table)$", _to_them("watch"), "lobby"),
    Sentence(r"^(?:go|take me|bring me|get me|move) table (\d+)$", r"sit \1", "lobby"),
    Sentence(rf"{_WISHED}(i|i'd|want|should|like|let's| )*(play|open)\b.* with .*\b({_KIN})\b.*", "new", "lobby"),
    Sentence(rf"{_WISHED}.*\b(play|game|match|table)\b.*\b({_KIN})$", "new", "lobby shell"),
    Sentence(
        r"^((can|should|will) you )?(make|open|create|start|set up|get)( i| me| us)? table( for .+)?$", "new", "lobby"
    ),
    Sentence(r"^(can i )?(join|enter|go (in|into)) (some |any )?table$", "sit", "lobby"),
    Sentence(r"^find (i |me |us )?(some |any )?table$", "meet", "lobby"),
    Sentence(rf"^(?!.*\b(not|\w+n't|won|lost)\b).* with (my |some )?({_KIN})( too| now| here)?$", _friend, "table"),
    Sentence(rf"^(how )?(can|do) i play\b.* ({_KIN})$", PEOPLE, "shell"),
    Sentence(rf"^how (can|do) i play\b.* ({_KIN})$", _friend, "lobby"),
    Sentence(r"^how (do|can) i (talk|speak|write|say) .*", _SAID, f"lobby {GAME}"),
    Sentence(r"\b(can|do) i (talk|speak|chat|say something)\b.*", _SAID, f"lobby {GAME}"),
    Sentence(r"\b(private|secret)(ly)? (messages?|chat|talk|words?)\b(?!=)|\bwhisper\b|^dm\b", _TOLD, f"lobby {GAME}"),
    Sentence(
        r"^private$|\bprivate (games?|tables?|rooms?|match|one)\b|\bplay (in )?private|^lock( table| it| game)?$",
        "In the lobby new word=apple opens a table for which others must know this word.",
    ),
    Sentence(rf"^(invite|add|bring) (my |some )?({_KIN})$|\b(copy|send|share)\b.* link$", "invite", "lobby table"),
    Sentence(r"^(what|where|how)\b.* (link|url|address)$", "invite", "lobby table"),
    Sentence(r"^let me (in|play|join)( too| also)?$|^take seat|^deal me in$", "sit", "watching"),
    Sentence(
        r"^.*\b(play|share|sit)\b.*\bon (one|same) (computer|screen|keyboard|terminal|machine|pc|laptop)\b.*",
        "Each player needs a terminal, and a second window of one computer is one: all type the same line to come in.",
        EVERYWHERE,
    ),
    Sentence(r"^who (is|are|have i|do i|did i) (muted?|ignored?|blocked?)$", _ignored, EVERYWHERE),
    Sentence(rf"^((how|when) )?(can|do) i (sit|play|join){_TOO}+$|^(how )?can i join$", _to_sit, "lobby watching"),
    Sentence(
        rf"^((how|when) )?(can|do) i (sit|play|join){_TOO}*$|^(queue( up)?|next( game| round)?)$"
        rf"|^(i )?(can|want|should like|wait)\b.* (play|join|sit|seat|next|have go){_TOO}*$"
        r"|^.*\b(take over|replace|take .*(place|seat))\b.*",
        _to_sit,
        "watching",
    ),
    Sentence(r"\b(cheat\w*|rigged|unfair|rng|proof|provably)\b|\b(not|isn't) fair$", _CHEATS, to_others=True),
    Sentence(r"^is (it|deal)? ?fair|^(is|are|d\w+|has|can|how)\b.*\b(cheat\w*|random|shuffled)$", _CHEATS, EVERYWHERE),
    Sentence(
        r"^(how|do|does)\b.*\b(ais?|bots?|engine|computer) (think|search|learn|use|work)\b.*", _LEVELS, EVERYWHERE
    ),
    Sentence(
        r"^why (did|does|would|has) (?!i\b|it\b)\w+ (play|put|lay|do|throw|use)(ed)?\b(?!.* (again|twice)$).*",
        f"Players give no reasons for what they play. {_LEVELS}",
        "playing out between watching",
    ),
    Sentence(r".*\b((bad|rude|foul) (language|words)|swear(s|ing) at|swear ?words?)\b.*", _QUIET, EVERYWHERE),
    Sentence(r"^(is|was)( (it|deal|game|that))* (fair|rigged|honest)( deal| game)?$", "fair", "record"),
    Sentence(
        r"^((so|how|that is|i am) )?(a+r+g+h*|u+r*g+h+|g+a+h+|g+r+|no{2,}|unlucky|dammit|darn|dang|ffs)$",
        _upset,
        to_others=True,
    ),
    Sentence(rf"\b({_RUDE})\b|^go away|\bdon't like\b", _upset, to_others=True),
    Sentence(
        rf"^(?!\w+$)(({_DEALT}) )*({_BAD})( (cards?|hand|deal|luck))?( again| today| ever)?$", _upset, to_others=True
    ),
    Sentence(r"^kick(?: out)? (.+)$", _kick),
    Sentence(r"^(help |how (do|can) i )?(mute|silence)( [\w-]+)?$", _mute),
    Sentence(r"^un(mute|block|ignore|silence) .+", _unmute),
    Sentence(r"^meet (some(one|body)|any(one|body)|people|others|players|strangers|friends)$", "meet", "lobby"),
    Sentence(
        r"^who is (best|(\w+ )?champ(ion)?|(number|no|nr) (one|1)|#1|winner (overall|of all)|overall winner)\b.*"
        r"|\b(leaderboard|high ?scores?|rankings?)$",
        "top",
    ),
    Sentence(
        r"^(hi|hello|hey|hallo|hola|yo|good (morning|evening|day|afternoon|game|luck)|gg( wp)?|well played"
        r"|gl( hf)?|glhf)( (all|there|everyone|everybody|guys))?$",
        _greeted,
        f"lobby {GAME}",
        to_others=True,
    ),
    Sentence(r"^i am (back )?again$", _greeted, "lobby"),
    Sentence(r"^i am (back )?again$", "back", "table"),
    Sentence(r"^(next|continue|go on|proceed|let me in|(take|bring|get) me (in(to)? )?(game|one))$", ways_on, "lobby"),
    Sentence(r"^(thanks|thank you|thn?x|ty|cheers)\b.*", _thanked, to_others=True),
    Sentence(
        r"^((that|it|game) )?((is|was|looks|sounds) )?((so|very|great|good) )*(fun|cool|nice|great|awesome)( game)?$"
        r"|^i (like|love|enjoy)( (it|game|that))?$",
        lambda context, _: f"Glad to hear that. {ways_on(context)}",
        to_others=True,
    ),
    Sentence(r"\b(kick|throw out|remove) (some(one|body)|any(one|body)|player|him|her|them)$", _REMOVE, "table"),
    Sentence(r"\b(more|other) (players|people|opponents|friends|bots)$", _MORE, "between"),
)
