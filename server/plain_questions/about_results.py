"""How a game stands, how it went and ended, and what a player has played: questions about them, and their answers."""

from typing import Final

from engine.wording.phrases import listed, quantity
from server.commands.registry import Context
from server.language.event_text import ordinal, sentences
from server.language.position_text import results_text
from server.plain_questions.coming_and_going import take_break
from server.plain_questions.sentence import GAME, IN_GAME, RANK, Sentence
from server.player.player_session import PlayerSession
from server.render.scene import AfterGame

_PAR: Final = (
    "Par is the middle one of five games that Master, the strongest AI player, plays with the deal of the day."
)
_LAST_SAID: Final = 3
"""So many sentences tell what has happened."""
_SEE: Final = r"^((can|let) (i|me|you) |i (want|should like) |i'd like )?(show|see|view|watch|look( at)?)( me| us)?"
_A_GAME: Final = r"((?!new|another|next|other)[\w-]+ )?(game|match|round)( (with|against|of|from) .+)?"


def _lost(context: Context, _: str) -> str:
    """What tells a player what their moves have cost, if their game is over."""
    found = [each for each in context.lobby.features.all(AfterGame) if not each.is_for_all]
    snapshot = context.snapshot
    is_over = snapshot is not None and (snapshot.stats or context.place.kind == "record")
    if found and snapshot is not None and snapshot.seat is not None and is_over:
        return found[0].word
    ways = listed([f"{each.word} {each.to}" for each in found], "or")
    return f"When a game is over {f'type {ways}' if ways else 'rules tells how the game is played'}."


def _how_it_went(context: Context, _: str) -> str:
    """Where one sees how a game went: while it goes on its log, and then what goes through it."""
    snapshot = context.snapshot
    if snapshot is None or snapshot.playing or snapshot.view is None:
        return "log" if snapshot else "replay"
    ways = [f"{each.key} or {each.word} {each.to}" for each in context.lobby.features.all(AfterGame) if each.is_for_all]
    return f"Type {listed(ways, 'or')}, move by move, with all cards." if ways else "log"


def _number_rated(context: Context, _: str) -> str:
    own = "me shows yours" if context.place.kind == "lobby" else "me, in the lobby, shows yours"
    return f"As a rating: a newcomer has 1000, and the average of players with many games is about 1500; {own}."


def _winning(context: Context, _: str) -> str:
    snapshot = context.snapshot
    if snapshot is None or snapshot.view is None:
        return "turn" if snapshot else "top"
    if snapshot.view.phase == "over":
        return "results"
    counts = {seat: snapshot.view.cards_of(seat) for seat in range(len(snapshot.sitters))}
    fewest = min(filter(None, counts.values()), default=0)
    seats = [seat for seat, count in counts.items() if count == fewest]
    names = ["you" if seat == snapshot.seat else snapshot.name(seat) for seat in seats]
    told = f"Fewest cards: {listed(names, 'and')} with {fewest}."
    for winner in snapshot.view.places[:1]:
        told = f"{'You have' if winner == snapshot.seat else f'{snapshot.name(winner)} has'} won. {told}"
    return told


def _count(context: Context, said: str) -> str:
    """How many cards a player has, or lie somewhere; all of it if that is not clear."""
    snapshot = context.snapshot
    if snapshot is None or (view := snapshot.view) is None:
        return "where"
    words = said.split()
    places = {"stock": view.stock_left, "pile": len(view.pile), "bin": len(view.bin)}
    for word in set(words) & places.keys():
        return f"{quantity(places[word], 'card')} in the {word}."
    named = (seat for seat, each in enumerate(snapshot.sitters) if each and each.name.casefold() in words)
    seat = next(named, snapshot.seat if "i" in words else None)
    if seat is None:
        others = [each for each in range(len(snapshot.sitters)) if each != snapshot.seat]
        return f"Cards left: {', '.join(f'{snapshot.name(each)} {view.cards_of(each)}' for each in others)}."
    who = "You have" if seat == snapshot.seat else f"{snapshot.name(seat)} has"
    down = sum(card is not None for card in view.downs[seat])
    zones = {"in hand": view.hand_counts[seat], "face up": view.up_counts[seat], "face down": down}
    told = listed([f"{count} {where}" for where, count in zones.items() if count], "and")
    return f"{who} {quantity(view.cards_of(seat), 'card')}: {told}." if told else f"{who} no card left."


