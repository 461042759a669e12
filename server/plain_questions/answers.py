"""The sentences that are understood, in one table: what people say, and what it means where they are."""

import re
from typing import Final

from engine.ai import LEVELS
from engine.cards import RANK_NAMES, Rank, rank_label
from engine.events import Swapped
from engine.wording.phrases import listed, number_word, quantity, sentence_case
from engine.wording.rules_sheet import in_short, pick_up_note, rules_sheet, turn_note
from server.commands.finding import READS, another_table, company, table_waits, ways
from server.commands.registry import Context
from server.language.position_text import awaited_text, turn_text
from server.people.settings import PACES
from server.plain_questions.about_people import ABOUT_PEOPLE, OUT, PEOPLE, others, take_break
from server.plain_questions.about_results import ABOUT_RESULTS
from server.plain_questions.about_the_game import ABOUT, ABOUT_THE_GAME, about_a_card, rules_named
from server.plain_questions.about_the_screen import ABOUT_THE_SCREEN
from server.plain_questions.sentence import EVERYWHERE, GAME, RANK, Sentence, lesson_here, rules_here
from server.player.level_of_opponents import level_met
from server.player.player_session import PlayerSession


def _is_arranging(context: Context) -> bool:
    view = context.snapshot.view if context.snapshot is not None else None
    return context.place.kind == "table" and view is not None and view.phase == "arrange"


def _to_do(context: Context, _: str) -> str:
    if context.place.name == "puzzle":
        find = "Find the one move that is clearly best, and type it: where shows the table, odds the chances."
        return "turn" if context.snapshot and context.snapshot.place.guides else find
    snapshot = context.snapshot
    if snapshot is None or not snapshot.playing or context.place.kind in {"record", "watching"}:
        return "help"
    return "hint" if context.place.kind == "exercise" or (snapshot.my_turn and snapshot.hints) else "turn"


def _skip(context: Context, _: str) -> str:
    snapshot = context.snapshot
    if snapshot is None or not snapshot.playing or not snapshot.my_turn:
        return "turn"
    return f"It is your turn, and none can be skipped. {' '.join(awaited_text(snapshot))}"


def _practice(context: Context, _: str) -> str:
    is_alone = context.snapshot is not None and context.snapshot.occasion and context.snapshot.occasion.alone
    return "Once you have played it, daily again, in the lobby, deals the same cards for practice." if is_alone else ""


def _is_ready(context: Context, _: str) -> str:
    return "" if context.snapshot is not None and context.snapshot.playing else "start"


def _why_not(context: Context, _: str) -> str:
    snapshot = context.snapshot
    is_refused = isinstance(context, PlayerSession) and context.feed.refused and snapshot and snapshot.my_turn
    return "" if is_refused else "turn"  # why alone tells the reason of the refusal


def _who_starts(context: Context, _: str) -> str:
    sheet = rules_sheet(rules_here(context)).split("\n")
    return next((line for line in sheet if "starts" in line), "turn") if _is_arranging(context) else "turn"


def _stop(context: Context, _: str) -> str:
    return OUT if context.snapshot is not None and context.snapshot.playing else "leave"


def _no_hint(context: Context, _: str) -> str:
    return (
        "There are no hints in a puzzle: odds helps, and your move shows the best one."
        if context.place.name == "puzzle"
        else ""
    )


def _last_swap(context: Context) -> tuple[Rank, Rank] | None:
    """The ranks of the player's last swap that they have not taken back, hand card first; None if there is none."""
    if not isinstance(context, PlayerSession):
        return None
    swaps = list[tuple[Rank, Rank]]()
    for event in context.table.broadcaster.happened(context):
        if isinstance(event, Swapped) and event.seat == context.table.broadcaster.seat_of(context):
            given, taken = (card >> 2 for card in event.cards)
            swaps = swaps[:-1] if swaps[-1:] == [(taken, given)] else [*swaps, (given, taken)]
    return swaps[-1] if swaps else None


def _undo(context: Context, _: str) -> str:
    if _is_arranging(context):
        if (swap := _last_swap(context)) is None:
            return "No swap of yours is to be taken back: your cards lie as they were dealt."
        given, taken = swap
        told = f"the {RANK_NAMES[given]} goes back to your hand, the {RANK_NAMES[taken]} face up"
        return f"Type s {rank_label(given)} {rank_label(taken)} again: {told}."
    return "There is no undo: what is played stays played."


