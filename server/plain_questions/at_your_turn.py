"""What people say if they do not know what to do, whose turn it is, or what they can play."""

from typing import Final

from engine.ai.explain import Suggestion, reason_for_move
from engine.cards import RANK_NAMES, Rank, rank_label
from engine.events import Swapped
from engine.moves import Play, pick
from engine.wording.phrases import number_word, sentence_case
from engine.wording.rules_sheet import pick_up_note, turn_note
from engine.wording.typed_moves import typed_form
from server.commands.registry import Context
from server.language.parsing import RANK_WORDS, parse_typed_move
from server.language.position_text import turn_text
from server.plain_questions.about_the_cards import ABOUT, about_a_card, from_where, in_rules
from server.plain_questions.sentence import (
    EVERYWHERE,
    GAME,
    IN_GAME,
    NEWCOMER,
    RANK,
    Sentence,
    and_now,
    noted,
    places_of,
    rules_meant,
    taught,
    view_here,
    ways_on,
)
from server.player.player_session import PlayerSession

_RUN_OUT: Final = "If a player's time runs out, an AI player plays for them until they type back."
_NOT_PLAYED: Final = "You play each move yourself: hint proposes one. If you quit, an AI player plays on for you."
_READY: Final = "ready ends your arranging, with or without a swap: when all are ready, the cards in hand are played."
_TIME: Final = "Alone you may take your time; with other people a turn has some seconds, which the table shows."
_AHEAD: Final = "No move is made ahead: type it when it is your turn."
_STRATEGY: Final = (
    r"^(any |some |good |basic |give me |do you have |what is |is there )*(best |good )?"
    r"((winning )?strat(s|egy|egies)?|tips?|tricks?|tactics?|advice)( (and )?(strategy|tips|tricks))?"
    r"( (for|on) (beginners?|newbies|game|winning))?$|^(what is )?best way win$"
    r"|^how (do|can) i win (against|more|faster|often|easily|next)\b.*"
)


def to_do(context: Context, _: str = "") -> str:
    """The line that tells the player what to do."""
    if context.place.name == "puzzle":
        find = "Find the one move that is clearly best, and type it: where shows the table, odds the chances."
        return "turn" if context.snapshot and context.snapshot.place.guides else find
    snapshot = context.snapshot
    if snapshot is None or not snapshot.playing or context.place.kind in {"record", "watching"}:
        return "help"
    return "hint" if context.place.kind == "exercise" or (snapshot.my_turn and snapshot.hints) else "turn"


def _after_me(context: Context, _: str) -> str:
    snapshot = context.snapshot
    if snapshot is None or snapshot.view is None or snapshot.seat not in (order := snapshot.view.order):
        return "turn"
    at = order.index(snapshot.seat)
    names = [snapshot.name(seat) for seat in (*order[at + 1 :], *order[:at]) if seat not in snapshot.view.places]
    return f"After you: {', '.join(names)}."


def _skip(context: Context, _: str) -> str:
    now = and_now(context, "")
    return f"It is your turn, and none can be skipped. {now}" if now else "turn"


def _why_not(context: Context, _: str) -> str:
    snapshot = context.snapshot
    is_refused = isinstance(context, PlayerSession) and context.feed.refused and snapshot and snapshot.my_turn
    return "" if is_refused else "turn"  # why alone tells the reason of the refusal


def _rather(context: Context, said: str) -> str:
    """Why the move that was proposed is better than a play of the rank that stands last; else what `why` says of it."""
    word, view = said.rpartition(" ")[2], view_here(context)
    hinted = context.feed.hinted if isinstance(context, PlayerSession) else ""
    best = parse_typed_move(hinted, view) if hinted and view is not None else None
    rank = pick(RANK_WORDS.get(word, word.removesuffix("s"))).rank
    others = [each for each in _plays(context) if each != best and each.picks[0].rank == rank]
    is_same = isinstance(best, Play) and best.picks[0].rank == rank
    if view is None or best is None or is_same or not others:
        return f"why {word}"
    return Suggestion(best, reason_for_move(view, best, others[-1]) or "in trial games it does better").details


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
    if "arranging" in places_of(context):
        if (swap := _last_swap(context)) is None:
            return "No swap of yours is to be taken back: your cards lie as they were dealt."
        given, taken = swap
        told = f"the {RANK_NAMES[given]} goes back to your hand, the {RANK_NAMES[taken]} face up"
        return f"Type s {rank_label(given)} {rank_label(taken)} again: {told}."
    return "There is no undo: what is played stays played."