def _won(context: Context, _: str) -> str:
    snapshot = context.snapshot
    if snapshot is None or snapshot.view is None:
        return "results"
    if not snapshot.playing or snapshot.seat not in snapshot.view.places:
        return f"{results_text(snapshot)[0]} {_winning(context, '') if snapshot.playing else ''}".rstrip()
    place = snapshot.view.places.index(snapshot.seat) + 1
    return f"{'You have won: you' if place == 1 else 'You'} are out {ordinal(place)}, and the others play on."


def _out(context: Context, said: str) -> str:
    return f"{_won(context, said)} Your place counts: leave goes back to the lobby, or stay for the next game here."


def _who_won(context: Context, _: str) -> str:
    is_first = not (isinstance(context, PlayerSession) and context.feed.last_game)
    return "No game of yours has ended since you came: play begins one." if is_first else "me"


def _seen_again(context: Context, _: str) -> str:
    """What a player means by seeing a game: never one that begins."""
    is_playing = context.snapshot is not None and context.snapshot.playing and context.place.kind != "record"
    return "look" if is_playing else "replay last"


def _happened(context: Context, _: str) -> str:
    """What the last moves were, in one line."""
    snapshot = context.snapshot
    if snapshot is None or not isinstance(context, PlayerSession):
        return "log"
    return " ".join(sentences(context.table.broadcaster.happened(context), snapshot)[-_LAST_SAID:]) or "log"


def _why_played(context: Context, _: str) -> str:
    ways = [f"{each.word} {each.to}" for each in context.lobby.features.all(AfterGame) if not each.is_for_all]
    return f"A replay does not say why: type {listed(ways, 'or')}." if ways else ""