def _deal_again(context: Context, _: str) -> str:
    if context.snapshot is None or not context.snapshot.playing:
        return ""
    other = another_table(context, "")
    return f"This deal stays: hint makes the best of it. For another one type leave, then {other}."


def _another_game(context: Context, said: str) -> str:
    """After a game another one; before the first one another player may be meant."""
    if context.snapshot is not None and context.snapshot.occasion:
        return ""
    is_over = context.snapshot is not None and context.snapshot.view is not None and not context.snapshot.playing
    return "start" if is_over else table_waits(context) or _deal_again(context, said)


def _seats(context: Context, said: str) -> str:
    number = next(number for number in range(1, 5) if re.search(rf"\b({number}|{number_word(number)})\b", said))
    others = rf"\b(opponents?|others?|bots?|ais?|computers?|(against|vs|versus) ({number}|{number_word(number)}))\b"
    seats = number + (re.search(others, said) is not None)
    if seats not in range(2, 5):
        return ""
    game = f"play {rules_named(context, said)} {seats}".replace("  ", " ")
    if context.snapshot is None and re.match("new", said) and seats == number and not context.caller.is_alone:
        return f"new{game.removeprefix('play')}"  # they may be friends: the answer to it tells of both
    if context.snapshot is None and re.match("play|start|begin|new", said):
        return game
    if company(context):
        return _another_table(context, f"new{game.removeprefix('play')}", seats)
    first = "Type" if context.snapshot is None else "Type leave, then"
    return f"{first} {game}: a game with {number_word(seats)} seats."


def _only_people(context: Context, said: str) -> str:
    if context.caller.is_alone:
        return ""
    here = sum(each is not None and not each.is_ai for each in context.snapshot.sitters) if context.snapshot else 0
    named = (each for each in (2, 3, 4) if re.search(rf"\b({each}|{number_word(each)})\b", said))
    seats = next(named, max(2, here))
    return _another_table(context, f"new seats={seats}", seats)


def _why_no_ai(context: Context, _: str) -> str:
    return f"AI players take the seats that are free when the cards are dealt. {others(context, '')}"


def _another_table(context: Context, line: str, seats: int) -> str:
    """How a player gets a table with so many seats, along with those who sit beside them; ``line`` opens it."""
    first = "Type" if context.snapshot is None else "A table keeps its seats: type leave, then"
    along = f", which asks {listed(people, 'and')} to come along" if (people := company(context)) else ""
    return f"{first} {' '.join([line, *people])}, a table for {number_word(seats)}{along}."


def _obliged(context: Context, _: str) -> str:
    """Whether one must play, and at a table what the player can do now."""
    snapshot = context.snapshot
    is_mine = snapshot is not None and snapshot.playing and snapshot.my_turn
    now = awaited_text(snapshot) if snapshot is not None and is_mine else []
    return " ".join([*([] if _is_arranging(context) else [pick_up_note(rules_here(context))]), *now])


def _where_to(context: Context, _: str) -> str:
    return _to_do(context, "") if _is_arranging(context) else turn_note(rules_here(context))


def _begin(context: Context, _: str) -> str:
    if context.snapshot is not None and context.snapshot.playing:
        return _to_do(context, "")
    return "Type start: the cards are dealt, and AI players take the free seats. invite shows how friends come."


def _easy(context: Context, _: str) -> str:
    teaches = lesson_here(context)
    learn = f"{teaches.word} teaches it in {teaches.how_long}, and " if teaches else ""
    return sentence_case(f"{learn}your first AI players are easy; stronger ones come as you win.")


def _for_all_ages(context: Context, _: str) -> str:
    return f"Yes, for all who can read: the rules are few, and no money is played for. {_easy(context, '')}"


def _lost_track(context: Context, _: str) -> str:
    if context.place.kind == "exercise":
        return _to_do(context, "")
    teaches = lesson_here(context)
    lesson = f"; {teaches.word}, in the lobby, teaches it in {teaches.how_long}" if teaches else ""
    if context.place.name != "table":
        return f"rules tells how the game is played{lesson}."
    return f"Type hint: it proposes a move and says why; rules tells how the game is played{lesson}."


