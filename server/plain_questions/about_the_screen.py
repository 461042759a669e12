"""What people say of the screen, its colours and its letters, keys, sound and pace, and what they need to play."""

import re
from typing import Final

from server.commands.registry import Context
from server.people.settings import PACES
from server.plain_questions.sentence import Sentence, view_here
from server.player.player_session import PlayerSession

_ENGLISH: Final = "Quatch speaks English only; cards and numbers are the same everywhere."
_LOOKS: Final = (
    "Your terminal sets the size of the text. Type set cards letters or set colour contrast; set shows more."
)
_COLOURS: Final = "Type set cards letters to read suits as letters, or set colour none; set shows more."
_SUITS: Final = "Colours tell the suits apart, which count for nothing: set colour changes them."
_DARK: Final = "Your terminal sets the background: set colour changes the colours of the suits."
_KEYS: Final = "That is a key to press; help typing lists what the keys do."
_ENTER: Final = "Enter sends what you have typed. Alone it does what the prompt offers, but it never makes a move."
_PLAIN: Final = "set mode line shows plain lines, as screen readers need them; set mode screen goes back."
_REDRAW: Final = "Ctrl-L draws the screen again; set mode line shows plain lines instead."
_NEEDED: Final = (
    "Here ssh is enough: nothing is installed. If you have Quatch itself, quatch play in a shell plays offline."
)
_IS_PACE: Final = r"\b(?:too|is|are)(?: it| game| they)? (fast|slow)\b"
_SOUND: Final = r"sounds?|beep\w*|bell|noise"
_QUIETER: Final = "For fewer lines type set tips off; Enter alone says only whose turn it is, and what can be played."


def _phone(context: Context, _: str) -> str:
    joins = context.lobby.join_lines
    page = f"Yes: open {joins.link} there" if joins.opens_anywhere else "Yes, with an app for ssh"
    return f"{page}; the line that you came in with works, too."


def _waits(seconds: float) -> str:
    return f"wait {seconds:g} {'second' if seconds == 1 else 'seconds'} before each move" if seconds else "move at once"


def _pace(context: Context, said: str) -> str:
    """How AI players become slower or faster; whose turn it is if a player waits for a person."""
    snapshot, view = context.snapshot, view_here(context)
    if snapshot and view and view.to_move not in {None, view.seat} and not re.search("fast|slow down|slower", said):
        awaited = snapshot.sitters[view.to_move or 0]
        if awaited and not awaited.is_ai:
            return "turn"
    complained = re.search(_IS_PACE, said)
    is_slower = complained[1] == "fast" if complained else "slow" in said
    set_to = context.settings.pace if isinstance(context, PlayerSession) else None
    now = context.lobby.config.pace if set_to is None else set_to
    wanted, end = (min(max(4, now + 2), PACES[1]), "slower") if is_slower else (PACES[0], "faster")
    if now == wanted:
        return f"AI players {_waits(now)} already; no pace is {end}."
    return f"Type set pace {wanted:g}: then AI players {_waits(wanted)}. Now they {_waits(now)}."


ABOUT_THE_SCREEN: Final = (
    Sentence(r"^(esc|escape|enter|return|tab|space|spacebar)( key)?$", _KEYS),
    Sentence(r"^what (does|is|happens (if|when) i press) enter\b.*", _ENTER),
    Sentence(r"\b(german|spanish|french|italian|english|translat\w*|(my|(an)?other) languages?|speak)\b", _ENGLISH),
    Sentence(r"\bblack and white\b|\b(no|without|remove|disable|off) colou?rs?\b|\bcolou?rs? off\b", "set colour none"),
    Sentence(r"\bcolou?r.?blind|\bcolou?rs? hurt\b|\bcards? (look|show)\b.* (marks|boxes|squares)$", _COLOURS),
    Sentence(r"^(why|what)\b.*\b(red|blue|green|yellow|black|white|colou?rs?|colou?red)( mean| for)?$", _SUITS),
    Sentence(r"\b(cannot (see|read)|hard read|bigger|larger|too small|my eyes|eyesight|glasses)\b", _LOOKS),
    Sentence(r"^((it|screen|text|print|letters|writing|every\w+) (is |are )?)?(too|very) (big|large|tiny)$", _LOOKS),
    Sentence(r"^((it|screen|text|print|letters|writing|every\w+) (is |are )?)?(too|very) (dark|bright)$", _DARK),
    Sentence(r"\bfont\b|\bsmaller (text|letters|print|type|size)\b", _LOOKS),
    Sentence(r"\b(dark|light|night|black|white) (mode|theme|background)\b|\bis (it |too )*(dark|bright)\b", _DARK),
    Sentence(r"^(.*\b(want|use|set|get|need) )?(text|line|plain) mode( on)?$", "set mode line"),
    Sentence(r"^(set )?(plain|lines|plain (lines|text))( on)?$", "set mode line"),
    Sentence(r"^help (telnet|plain|lines|plain (lines|text)|screen ?readers?)$", "ask screen reader"),
    Sentence(r"^telnet$|\w plain (lines|text)\b|\bscreen ?reader|\bblind$|\bno (boxes|box|frames?|borders?)$", _PLAIN),
    Sentence(r"\bscreen\b.*\b(broken|garbled|weird|wrong|mess)", _REDRAW),
    Sentence(r"^(refresh|redraw|clear|cls)( (screen|display|terminal|page|it))*$", _REDRAW),
    Sentence(rf"\b({_SOUND}) off\b|\b(no|mute|stop|off)\b.*\b({_SOUND})$", "set notice off"),
    Sentence(r"\bcards? (?:to |as |in )?(letters|suits|words)$", r"set cards \1"),
    Sentence(r"\boffline\b|^(do|can|must|how|where|what|is)\b.* (install|download)\w*", _NEEDED),
    Sentence(r"^phone$|\b(my|on|from|by|with|have) (phone|mac|linux)$|\bon phones?\b", _phone),
    Sentence(r"\b(on|for|in|there|have)\b.* (mobile|ip(hone|ad)|android|tablet|app|browser|website|windows)$", _phone),
    Sentence(
        r"\b((which|what) keys|controls|shortcuts?|hotkeys?|mouse|button|(i|have|supposed) press)\b", "help typing"
    ),
    Sentence(rf"{_IS_PACE}|\bslow(er)?( it)? down\b|^.*\bslower$|^(?!.*\bwin\b).*\bfaster\b(?! than)", _pace),
    Sentence(r"\bspeed (it )?up\b|^how long\b.* think$", _pace),
    Sentence(r"\btak(es?|ing) (\w+ )?(long|forever|ages)\b", _pace, "table"),
    Sentence(r"^(stop|less|fewer|don't|too (much|many))\b.*\b(read|text|lines|words|talk|output)|\bverbose", _QUIETER),
    Sentence(r"\bhurry\b|^(oh |ah )?come on( \w+)?$", _pace, to_others=True),
)