def _obliged(context: Context, said: str) -> str:
    """Whether one must play or pick up, and at a table what the player can do now."""
    return and_now(context, "" if "arranging" in places_of(context) else pick_up_note(rules_meant(context, said)))


def _cannot_go(context: Context, said: str) -> str:
    """What happens with a card that cannot go: a face-down one comes to the hand, too."""
    view = view_here(context)
    is_last = view is not None and view.seat is not None and not (view.hands[view.seat] or view.ups[view.seat])
    return (from_where if is_last or "face down" in said else _obliged)(context, said)


def _lost_track(context: Context, _: str) -> str:
    if context.place.kind == "exercise":
        return to_do(context, "")
    lesson = taught(context, "; {}, in the lobby, teaches it in {}")
    if context.place.name != "table":
        return f"rules tells how the game is played{lesson}."
    return and_now(context, f"Type hint: it proposes a move and says why; rules tells how the game is played{lesson}.")


def _plays(context: Context) -> list[Play]:
    """What cards the player can play now."""
    return [move for move in (context.snapshot.legal if context.snapshot else ()) if isinstance(move, Play)]


def _so_many(context: Context, said: str) -> str:
    """How so many cards of one rank are played, if the player can: a player who has no such cards means the rank."""
    number = said.rsplit(maxsplit=1)[-1]
    plays = [move for move in _plays(context) if number_word(len(move.picks)) == number]
    return f"Yes, of one rank: type {typed_form(plays[0])}. why {number} tells of the rank." if plays else ""


def _tips(context: Context, _: str) -> str:
    return sentence_case(
        taught(context, "{} teaches the game in {}; ") + "at a table hint proposes a move and says why."
    )


def _time(context: Context, _: str) -> str:
    """How long a turn may last: what is left of the one that is played, if a clock runs."""
    if context.snapshot is None or (left := context.scene.clock_left) is None:
        return _TIME
    return f"{turn_text(context.snapshot, left)} {_RUN_OUT}"