def _learn(context: Context, _: str) -> str:
    teaches = lesson_here(context)
    if context.place.kind == "shell":
        learn = f"; ssh -t HOST {teaches.word} teaches it in {teaches.how_long}" if teaches else ""
        return f"{' '.join(in_short(rules_here(context)))} ssh HOST alone, then Enter, begins a game{learn}."
    if teaches is None or context.snapshot is None:
        return teaches.word if teaches else ""
    return f"Here hint says what to do. In the lobby {teaches.word} teaches the game in {teaches.how_long}."


def _level(context: Context, said: str) -> str:
    if context.place.name == "puzzle":
        return "Puzzles get harder as you solve them."
    if re.search(_AGAIN, said) and not (context.snapshot is not None and context.snapshot.playing):
        return ""
    if not isinstance(context, PlayerSession):
        return "In the lobby set level changes how well AI players play."
    levels, now = [*LEVELS], level_met(context)
    is_wish = re.search(r"easier|(?<!too )(easy|simple)|too (hard|difficult|strong|good)", said)
    at = levels.index(now) + (-1 if is_wish else 1)
    if not 0 <= at < len(levels):
        end = "easiest" if is_wish else "strongest"
        return f"Your AI players are {now} already, the {end} there are: hint proposes a move at a table."
    return f"Your AI players are {now} now: type set level {levels[at]}."


def _pace(context: Context, said: str) -> str:
    complained = re.search(r"\b(too|is|are) (fast|slow)\b", said)
    is_slower = complained[2] == "fast" if complained else "slow" in said
    set_to = context.settings.pace if isinstance(context, PlayerSession) else None
    now = context.lobby.config.pace if set_to is None else set_to
    wanted, end = (min(max(4, now + 2), PACES[1]), "longest") if is_slower else (PACES[0], "shortest")
    if now == wanted:
        return f"AI players wait {now:g} seconds before each move, the {end} there is."
    return f"Type set pace {wanted:g}: AI players then wait {wanted:g} seconds before each move, and now {now:g}."


def _go_on(context: Context, _: str) -> str:
    return f"{sentence_case(ways(context).strip())}."


def _thanked(context: Context, _: str) -> str:
    return f"You are welcome. {_go_on(context, '')}"


def _greeted(context: Context, said: str) -> str:
    good = "Good game!" if re.match("g[gl]|good (game|luck)|well", said) else f"Hello, {context.player.name}."
    only_ai = " AI players do not talk." if context.snapshot is not None else ""
    return f"{good}{only_ai} {_go_on(context, '')}"


def _next_deal(context: Context, _: str) -> str:
    snapshot, left = context.snapshot, context.scene.clock_left
    if snapshot is None or snapshot.playing:
        return ""
    if left is not None:
        return f"Yes: the cards are dealt in {quantity(left, 'second')}."
    return "No: it begins if somebody at the table types start."


def _reading(context: Context, _: str) -> str:
    """A player who reads wants no other game now."""
    snapshot = context.snapshot
    if context.place.kind == "table" and snapshot is not None and snapshot.agreed:
        return "decline"
    return "Read on: a page stays until you press Enter, and another game waits a minute for you."


def _my_cards(context: Context, _: str) -> str:
    snapshot = context.snapshot
    if context.place.name != "table" or snapshot is None or not snapshot.my_turn:
        return _lost_track(context, "")
    return f"{' '.join(awaited_text(snapshot))} hint proposes a move, rules tells what each card does."


def _what_to_type(context: Context, _: str) -> str:
    return "turn" if context.snapshot is not None and context.snapshot.my_turn else _go_on(context, "")


def _tips(context: Context, _: str) -> str:
    teaches = lesson_here(context)
    learn = f"{teaches.word} teaches the game in {teaches.how_long}; " if teaches else ""
    return sentence_case(f"{learn}at a table hint proposes a move and says why.")


def _little_time(context: Context, _: str) -> str:
    if context.snapshot is not None:
        return take_break(context, "")
    return "play 2 begins a short game; if you quit before its end, your seat is kept."


