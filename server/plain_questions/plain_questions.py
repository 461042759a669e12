"""How a line is understood: as the sentence of the table that fits the most of it."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import dropwhile
from math import inf
from typing import Final

from engine.errors import InputError
from engine.moves import READY
from engine.view import View
from server.commands.finding import (
    FILLERS,
    GENERAL,
    LONG,
    SHORT,
    UNKNOWN,
    Understands,
    is_heard,
    may_do,
    spoken,
    takes,
    told_of,
)
from server.commands.registry import Answer, Command, Context, called, command_named, declared_in
from server.features import Feature
from server.language.parsing import RANK_WORDS, parse_typed_move
from server.plain_questions.about_people import ABOUT_PEOPLE
from server.plain_questions.about_results import ABOUT_RESULTS
from server.plain_questions.about_the_cards import ABOUT_THE_CARDS
from server.plain_questions.about_the_game import ABOUT_THE_GAME
from server.plain_questions.about_the_screen import ABOUT_THE_SCREEN
from server.plain_questions.at_your_turn import AT_YOUR_TURN
from server.plain_questions.coming_and_going import COMING_AND_GOING
from server.plain_questions.in_exercises import IN_EXERCISES
from server.plain_questions.moves_said import EXCLAMATION, line_of_move
from server.plain_questions.other_games import BOTS, OTHER_GAMES
from server.plain_questions.sentence import PHASES, Sentence, places_of, view_here
from server.player.player_session import PlayerSession

SENTENCES: Final = (
    *(*ABOUT_THE_GAME, *ABOUT_THE_CARDS, *ABOUT_THE_SCREEN, *ABOUT_RESULTS, *ABOUT_PEOPLE, *COMING_AND_GOING),
    *(*AT_YOUR_TURN, *OTHER_GAMES, *IN_EXERCISES),
)
"""All of them. If several fit, `_counts` says which one counts; of those that count the same, the first one does."""
EXAMPLES: Final = ("what does a 10 do", "who is winning", "how long is a game")
"""What can be asked; those that are answered where a player is are proposed there."""
_PASSED_OVER: Final = frozenset(
    {"the", "a", "an", "please", "now", "here", "really", "just", "to", "this", "dis", "da", "so", "ok", "sorry", "rn"}
    | {"instead", "else"}
)
_SAME: Final = {
    **dict.fromkeys(("what's", "whats", "wats", "wat's"), "what is"),
    **dict.fromkeys(("wat", "wut", "wht"), "what"),
    **dict.fromkeys(("hw", "hwo", "hows", "how's"), "how"),
    **dict.fromkeys(("who's", "whos"), "who is"),
    **dict.fromkeys(("where's", "wheres"), "where is"),
    **dict.fromkeys(("i'm", "im"), "i am"),
    **dict.fromkeys(("i've", "ive"), "i have"),
    **dict.fromkeys(("it's", "its"), "it is"),
    **dict.fromkeys(("that's", "thats"), "that is"),
    **dict.fromkeys(("wont", "wouldnt"), "won't"),
    **dict.fromkeys(("can't", "cant"), "cannot"),
    **dict.fromkeys(("could", "may", "might"), "can"),
    **{f"{verb}nt": f"{verb}n't" for verb in ("do", "does", "did", "is", "are", "has", "have", "should")},
    **dict.fromkeys(("wanna", "wan"), "want"),
    **dict.fromkeys(("hiya", "heya", "howdy"), "hi"),
    **dict.fromkeys(("would", "shall"), "should"),
    "lets": "let's",
    "lots": "many",
    "room": "table",
} | {"we": "i", "leads": "starts", "u": "you", "r": "are", "ur": "your", "diff": "difference", "gotta": "must"}
"""Words in whose place patterns have others."""
_ASKS: Final = frozenset({"who", "what", "which", "why", "how", "where", "when", "whose", "is", "can", "do", "does"})
"""How a sentence begins that asks something, and that may be mended."""
_LEAD_IN: Final = (
    rf"{EXCLAMATION}|excuse me|pardon( me)?|do you know|thanks|kindly|help( me)?"
    "|i (wonder|want know)|((can|should|will) you )?(tell|explain)( me)?"
)
"""What people say before a question, and mean nothing by."""
_AS_SAID: Final = (
    (r"^(wait|hold on|hang on|sorry)( wait)* what$", "what is happening"),
    (rf"^(({_LEAD_IN}) )+(?=({'|'.join(_ASKS)}|are|am|i)\b)", ""),
    (rf"^((in|with|under) \S+( original| rules)*) (({'|'.join(_ASKS)}) .+)", r"\4 \1"),  # "in life what does an 8 do"
    (r"^(but )?(i )?don't (know|understand|get|see) (?=(what|why|how|who|when|where|which) \w+ \w+ \w)", ""),
    (r"^(let'?s ?go|les ?go|(go )+go|bring it( on)?|let's (get|do) (it|started|going)|here i go)$", "let's go"),
    (r"(?<=.) (at (moment|all)|right now|currently|lol|haha|thx)$", ""),
    (r"^(\S+) what is (that|it)$", r"what is \1"),
    (r"^((what|which)( cards?)? (is|are) \w+) ones?$", r"\1"),
    (r"(?<=.) (or (something|what|anything)|then|mate|man|dude|bro|i (suppose|guess|think)|right|anyway|though)$", ""),
    (r"\b(can not|not can)\b", "cannot"),
    (r"\b(do|does|did|is|are|has|have|should) not\b", r"\1n't"),
    (r"\b(do|can|must|should|will)(?:es)? one\b", r"\1 i"),
    (r"\bi('d| should) like\b", "i want"),
    (r"^no (?=(understand|know|want|have)\b)", "i don't "),
    (r"^((?!wh|how|is|are|do|can)\S+) what (does|do)$", r"what \2 \1 do"),
    (r"^(what|which) cards? i (can|should|must)( play| put| use)?$", r"what \2 i play"),
    (r"^(\S+) (is|does) what$", r"what \2 \1"),
    (r"^(?:i )?(?:(?:must|want|can|should) )?((?!wh|how|is|are|do|can).+) how$", r"how do i \1"),
    (r"^how (?=(take|put|play|find|make|change|see|swap|pick|give|invite|leave|join|turn|say|talk)\b)", "how do i "),
    (r"^how much (?=(people|players|cards?|games|turns|points)\b)", "how many "),
    (r"^(how many \w+) i (?=(have|need|get)\b)", r"\1 do i "),
    (r"\b(more|many|two|three|four|same) card\b", r"\1 cards"),
    (r"^how many cards (?!do|ha|are|in|is|on)(\w+) (has|have|got)\b", r"how many cards does \1 have"),
    (r"^how (2|two) (?=\w)", "how "),
    (r"\btwo times\b", "twice"),
    (r"^let us\b", "let's"),
    (r"^how long (until|till?) (it is )?(?=my )", "when is "),
    (r"^i (no|not)\b", "i don't"),
    (r"^(why|how|where|when|what) i (can|cannot|must|should|am)\b", r"\1 \2 i"),
    (r"^cannot (i|we)\b", r"can \1"),
    (r"^(why|how|where|when|what) i\b", r"\1 do i"),
    (r"^(when|how) (finish|end|start|begin|work)", r"\1 does it \2"),
    (r"^what mean\b|^for what (is|are)\b", "what is"),
    (r"^(is it|it is) (possible|ok|okay|allowed|permitted|all right|alright|fine)( if i)?\b", "can i"),
    (r"\bface-?(?=(up|down)\b)", "face "),
    (r"\b(upside ?down|hidden|bottom|covered|secret|blind)(?= (cards?|ones?)\b)", "face down"),
    (r"\bcards? (that )?(are|lie|lying) (upside ?down|hidden|covered|face down)$", "face down cards"),
    (r"\bcards?( (that )?(are|is|lying|i have))? (in front( of (i|me))?|on table)(?= for$|$)", "face up cards"),
    (r"\bdraw(ing)? (pile|stack)\b", "stock"),
    (rf"\b(strong|tough|difficult|clever|smart) {BOTS}\b", r"hard \2"),
    (rf"\b(weak|simple|beginner|bad) {BOTS}\b", r"easy \2"),
)
"""Patterns for what people say, and what the tables have for it: how questions begin, and where cards lie."""
_STARTED: Final = (
    rf"{_LEAD_IN}|e+[hr]*m*|i (guess|think|mean|forgot|need know|am (not sure|wondering))"
    "|i don't (know|understand|get|see)|(show|tell|give|read|explain)( me| us)?"
)
"""What people say before a question that is not understood with it."""
_ROUGHLY: Final = (
    (rf"^(?!help)({_STARTED})( about| if| whether)? (?=.)", ""),
    (r" (again|exactly|actually|even|still|yet|ever|already|maybe|always|also|today|tonight|right|quickly)\b", ""),
    (r"\b(put|lay|place|throw|drop|use|toss|get rid of)\b", "play"),
    (r"\b(cards? in middle|stack|heap|discard pile|discards)\b", "pile"),
    (r"\b(closed|unknown|turned|flipped) (?=cards?|ones?)", "face down "),
)
"""What is said in so many words, for a sentence that is not understood otherwise."""
_AT_THE_END: Final = re.compile(r"(?<=. )(wh\w+|how|(do|does|did|is|are|am|can|must) (i|it|s?he|they)) \S.*")
"""A question behind what led to it."""


def line_for(line: str, context: Context) -> str:
    """The line that is meant by a sentence; empty if it is none of these. Raises BadMove, InputError."""
    said, view = spoken(line), view_here(context) if context.place.kind in {"table", "exercise"} else None
    hinted = context.feed.hinted if isinstance(context, PlayerSession) else ""
    move, found = line_of_move(said, view, hinted) if view is not None else "", meaning(said, context)
    if move and not (found and move.startswith("flip")):  # no flip can be taken back
        return move
    slip = said if found or view is None else _mended(said, context)
    if view and slip != said and (line_of_move(slip, view) or parse_typed_move(slip, view) not in {None, READY}):
        raise InputError("bad_request", f"type {slip} if you mean that")  # a guess moves nothing, nor does Enter
    named = None if found or is_heard(context) else command_named(said.partition(" ")[0], context.lobby.features)
    if named is not None and named.ops and " " in said and re.search(" [A-Z]", named.usage):
        context.lobby.must_be_op(context.caller)  # of what is typed alone, or may be, players also speak
    word, _, rest = found.partition(" ")
    command = None if found.endswith(".") else command_named(word, context.lobby.features)
    if command is not None and not may_do(command, _as_in_tables(said), context):
        raise told_of(command, context, rest)
    return f"ask {said}" if found.endswith(".") else found or _last_part(line, view, context)


def _last_part(line: str, view: View | None, context: Context) -> str:
    """What is meant by the end of a line behind a comma, if the line means nothing; empty where others read it."""
    last, features = re.split("[,.;!]+ ", line)[-1], context.lobby.features
    is_text = is_heard(context) or context.place.kind == "shell" or called(line.partition(" ")[0].lower(), features)
    if last == line or is_text or not (said := spoken(last)):
        return ""
    if found := line_for(last, context):
        return found
    plain = " ".join(word for word in said.split() if word not in FILLERS) or said
    is_known = called(said, features) or called(plain, features) or (view and parse_typed_move(last, view))
    return last if is_known else ""


def _as_in_tables(said: str) -> str:
    """A sentence in the words of the tables."""
    words = said.split()
    said = " ".join(_SAME.get(word, word) for word in words if word not in _PASSED_OVER or words == ["ok"])
    for pattern, word in _AS_SAID:
        said = _compiled(pattern).sub(word, said)
    return said


def meaning(said: str, context: Context) -> str:
    """An answer or a line; empty if these are none of the sentences."""
    words, is_told, here = said.split(), is_heard(context), places_of(context)
    said = _as_in_tables(said)
    mended = _without_slips(said, context)
    if _fit(mended) > _fit(said) and (means := _guessed(mended, context)):
        return means
    first = said.partition(" ")[0]
    is_plain = first in GENERAL and context.place.kind != "shell"
    command = None if is_plain else command_named(first, context.lobby.features)
    is_theirs = command is not None and (not command.ops or context.lobby.is_op(context.caller))
    rest = said.partition(" ")[2]
    is_sentence = len(words) > SHORT and command and rest[:1].isalpha() and not takes(command, rest, context)
    # Of few words a command says itself what is wrong behind it.
    is_answered = is_sentence or not (command and is_theirs and command.works(context.place))
    for found, each in _fitting(said):
        if (each.where and here.isdisjoint(each.where.split())) or (each.to_others and is_told):
            continue
        means = found.expand(each.means) if isinstance(each.means, str) else each.means(context, said)
        is_line = bool(means and called(means.partition(" ")[0], context.lobby.features))
        if is_line or (is_answered and means.endswith(".")):
            return means
    plain = " ".join(dropwhile(FILLERS.__contains__, said.split()))
    if _SAME.keys() & {*words} and plain and any(each.is_proposed for each in called(plain, context.lobby.features)):
        return plain  # "whos on" as "who is on"
    if re.fullmatch("what does .+ mean", said):  # "what does bin mean" is asked as "what is bin", too
        return meaning(f"what is {said[10:-5]}", context)
    others = (mended, *_in_other_words(said, context))
    return next(filter(None, (_guessed(other, context) for other in others if other != said)), "")


def _guessed(said: str, context: Context) -> str:
    """What a sentence means that was said otherwise; empty if that would not only be told or shown."""
    means = meaning(said, context)
    named = command_named(means.partition(" ")[0], context.lobby.features)
    return means if means.endswith(".") or (named and (named.read_only or not may_do(named, said, context))) else ""


def _in_other_words(said: str, context: Context) -> Iterator[str]:
    """What a sentence may mean that is not understood as it is. Others may be meant by one that asks nothing."""
    is_asked = said.partition(" ")[0] in _ASKS
    if not is_asked and is_heard(context):
        return
    if not is_asked and (asked := _AT_THE_END.search(said)):
        yield asked[0]
    for pattern, word in _ROUGHLY:
        said = _compiled(pattern).sub(word, said)
    yield said


def _without_slips(said: str, context: Context) -> str:
    """A question or a long sentence, mended. Others may be meant by one that asks nothing."""
    is_asked = said.partition(" ")[0] in _ASKS
    is_short = len(said.split()) <= SHORT + 1  # one of its words may be a name
    return said if not is_asked and (is_short or is_heard(context)) else _mended(said, context)


def _mended(said: str, context: Context) -> str:
    """The sentence without slips of letters, in words that are known nowhere."""
    features, named = context.lobby.features, context.lobby.visitors.named
    return " ".join(word if called(word, features) or named(word) else _meant_word(word) for word in said.split())


def _meant_word(word: str) -> str:
    """The word of the tables that differs by two letters exchanged or, if long or a rank, by one within; else this."""
    if word in _words() or not word.isalpha():
        return word
    return next((each for each in _words() if each[0] == word[0] and _is_slip(*sorted((word, each), key=len))), word)


def _is_slip(shorter: str, longer: str) -> bool:
    if len(shorter) == len(longer):
        differ = [at for at, letters in enumerate(zip(shorter, longer, strict=True)) if len({*letters}) > 1]
        return sorted(shorter) == sorted(longer) and len(differ) == 2 and differ[1] - differ[0] == 1
    within = (longer[:at] + longer[at + 1 :] for at in range(1, len(longer) - 1))
    is_long = len(shorter) >= LONG - 1 or (len(shorter) > SHORT and not RANK_WORDS.keys().isdisjoint({shorter, longer}))
    return is_long and shorter in within


@lru_cache(1)
def _words() -> dict[str, None]:
    """The words of all sentences, in their order."""
    said = (*(re.sub(r"\\.|\w\?", " ", each.said) for each in SENTENCES), *_SAME, *_PASSED_OVER)
    return dict.fromkeys(word for each in said for word in re.findall("[a-z]{3,}", each))


@lru_cache(4)  # a line is asked about more than once
def _fitting(said: str) -> Sequence[tuple[re.Match[str], Sentence]]:
    """The sentences that fit a line, the one that counts first."""
    fitting = ((found, each) for each in SENTENCES if (found := _compiled(each.said).search(said)))
    return sorted(fitting, key=_counts, reverse=True)


def _fit(said: str) -> int:
    """How much of a line the sentence that fits best fits."""
    return max((len(found[0]) for found, _ in _fitting(said)), default=0)


@cache  # what Python itself remembers of patterns is found more slowly, and is too little for all of these
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _counts(fits: tuple[re.Match[str], Sentence]) -> tuple[int, bool, float, bool]:
    """Of sentences that fit, the one counts that fits the most of the line; then see `Sentence.where`."""
    found, sentence = fits
    where = sentence.where.split()
    return len(found[0]), not PHASES.isdisjoint(where), -(len(where) or inf), not sentence.to_others


@Command("ask TEXT", section="yourself", pages=(), in_full=True, read_only=True, ssh="answer")
async def ask(context: Context, rest: str) -> Answer:
    """Answer a question in plain words."""
    answer = meaning(spoken(rest), context)
    if not answer.endswith("."):
        if answer and (command := next(iter(called(answer.partition(" ")[0], context.lobby.features)), None)):
            raise told_of(command, context, answer.partition(" ")[2])
        first = "that question is not understood" if rest else "ask what"
        asked = ", ".join(each for each in EXAMPLES if meaning(each, context).endswith("."))
        raise InputError(UNKNOWN, f"{first}: ask for example {asked}")
    return Answer(answer.split("\n"), title=rest)


FEATURE: Final = Feature("plain_questions", (*declared_in(__name__), Understands(line_for)))