AT_YOUR_TURN: Final = (
    Sentence(r"^(what|which)( cards?)? (goes|go|is allowed) (where|on what|on which)", noted(turn_note)),
    Sentence(r"^(what|which)( cards?)? (goes|go|is allowed) (where|on what|on which)", to_do, "arranging"),
    Sentence(r"^(can i )?(skip|pass|end|finish)( my| turn)* (turn|go)$|^skip( \w+)?$|^(i )?check$", _skip, "table"),
    Sentence(
        r"^(can i )?(call|raise|bet|bid|all in|meld|knock|snap|trump|stand|stay|double|split|attack)( \d+)?$"
        r"|\b(rake|nuts|ante|pot|flop|river|bluff|buy.?in|slow.?play|flush|full house|bet)\b",
        "That is of another game: here you play cards of one rank, or pick up the pile. rules tells it all.",
        to_others=True,
    ),
    Sentence(
        rf"^(?:i\S* (?:want|take)|select|choose|use|click|tap|pick)(?: card| my)? ({RANK})s?$"
        rf"|^how (?:do|can|shall|should) i (?:play|put|lay|use)(?: down)?(?: my)? ({RANK})s?$",
        r"Type \1\2 alone: a rank plays that card.",
        "playing exercise",
    ),
    Sentence(r"^(what|which)( next| cards?| one| move)?$|\bno (idea|clue)\b.*", to_do),
    Sentence(r"\b(know|sure) wh\w+( \w+)* (do|choose|play)$", to_do),
    Sentence(r"^what .*\b(have|need|must|should|supposed|do|can)( you| i)? do\b.*", to_do),
    Sentence(
        r"^(lay|play|use|put|move|swap|discard)( down)? my (best|worst|lowest|highest|strongest|weakest|good|bad)\b.*"
        r"|^(what|which) ((is|are) (good|best) cards?|cards? (is|are) (good|best|right))$"
        r"|\b(good|best|right|clever) (card|move|play|option|choice|line)\b|^(evaluate|analy[sz]e)\b.*"
        r"|\b(cards?|ones?) should i .*|\b(suggest|recommend)(ions?|( \w+)* (card|move|something))$"
        r"|^(which|what)( one)? is (good|better|best)( card| play)*$|^is (it )?better\b.* or .*"
        r"|^(how good )?(is|are) my (cards?|hand|position)( (good|bad|ok|okay))?$|^(what )?should i\b.*"
        rf"|\b(have|need|get|give|use) hint\b.*|^({RANK})s? or (my )?({RANK})s?$",
        "hint",
        "table",
    ),
    Sentence(rf"^what (should|do) (?!i |{ABOUT} ).+ (do|play)$", "hint", "table"),
    Sentence(rf"^why not (?:(?:play|put|lay|use|my|two|both|that|is|rather) )*(?:{RANK})s?$", _rather, "table"),
    Sentence(
        rf"^can i (?:play|put|lay|use)(?: down)?(?: my)? ({RANK})s?(?: on\b(?! .*\b(?:{RANK})s?\b).*)?$"
        rf"|^why (?:cannot|can i not|can't|don't|won't|is my|isn't)\b.* ({RANK})s?(?: (?!on\b)\w+){{0,2}}$"
        rf"|^(?:it|game|you|they) (?:won't|doesn't|don't|refuses?|isn't)\b.* ({RANK})s?$",
        r"why \1\2\3",
        "table exercise",
    ),
    Sentence(
        rf"^can i (?:play|put|lay|use)(?!.* on .*\b({RANK})s?\b|.* (?:from|off) table$).*\b({RANK})s?\b.*",
        about_a_card,
        "lobby",
    ),
    Sentence(
        r"^i (have|must|need) (take|pick|eat)\b.*|^do i( have| need)+(?!.*\b(all|both|every|higher)\b)"
        r"( (play|use|put|lay|take|pick|go|beat|turn|flip)\b(?!.* (at once|together)$).*)?$"
        r"|^(i'd|i'll|i|i should) rather\b.*|^(i )?don't( want)? (play|use|put|lay)\b.*"
        r"|^(i |there is )?((have|has|got) )*(nothing|no cards?|none)\b.* (fits?|go(es)?|works?|match|play|can)\b.*"
        r"|^i (don't|cannot) (have|hold|beat)\b.*\b(card|higher)\b.*|^(all )?(my )?cards are too (low|small)$",
        _obliged,
        "table exercise",
    ),
    Sentence(
        r"^(can|must|will|do|is|what happens (if|when))( i| you)?( have| need)? (take|pick(ing)?|eat)\b"
        r"(?!.* (back|easier|harder)\b).*"
        r"|^why (did|do|does|must|has) (?!i (pick|take|took)|it)\w+ (\w+ )?(pick|pickup|take|took|taken)\b.*"
        r"|\bdo i (have|need) play\b|\b(can|how do) i (pass|skip)\b|\bmust i play\b",
        _obliged,
    ),
    Sentence(
        r"^(what|if|when|do i)\b.*\b((doesn't|don't|cannot|can i not|won't|not) (fit|go|match|work|beat|play)"
        r"( (it|anything|cards?))*|too (low|small)|lower|is wrong|(bad|wrong) (card|one))$",
        _cannot_go,
        EVERYWHERE,
    ),
    Sentence(
        r"\bi cannot (play|put|lay|go|beat)\b|^what( number)?( (must|do|is|have|need|can|i|it))* (beat|type|number)$"
        r"|\bi ((have|got) nothing|don't have any(thing)?)( (play|good|useful|left|high(er)?|enough|better))*$"
        r"|\bi can (play|put|lay|use)$|\bwhat can i (play|put|lay)\b|\bmy (options|choices)\b|\b(legal|possible) moves$"
        r"|^how (do|can) i (open|flip|reveal|turn|choose|pick(?! up)|select|decide)\b(?! o).*"
        r"|^(can|must|do) i\b.* order$"
        r"|^(and |but )?(i )?cannot( (do|move|go on|continue|choose|decide)( it| this| that| anything)?)?$",
        "turn",
        "table exercise",
    ),
    Sentence(
        r"^why (cannot i|can i not) (play|go|put|lay)( that| it| cards?| down| anything| my| lowest| highest)*$",
        _why_not,
        "table",
    ),
    Sentence(
        r"^(am i|is it|i am) (me|next|first)$|^((is it|it is) )?my (turn|go)\b.*|^is (it )?[\w']+ turn$",
        "turn",
        "table",
    ),
    Sentence(r"^can i (go|play|start|begin|move)( yet| first)?$", "turn", "table"),
    Sentence(
        r"^when (is|am|will|do|can|comes?)( it)? ((i|my) (turn|go|play|next|be)|me)\b(?!.* face).*", "turn", "table"
    ),
    Sentence(r"^who( is| goes| plays| comes)? (next|first)$|^(is|are) .+ ready( yet)?$", "turn", GAME),
    Sentence(r"^what (is (going on|happening)|happens( next| then| after)?)$|^how long\b.* wait\b.*", "turn", GAME),
    Sentence(r"^what is (going on|happening)( (in )?lobby)?$", ways_on, "lobby"),
    Sentence(
        r"^(is|it is)( it| game)* (broken|stuck|frozen|dead|hanging|crashed)$|^(it )?isn't moving$",
        "turn",
        GAME,
        to_others=True,
    ),
    Sentence(r"^what (is|are) (he|she|it|they|\w+) (doing|waiting|thinking)( for| about)?$", "turn", GAME),
    Sentence(r"^why (is it|am i) (my turn|next|first)$|^why (do|must|should|am) i\b.* wait(ing)?\b.*", "turn", GAME),
    Sentence(r"^who (is|are|has|have|do|does)\b.* (wait(ing|ed)?|holding|slow|not)\b.*|^who \w+n't\b.*", "turn", GAME),
    Sentence(r"^who( is| goes| plays| comes)? (after|before|behind|next to) (i|me)$", _after_me, GAME),
    Sentence(r"^((whose|who is) (turn|go|move)\b.*|who plays|who (must|should|can) (play|go|move))$", "turn", GAME),
    Sentence(r"^who (starts|begins|(goes|is|plays) first)( in .*)?$", in_rules("starts"), f"arranging {EVERYWHERE}"),
    Sentence(
        r"^why (can(no|')t |(am|do|must) )?(i|me)( (go|start|begin|be))? first$",
        in_rules("starts"),
        f"arranging {EVERYWHERE}",
    ),
    Sentence(
        r"^who (starts|begins|(goes|is|plays) first) and .*\b(direction|way)\b.*",
        lambda context, said: f"{in_rules('starts|direction|reverses')(context, said)} order says who plays next.",
        EVERYWHERE,
    ),
    Sentence(r"^who (starts|begins|(goes|is|plays) first)$", "turn", "playing between watching"),
    Sentence(r"^what (is|are) (other|others|other players|everyone|every(body|one) else) doing$", "where", GAME),
    Sentence(rf"^where (is|are) (my )?({RANK})s?$", "where", GAME),
    Sentence(r"^(let's |i (want )?)?leave (it|them|these|those|(my )?cards|everything)\b.*", _READY, "arranging"),
    Sentence(r"^(what|how)\b.* ready( do| mean| for)?$", _READY, "table"),
    Sentence(r"^(i )?(don't|won't|no)\b.* (swap(ping)?|change|arrange)\b(?<!understand swap).*", _READY, "arranging"),
    Sentence(r"^(ok|okay|fine|alright)$|^(i )?(don't|doesn't) (care|matter)\b.*", _READY, "arranging", to_others=True),
    Sentence(
        r"^(let (i|me)|let's) (begin|start|go|play)$|^(i\S* |want )*keep\b.*|\b(have|need|obliged|all) (i )?do( \w+)?$"
        r"|^((i|it|that) (am |is )?|is )?(happy|satisfied|good|fine|ok|finish(ed)?|sorted|all set)"
        r"( with .*| go| next| like( it| that)?| as is| let's (go|play|start|begin))*$"
        r"|^can i (keep|leave (it|them|these|my|cards))\b.*|^(how|when)\b.*\b(start|begin)s?( \w+)?$"
        r"|^(am|have) i (done|finished|ready)$|^(do|must) i( have| need)* (swap|change|arrange)\b.*",
        _READY,
        "arranging",
    ),
    Sentence(r"^(let (i|me)|let's) (begin|start|go|play)$|^(how|when)\b.*\b(start|begin)\b", to_do, "playing"),
    Sentence(r".*\bcards?\b.* (accept|refuse|reject)\w*$|.*\b(accept|refuse|reject)\w* .*\bcards?$", "turn", IN_GAME),
    Sentence(r"\b(\w+n't|not|nothing) (work|happen)(s|ed|ing)?$", "turn", "table exercise", to_others=True),
    Sentence(r"\b(is|are) \w+ (thinking|waiting)\b.*", "turn", "table exercise", to_others=True),
    Sentence(r"\b(don't|didn't) (understand|get (it|that)|know (\w+ )?(rules|game|how))", _lost_track),
    Sentence(r"\bconfused\b|\bi am lost\b|^what does( it| that)? mean$", _lost_track),
    Sentence(
        r"\bconfusing\b|\bmakes no sense\b"
        r"|^(i )?(have |am )?(idk|dunno|don't know|no (clue|idea)|not sure|unsure|clueless)$",
        _lost_track,
        to_others=True,
    ),
    Sentence(r"^(huh|wtf|eh)$", _lost_track, f"exercise {GAME}", to_others=True),
    Sentence(NEWCOMER, _lost_track, f"{GAME} record exercise"),
    Sentence(r"^i am (\w+ )?(bad|terrible|awful|hopeless|rubbish|useless)\b.*", _lost_track, to_others=True),
    Sentence(r"^is (too|so|very) (hard|difficult|complicated)$", _lost_track, f"{GAME} exercise"),
    Sentence(r"^i am stuck\b", _lost_track, "lobby watching exercise record"),
    Sentence(r"^i am stuck\b", ways_on, "between"),
    Sentence(r"^(what|which)( cards?)? (can )?beats?( it| that)?$", "turn", "table exercise"),
    Sentence(
        r"^(can|may|do) i (choose|pick|select)( (one|which|card))*$|^deal me in$|^(am i in|i am in)$", "turn", IN_GAME
    ),
    Sentence(r"^can i (?:play|put|lay|use) (two|three|four)$", _so_many, IN_GAME),
    Sentence(r"^what (do|can|should|must) i (type|write|enter)( next)?$", ways_on, "lobby between watching"),
    Sentence(r"^what (do|can|should|must) i (type|write|enter)( next)?$", "turn", IN_GAME),
    Sentence(_STRATEGY, _tips, "lobby shell"),
    Sentence(_STRATEGY, "hint", "table"),
    Sentence(r"^how long (is|does|takes?|will) (lesson|tutorial|it take learn)\b.*", _tips, "lobby shell"),
    Sentence(
        r"^(can|do|is|am|would|will|((how|why|when|where|what) )?(can|do|does)|what (if|about)) (i|you|it|there|one)$"
        r"|^(how|why) (can|do|does)$|^what (if|about)$",
        "Ask the whole question, as in what does a 10 do; help lists what can be typed.",
        to_others=True,
    ),
    Sentence(
        r"^((can|must|want|have|i) )*(take|get|put|move) (?!me|us|(my )?(seat|game|table)|back)(\w+ ){1,3}back$",
        _undo,
        GAME,
    ),
    Sentence(
        r"^.*\bun(do|swap)\b.*|\b(take|swap) ?(that |it |swap )?back\b|\bwrong (card|move|key|button|one|thing)\b",
        _undo,
    ),
    Sentence(
        r"^((no|oh|wait|oops|hey|i) )*(not that|(no|meant) other|meant (that|another))( one| card)?$",
        _undo,
        f"exercise {GAME}",
    ),
    Sentence(
        r"\bchanged? my mind\b|\b(ma[dk]e mistake|misclick|typo)$|^i didn't (mean|want (that|it)$)"
        r"|\bgo back (one|\w+ move)$",
        _undo,
    ),
    Sentence(
        r"time limit|am slow|^how (much time|long ((ha|do)\w* \S+ (get|got|have)|is my turn))\b(?!.* wait).*", _time
    ),
    Sentence(r"^what (happens|if)\b.*\b(time|clock)( \w+)? (out|up|over|ends?)$", f"{_TIME} {_RUN_OUT}"),
    Sentence(r"^what (happens )?if (?!i\b)\w+ (is gone|leaves|quits)$|^\w+ is (gone|away) what\b.*", _RUN_OUT, GAME),
    Sentence(
        rf"^what (happens )?if (?!(i|it|cards?|({RANK})s?) )\w+ (do|wo)\w*n't (play|move|answer)$", _RUN_OUT, GAME
    ),
    Sentence(r".*\b(play|do|move|choose|pick|make|take|go) (\w+ ){0,2}for me\b|\bauto.?play\b", _NOT_PLAYED, "table"),
    Sentence(r"^(can )?you (do|play|choose)( it| that)?$", _NOT_PLAYED, "table", to_others=True),
    Sentence(r"^(pre.?move|ahead|queue)( \w\S?)*$|\b(in advance|ahead of (my )?turn|premoves?)$", _AHEAD, GAME),
)