def _time(context: Context, _: str) -> str:
    """How long a turn may last: what is left of the one that is played, if a clock runs."""
    if context.snapshot is None or (left := context.scene.clock_left) is None:
        return _TIME
    return f"{turn_text(context.snapshot, left)} {_RUN_OUT}"


def _let_us_begin(context: Context, said: str) -> str:
    if _is_arranging(context):
        return _READY
    return _to_do(context, said) if context.snapshot is not None and context.snapshot.playing else ""


_RUN_OUT: Final = "If a player's time runs out, an AI player plays for them until they type back."
_NOT_PLAYED: Final = "You play each move yourself: hint proposes one. If you quit, an AI player plays on for you."
_END_OF_LESSON: Final = "Type leave to end it: then Enter begins a game. skip goes to the next step."
_PLAY: Final = "Type play: it begins a game, and hint proposes a move whenever you want one."
_QUIETER: Final = "For fewer lines type set tips off; Enter alone says only whose turn it is, and what can be played."
_READY: Final = "ready ends your arranging: when all are ready, the cards in hand are played."
_CLOCK: Final = "A game with others has a clock: in the lobby new clock=300 gives long turns. Alone there is none."
_TIME: Final = "Alone you may take your time; with other people a turn has some seconds, which the table shows."
_STRATEGY: Final = (
    r"^(any |some |good |basic |give me |do you have |what is |is there )*(best |good )?"
    r"((winning )?strat(s|egy|egies)?|tips?|tricks?|tactics?|advice)( (and )?(strategy|tips|tricks))?"
    r"( (for|on) (beginners?|newbies|game|winning))?$|^(what is )?best way win$|^how (do|can) i win against\b.*"
)
_AGAIN: Final = r"\b(again|rematch|another|one more|next)\b"
_BAD: Final = "bad|terrible|awful|horrible"
_BOTS: Final = "((ai|computer) players?|bots?|ais?|robots?|computers?)"