ABOUT_RESULTS: Final = (
    Sentence(r"^(what (is|was) )?my best (move|play|card)s?$", _lost, "lobby between watching"),
    Sentence(r"^(can|will) (?!i\b|you\b)\w+ (finish|win|go out|be out)( next| this turn)*$", "where", GAME),
    Sentence(r"^who (has )?(won|win)( game)?$", _who_won, "lobby"),
    Sentence(r"^what is (on top( of pile)?|(in|on) (middle|pile))$|^(show )?top card$", "pile", GAME),
    Sentence(r"^(?!.* my ).*\b(under|below|beneath|discard|see|look)\b.* (pile|top|card|discards)$", "pile", GAME),
    Sentence(r"^what did .+ (do|play|put|lay|throw)$|^what (was|got|has been) (played|put|laid)\b", "log", GAME),
    Sentence(r"\bsee what \w+ played$|\blast moves?\b| history$", "log", GAME),
    Sentence(r"^(who(?! (must|should|can))|did (?!i ))\b.* (play|put|laid|took|take|pick|burn)(ed)?\b.*", "log", GAME),
    Sentence(
        r"^how many( cards)?( are)?( left)? (?!i |.*\b(decks?|game)\b)(in|on|do|does|has|have) [\w' ]*$"
        r"|^how many (do|have) i\b.*",
        _count,
        GAME,
    ),
    Sentence(
        r"^what( cards)? (is|do|does|has) (?!i )\w+( (have|has|got|hold|holding|left))+$"
        r"|^what cards? \w+ (have|has|got)$|^(has|have|does|do) (?!i )\w+ (got |have )?many\b.*|\bwho has most\b"
        r"|^who is (losing|behind)$|^(show |see |list )?(opponents?|other players)$|^is (deck|stock) empty$"
        r"|^(what|((how (many|much)|what) )?cards|how (many|much))( is| are)? left$"
        r"|^(what|how many)\b(?! (cards )?(are )?left in\b).*\b(left|remain\w*)\b.* (deck|stock|pile)$",
        "where",
        GAME,
    ),
    Sentence(
        rf"^(how many|are|is|what|have)\b.*\b({RANK})s?\b.* (left|gone|out|dead|burned|played)$"
        r"|^(what|how|any|is|are)\b.*\b(odds|outs|probability|chances?|likely|equity)\b.*",
        "odds",
        "table exercise",
    ),
    Sentence(r"\bwhat (has |just )*happened$", "repeat", "lobby exercise"),
    Sentence(r"\bwhat (has |just )*happened( \w+)?$|^what was that$", _happened, GAME),
    Sentence(
        r"^(why (did|has|was|is) (it|that|pile)|what)( just| has| been| got| was)* burn(ed|t)?( (it|pile|away|up))*$",
        _happened,
        GAME,
    ),
    Sentence(r"\bwhat (has )?happened$", "log", "record"),
    Sentence(r"^who (has )?(won|win)( game)?$", "me shows how your games ended, and top the best players.", "shell"),
    Sentence(r"^who (has )?(won|wins?) (most|how (much|many|often))\b.*", "top tonight"),
    Sentence(r"^(standings|score ?board|wins|tally)$", "top tonight"),
    Sentence(r"^what.* (score|result)s?$|^who (came|was|finished) \w+$|^who (has )?(lost|won)$", "results", GAME),
    Sentence(r"^((did|have|am) )?i( have)? (win|won|winner|lose|lost|out|beat \w+)$|^why did i win$", _won, GAME),
    Sentence(r"^am i (still )?(in|playing|done|finished)( game)?$|^(what|which) place \w+ i\b.*", _won, GAME),
    Sentence(
        r"^what( happens| comes| is)?( next)?$|^when is (next|another) (game|one)$"
        r"|^(what )?(can|must|do) i (do|have|need|go|leave|stay|wait|watch)( (do|go|leave|stay|wait|watch|on))*"
        r"( (or|while|until)\b.*)?$",
        _out,
        "out",
    ),
    Sentence(r"^(can i )?((play|start|deal) )?(again|next|another|one more|new)( (game|one|round))?$", _out, "out"),
    Sentence(
        r"\b(see|find|show|where)\b(?!.* (high|best)).* (results?|scores?|standings?)$|^results?$", "me", "lobby shell"
    ),
    Sentence(r"^(is|are) .+ (over|finished|done)( soon| yet)?$", "turn", GAME),
    Sentence(
        r"\bin my hand$|\b(cards|hand) again$"
        r"|^(i want |let me |how (do|can) i )?(what|which|show|see|where)\b.*\bmy (face (up|down) )?cards$"
        r"|^(what|which) (cards )?(do|have) i (have|got)$",
        "hand",
        "table exercise",
    ),
    Sentence(r"^who(se| is)? (win$|winning|ahead|leading|going (win|lose))|^am i (winning|losing)", _winning),
    Sentence(r"^i am (winning|losing|ahead|behind|leading|last)$", _winning, GAME, to_others=True),
    Sentence(r"^did i (do|play) (it )?(well|good|badly|bad|ok|okay|right)$|\b(blunder|turning)", _lost),
    Sentence(r"^(why|how) (did|have|do)? ?i (have )?(lose|lost)|^why (am|was) i last|went (wrong|down|bad)", _lost),
    Sentence(
        r"^(was|were|did|have|which|what(?! if| happens))\b.*\b(mistakes?|blunders?|(bad|wrong) (move|play|idea))\b.*"
        r"|^((what|which)( \w+)? )?(was|were)\b.*\b(good|right|best|smart|wrong|bad)( (move|play|idea|card|one)\b.*)?$"
        r"|^(what|which|did)\b.* cost me\b.*",
        _lost,
    ),
    Sentence(r"\b(my|worst) (mistakes?|move)\b|^how (did|was) (i|my game)\b|\bdid i (do|go) (\w+ )?wrong", _lost),
    Sentence(r"\b(get|be|become|play(ed)?|do|done) (\w+ )?bett?er\b|\bdone different|\bimprove\b", _lost),
    Sentence(r"^(can i )?save$|\bsave (it|(my |current )?(games?|progress|seat|place|state))\b|\bsaved$", take_break),
    Sentence(r"^((can|how|i|show|see|list|where|watch|find)\b.* )?(old|past|previous|finished) games?$", "replay"),
    Sentence(
        rf"{_SEE}( it| that| {_A_GAME})?( all)?( (to )?(me|us))?(( and)?( again| once more)| from (start|beginning))+$"
        r"|^((watch|record|replay|show|see)( me)? )?(my )?(last|latest|previous) (game|match|round)$",
        _seen_again,
        f"lobby record {GAME}",
    ),
    Sentence(
        r"^(can i )?(watch|see|show|open|start|play|go)( my| me)* replay$"
        r"|^(can i )?replay( (it|that|last|exact|same|my|whole|game))+$",
        "replay last",
        "lobby between watching",
    ),
    Sentence(r"^why$|^why\b.* (play|put|do|lay)(ed)?\b.*", _why_played, "record"),
    Sentence(rf"(?!.*\bwatch\b){_SEE} {_A_GAME}$", _seen_again, f"lobby record {GAME}"),
    Sentence(r"^(show|see|list|find|where are)? ?my( last| old)? games?$|^what have i played$", "replay"),
    Sentence(r"\b(la(te)?st|recent) (games?|match\w*) (of )?[\w-]+( (ha\w+ )?(played|won|lost))?$", "replay", "lobby"),
    Sentence(r"\bhow (did|has|have) .*\b(games?|match\w*) (end|finish|go|went)(ed)?$", _how_it_went, f"lobby {GAME}"),
    Sentence(
        r"^(can i )?(share|copy|save|export|\w+ through) (my )?(game|moves)$"
        r"|^(what|show|see|can i|how)\b.* (what \w+ had|face down cards)$|^can i (peek|look)\b.* cards$"
        r"|^(what|which|who|show|see|can i)\b(?=.*\b(cards?|hands?|hold)\b)"
        r".*\b(were|was|had|did|all|everyone's|others?|their|his|her|\w+'s)\b.*",
        _how_it_went,
        "between",
    ),
    Sentence(r"^(what )?(did|have) i miss(ed)?( my)?( \w+)?$", "log", GAME),
    Sentence(r"^what (did|have) i miss(ed)?$|^what (is|are) (every\w+|people|they) playing$", "tables", "lobby"),
    Sentence(r"^(do|are|is)( you)?( save| keep| store)? my games( saved| kept| stored)?$", "replay"),
    Sentence(r"^(what|which)\b.*\b(was|were|did)\b.*\b(last|first|final) (card|move|play|turn).*", _how_it_went, GAME),
    Sentence(
        r"^(show |see |watch |tell )?(me |us )?how (did |has )?(?!(i|it)\b)[\w-]+ (won|win|lost|lose|finish(ed)?)$",
        _how_it_went,
        f"lobby {GAME}",
    ),
    Sentence(r"^what is score$", "me", "lobby shell"),
    Sentence(r"^(what|who) (is|does) par( mean)?$", _PAR),
    Sentence(r"\byesterday's\b", "daily yesterday"),
    Sentence(r"^(yesterday|(how|what|results?)\b.* yesterday|who .*\bd(aily|eal)\b.*yesterday)$", "daily yesterday"),
    Sentence(r"^who (?!.*\bd(aily|eal)\b).*\b(yesterday|last night)$", "nights"),
    Sentence(r"\b(share|post|copy|send) (my )?(daily )?(results?|score|day)\b", "daily share"),
    Sentence(r"\bmy (rating|elo|rank|points?|scores?|results?|stat\w*|wins|record|profile)\b", "me"),
    Sentence(r"^how .*\bgames (have|did|do) i( have)? \w+$|\bmy best\b|\bhow good am i\b|^did i win$", "me"),
    Sentence(
        r"^(what|how many) (points|rating|score) (did |do |have )?i( have| got| get)?$|^did i get .*points$", "me"
    ),
    Sentence(r"^(how )?am i doing\b.*|^am i (any )?good\b.*", "me"),
    Sentence(r"^(how )?am i doing\b.*|^am i (any )?good\b.*", "results", "between"),
    Sentence(r"^(how )?am i doing\b.*|^am i (any )?good\b.*", _winning, f"{IN_GAME} watching exercise record"),
    Sentence(
        r"^what (is|does|are) (that |number )?([+-]\d+|\d{3,4})\b.*"
        r"|^(is|was) (my )?(rating |score )?(of )?\d{3,4} (\w+ )?(good|bad|ok|okay|high|low|much|normal)\b.*",
        _number_rated,
    ),
    Sentence(r"^(.*\b(is|are|see|find|show|has) )?(high|highest|best) scores?$", "top", "lobby shell"),
)