SENTENCES: Final = (
    *ABOUT_THE_GAME,
    *ABOUT_THE_SCREEN,
    *ABOUT_RESULTS,
    *ABOUT_PEOPLE,
    # What to do.
    Sentence(r"^(what|which)( cards?)? (goes|go|is allowed) (where|on what|on which)", _where_to),
    Sentence(r"^(skip|pass)( my| turn)* (turn|go)$|^skip( \w+)?$|^(i )?check$", _skip, "table"),
    Sentence(r"^(exit|quit|end|stop|close|leave) (lesson|tutorial|puzzle|it)$", "leave", "exercise"),
    Sentence(r"^next$|^n$", lambda context, _: "skip" if context.place.name == "lesson" else "", "exercise"),
    Sentence(
        r"^(can|let|may|how do) (i|me) skip\b.*",
        lambda context, _: "skip" if context.place.name == "lesson" else "next",
        "exercise",
    ),
    Sentence(r"^(what|which) is( it)?( about)?$", _to_do, "exercise"),
    Sentence(r"^(give me |i (need|want) |any )?clue$", lambda *here: _no_hint(*here) or "hint", "exercise"),
    Sentence(r"^(go )?back$", lambda context, _: "leave" if context.place.name == "puzzle" else "", "exercise"),
    Sentence(r"^prev(ious)?( one)?( move)?$", "back", "record"),
    Sentence(r"^(?:go )?back (\d+)( moves?)?$", r"back \1", "record"),
    Sentence(r"^(?:go|jump|skip) (?:move )?(\d+)$", r"move \1", "record"),
    Sentence(
        r"^((go|play|replay|watch|start)( it| that| game)? )?(back|from) (from )?(start|beginning)$"
        r"|^replay (it|that|game)( again)?$|^(again|start over|restart|play( it)? again)$",
        "move 0",
        "record",
    ),
    Sentence(r"^(stop|pause|halt)( it| playing)?$", "It stays at this move: play goes on, leave goes back.", "record"),
    Sentence(
        r"^(play|watch|show|run)( it| on| all| game| everything)$",
        lambda context, _: "play" if context.place.name == "replay" else "",
        "record",
    ),
    Sentence(
        r"^(show |see )?(me )?how (did|has) .*\b(win|won|lose|lost|end|finish)(ed)?\b.*",
        lambda context, _: "end" if context.place.name == "replay" else "",
        "record",
    ),
    Sentence(r"^(ok|okay|yeah|yep|sure|alright|all right|fine|understood|i see)$", _to_do, "exercise"),
    Sentence(
        r"^(what|which)\b.* (other|different|new) cards\b.*",
        "Each step has cards of its own: hint says what to type.",
        "exercise",
    ),
    Sentence(
        r"^(who|did i|have i|am i)\b.* (won|win|winning)$",
        "Nobody wins here: it is an exercise, and leave goes back.",
        "exercise",
    ),
    Sentence(
        r"^(hi|hello|hey|hallo|hola|yo|good (morning|evening|day|afternoon|game|luck)|gg( wp)?|well played"
        r"|gl( hf)?|glhf)( (all|there|everyone|everybody|guys))?$",
        _greeted,
        f"lobby {GAME}",
        to_others=True,
    ),
    Sentence(
        r"^(call|raise|bet|bid|all in|meld|knock|snap|trump|stand|stay|double|split|attack)( \d+)?$",
        "That is of another game: here you play cards of one rank, or pick up the pile; turn shows which can go.",
        "table exercise",
        to_others=True,
    ),
    Sentence(
        rf"^(?:select|choose|use|click|tap|pick)(?: card| my)? ({RANK})s?$",
        r"Type \1 alone: a rank plays that card.",
        "table exercise",
    ),
    Sentence(
        r"^(what|which)( next| cards?| one| move)?$|^how do i swap|\bno (idea|clue)\b.*"
        r"|^what .*\b(have|need|must|should|supposed|do|can)( you| i)? do\b.*",
        _to_do,
    ),
    Sentence(r"^(what|how) .*\bi\b.*\b(type|do|play)\b|\bdon't know\b", _to_do, "exercise"),
    Sentence(
        r"^(?!how|what|play$).*\b(play|start|begin)( (real|game|it))*$|\b(enough|already|(know|get) (it|rules))\b.*",
        _END_OF_LESSON,
        "exercise",
    ),
    Sentence(
        r"^(lay|play|use|put|move|swap|discard)( down)? my (best|worst|lowest|highest|strongest|weakest|good|bad)\b.*",
        "hint",
        "table",
    ),
    Sentence(
        r"^(what|which) (is|are) (good|best|strong|strongest) cards?$|"
        r"^(what|which) cards? (is|are) (good|best|right|strong|strongest)$|"
        r"\b(good|best|right|clever) (card|move|play|option|choice)\b|\bcards? should i .*|\bsuggestions?$",
        "hint",
        "table",
    ),
    Sentence(r"^(what )?should i\b.*|\b(have|need|get|give|use) hint\b.*", "hint", "table"),
    Sentence(rf"^what (should|do) (?!i |{ABOUT} ).+ (do|play)$", "hint", "table"),
    Sentence(
        rf"^can i (?:play|put|lay|use)(?: down)?(?: my)? ({RANK})s?(?: on\b(?! .*\b({RANK})s?\b).*)?$",
        r"why \1",
        "table exercise",
    ),
    Sentence(rf"^can i (?:play|put|lay|use)(?!.* on .*\b({RANK})s?\b).*\b({RANK})s?\b.*", about_a_card, "lobby"),
    Sentence(
        r"^do i( have| need)+( (play|use|put|lay|take|pick|go)\b.*)?$"
        r"|^(i'd|i'll|i|i should) rather\b.*|^(i don't|i do not) want (play|use|put|lay)\b.*",
        _obliged,
        "table exercise",
    ),
    Sentence(
        r"^(but |so )?(i |there is )?(have |has |got |have got )?(nothing|no cards?|none)\b.*"
        r" (fits?|goes|go|works?|match(es)?|play|can)\b.*",
        _obliged,
        "table exercise",
    ),
    Sentence(r"^.*\bfor (\w+ )?(kids?|child(ren)?|famil(y|ies)|teenagers?)\b.*|^(what age|how old)\b.*", _for_all_ages),
    Sentence(
        r"^((give|get|show) me |i (want|need|like) |play |let's )?((something|anything|bit|one|game|it) )+"
        r"(\w+ )?(eas(y|ier)|simpler?|hard(er)?|difficult)( .*)?$",
        _level,
    ),
    Sentence(
        r"\bi cannot (play|go|beat)\b|\bi (have nothing|don't have any(thing)?)( play)?$"
        r"|\bi can play$|\bwhat can i play\b|\bmy (options|choices)\b",
        "turn",
        "table exercise",
    ),
    Sentence(
        r"^why (cannot i|can i not|can't i) (play|go|put|lay)( that| it| cards?| anything| my| lowest| highest)*$",
        _why_not,
        "table",
    ),
    Sentence(r"^(i am )?(ready|start)$", "play", "lobby"),
    Sentence(r"^(i am )?ready (when|if) (you|everyone|everybody)( are| is)?$", _is_ready, "table", to_others=True),
    Sentence(r"^(let's |i want )?(play )?(another|one more)( one| game| time| round)?$", _another_game, "table"),
    Sentence(
        r"^(wait|hold on|not yet|another|one more)\b.*|"
        r"\b(another|(one|two) more|someone|somebody) (\w+ )?(friend|person|people|player|seat|one|guest)s?\b.*",
        lambda context, _: table_waits(context),
        "table",
        to_others=True,
    ),
    Sentence(
        r"^(am i|is it|i am) (me|next|first)$|^is it my (turn|go)\b.*|^(can|must|will) i (take|pick|eat)\b.*"
        r"|^can i (go|play|start|begin|move)( yet| first)?$",
        "turn",
        "table",
    ),
    Sentence(
        r"^who( is| goes| plays| comes)? (next|first|after me)$|"
        r"^what is (going on|happening)$|^what (is|are) (he|she|it|they|\w+) (doing|waiting|thinking)( for| about)?$"
        r"|^why (is it|am i) (my turn|next|first)$",
        "turn",
        GAME,
    ),
    Sentence(r"^((whose|who is) (turn|go|move)\b.*|who plays)$", "turn", GAME),
    Sentence(r"^who (starts|begins|(goes|is|plays) first)$", _who_starts, GAME),
    Sentence(r"^what (is|are) (other|others|other players|everyone|every(body|one) else) doing$", "where", GAME),
    Sentence(r"^what (does|is) ready( do| mean| for)?$", _READY, "table"),
    Sentence(
        r"^(i )?(don't|do not|won't|no)\b.* (swap(ping)?|change|arrange)\b.*",
        lambda context, _: _READY if _is_arranging(context) else "",
        "table",
    ),
    Sentence(
        r"^(and |but )?(i )?cannot( (do|move|go on|continue|choose|decide)( it| this| that| anything)?)?$",
        "turn",
        "table exercise",
    ),
    Sentence(
        r"\b(doesn't|does not|didn't|not|nothing|won't) work(s|ing)?$|\bnothing happen(s|ed)$"
        r"|\b(is|are) \w+ (thinking|waiting)\b.*",
        "turn",
        "table exercise",
        to_others=True,
    ),
    Sentence(r"^(hint|(show |what is |give )?(me )?(solution|answer|best move)|(i )?give up)$", _no_hint, "exercise"),
    Sentence(r"^stop$", _stop, "table"),
    Sentence(r"\b(without|no|stop|off|disable|turn off)( a)? clock$", _CLOCK, "lobby table"),
    Sentence(
        r"\b(don't|do not|didn't) (understand|get (it|that))|\bconfused\b|\bi am lost\b|^what does( it| that)? mean$",
        _lost_track,
    ),
    Sentence(
        r"\bconfusing\b|\bmakes no sense\b"
        r"|^(i )?(have |am )?(idk|dunno|don't know|no (clue|idea)|not sure|unsure|clueless)$",
        _lost_track,
        to_others=True,
    ),
    Sentence(r"^(huh|wtf|eh)$", _lost_track, "exercise"),
    Sentence(r"^i am (\w+ )?(bad|terrible|awful|hopeless|rubbish|useless)\b.*", _lost_track, to_others=True),
    Sentence(r"^can i (try|play|do) (it |that )?again\b.*", _practice, GAME),
    Sentence(r"\b(don't|didn't) (understand|get|know)\b.* cards?$", _my_cards),
    Sentence(r"^i am stuck\b", _lost_track, "lobby watching exercise record"),
    Sentence(r"^(can you )?teach me\b|\bnever played\b", _learn),
    Sentence(
        r"^how$|\b(how|where)\b(?! many)(?!.*\btournament).*\b(play|works?|start(ed)?|begin|join)\b",
        _learn,
        "lobby shell",
    ),
    Sentence(r"^(how|when)\b.*\b(start|begin)\b", _begin, "table"),
    Sentence(r"^(is|are) .*\b(hard|difficult|easy|complicated)\b.*", _easy),
    Sentence(r"\b(which|what) keys\b|\bcontrols\b|\bshortcuts?\b|\bhotkeys?\b|\bmouse\b|\bi press\b", "help typing"),
    Sentence(r"^what (do|can|should|must) i (type|write|enter)( next)?$", _what_to_type, "lobby table watching"),
    Sentence(_STRATEGY, _tips, "lobby shell"),
    Sentence(_STRATEGY, "hint", "table"),
    Sentence(r"^how long (is|does|takes?|will) (lesson|tutorial|it take learn)\b.*", _tips, "lobby shell"),
    Sentence(r"\b(only have|have only|got only|only got) .*\bmin(ute)?s?$", _little_time, "lobby table"),
    Sentence(
        r"^i am( in)?$", "play begins a game; sit and its number takes a seat at a table.", "lobby", to_others=True
    ),
    Sentence(
        r"^(can|do|is|am|would|will|((how|why|when|where|what) )?(can|do|does)|what (if|about)) (i|you|it|there|one)$"
        r"|^(how|why) (can|do|does)$|^what (if|about)$",
        "Ask the whole question, as in what does a 10 do; help lists what can be typed.",
        to_others=True,
    ),
    # Another deal, other opponents.
    Sentence(r"^can i (take|get) .*\bback\b.*", _undo, GAME),
    Sentence(
        r"\b(undo|unswap)\b|\btake (that|it|swap)? ?back\b|^swap back\b|^takeback|\bwrong (card|move|key|one|thing)\b",
        _undo,
    ),
    Sentence(r"\b(made mistake|misclick|typo)$|^i didn't mean\b|\bgo back (one|\w+ move)$", _undo),
    Sentence(
        r"^(?:can i )?(restart|reset|start (over|again)|(start |play )?(new|another) (game|deal|round))\b", _deal_again
    ),
    Sentence(
        rf"\b({_BAD}|other|new) cards?\b|\bdon't (want|like|need)\b.* cards$|\bcards? (are|is) ({_BAD})\b", _deal_again
    ),
    Sentence(r"^(re)?(deal|shuffle) again\b|^redeal\b|^mulligan$", _deal_again),
    Sentence(
        rf"^(?:(?:start|begin|new|play|with|against|i|i'd|want|need|like|should|have|let's|give|me|get|deal) )*"
        rf"({'|'.join(LEVELS)}) (?:game|match|round|opponents?|{_BOTS})$",
        r"play \1 players",  # which names no level of the table, and so brings no rule
        "lobby",
    ),
    Sentence(rf"^(?:set )?difficulty ({'|'.join(LEVELS)})$", r"set level \1"),
    Sentence(r"^(?:with )?([2-4]|two|three|four) players?(?: game)?$", r"play \1", "lobby"),
    Sentence(r"^game (?:of|for|with) ([2-4]|two|three|four)$", r"play \1", "lobby"),
    Sentence(r"^game (of|for|with) ([2-4]|two|three|four)$", _seats, "table"),
    Sentence(r"^seats ([2-4])$", r"play \1", "lobby"),
    Sentence(r"^seats [2-4]$", _only_people, "table"),
    Sentence(
        rf"\b(two|three|four) of us\b|\bus (two|three|four)$|\b(no|without)( any)? {_BOTS}$|^only (us|people|humans)$"
        r"|^(start|begin|play) with .+ only$|^(start|begin|play) (with )?only\b.*|^only .+ and me$|^only me and .+",
        _only_people,
        "lobby table",
    ),
    Sentence(rf"^why\b.*\b(no|not|without)( any)? {_BOTS}\b.*", _why_no_ai, "table"),
    Sentence(
        r"^(?=.*\b(play|start|begin|make|new|games?|tables?|with|against|for|want|need|only)\b|\w+ \w+$)"
        r".*\b([1-4]|one|two|three|four) (players?|people|opponents?|others?|bots?|ais?|computers?)\b"
        r"|^(against|vs|versus) ([1-3]|one|two|three)$",
        _seats,
    ),
    Sentence(rf"{_AGAIN}.*\b({'|'.join((*LEVELS, 'harder', 'easier'))})", r"again \2", "table lobby"),
    Sentence(
        rf"^(?!.*\b(cards?|{RANK})s?\b).*\btoo (easy|hard|difficult|strong|good|weak)\b"
        r"|\b(easier|harder)\b|\b(what|which|my) level\b",
        _level,
    ),
    Sentence(
        r"\b(too|is|are) (fast|slow)\b|\bslow(er)?( it)? down\b|^.*\bslower$|^.*\bfaster\b(?! than)"
        r"|\bspeed (it )?up\b",
        _pace,
    ),
    Sentence(r"\btak(es?|ing) (\w+ )?(long|forever|ages)\b", _pace, "table"),
    Sentence(
        r"^.*\b(slower|faster)\b(?! than)|\bspeed (it )?up\b",
        "Type play and the seconds for a move, as in play 0.5; Down goes ten moves on.",
        "replay record",
    ),
    Sentence(
        r"^add ([2-4]|two|three|four|some|more|all)\b.*",
        "add seats one AI player each time; start seats them in all free seats, and deals.",
        "table",
    ),
    Sentence(
        rf"^{_BOTS} only$|^(only |vs |against |with )+{_BOTS}$|^(another|one more)( one| time)?$", "play", "lobby"
    ),
    Sentence(r"^(?:connect|follow)(?: with)? (\S+)$", r"sit \1", "lobby watching"),
    Sentence(r"^multi player\b.*|^(co.?op|pvp|versus)( mode)?$", PEOPLE, "lobby"),
    Sentence(r"^what (happens )?if i (do|play|type) nothing$", _TIME, "table"),
    Sentence(r"^i (don't|do not) (want|need|like) (learn|lesson|tutorial)\b.*", _PLAY, "lobby"),
    Sentence(r"^(what is |who has )?(high|highest|best) scores?$", "top", "lobby shell"),
    Sentence(r"\btime limit\b|^how (much time|long (do i have|is my turn)|long (has|does) \w+ (got|have)$)\b.*", _time),
    Sentence(r"^what (happens|if)\b.*\b(time|clock)( \w+)? (out|up|over|ends?)$", lambda *_: f"{_TIME} {_RUN_OUT}"),
    Sentence(r"^(let (us|i|me)|let's) (begin|start|go|play)$", _let_us_begin, "table"),
    Sentence(
        r"^i am (back )?again$",
        lambda context, said: _greeted(context, said) if context.place.kind == "lobby" else "back",
        "lobby table",
    ),
    Sentence(r"\bplay (it )?for me\b|\bauto.?play\b", _NOT_PLAYED, "table"),
    Sentence(READS.pattern, _reading, EVERYWHERE, to_others=True),
    Sentence(
        r"^(is (it|game) |are you |am i )?(start|begin|deal)(ing|s)?( game)? soon$",
        lambda context, _: _next_deal(context, "") or ("turn" if context.snapshot else _PLAY),
        "lobby table watching",
        to_others=True,
    ),
    Sentence(
        r"^(stop|less|fewer|don't|too (much|many))\b.*\b(read\w*|text|lines|words|talk\w*|output)\b|\bverbose\b",
        _QUIETER,
    ),
    Sentence(
        r"\bnext (game|deal|round)\b.* (start|begin|deal\w*)\b|\b(start|begin|deal)s? (by itself|automatically)\b",
        _next_deal,
        "table",
    ),
    Sentence(r"^(next|continue|go on|proceed)$", _go_on, "lobby"),
    Sentence(r"^(thanks|thank you|thx|ty|cheers)\b.*", _thanked, to_others=True),
    Sentence(r"\bhurry\b|\bcome on\b", _pace, to_others=True),
)
"""Their order means nothing: `meaning` says which one counts if several fit."""
