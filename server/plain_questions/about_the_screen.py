"""What people say of the screen, its colours and its letters, the keys, the sound, and what they need to play."""

from typing import Final

from server.commands.registry import Context
from server.plain_questions.sentence import Sentence


def _phone(context: Context, _: str) -> str:
    joins = context.lobby.join_lines
    page = f"Yes: open {joins.link} there" if joins.opens_anywhere else "Yes, with an app for ssh"
    return f"{page}; the line that you came in with works, too."


_ENGLISH: Final = "Quatch speaks English only; cards and numbers are the same everywhere."
_LOOKS: Final = (
    "Your terminal sets the size of the text. Type set cards letters or set colour contrast; set shows more."
)
_COLOURS: Final = "Type set cards letters to read suits as letters, or set colour none; set shows more."
_DARK: Final = "Your terminal sets the background: set colour changes the colours of the suits."
_KEYS: Final = "That is a key to press; help typing lists what the keys do."
_ENTER: Final = "Enter sends what you have typed. Alone it does what the prompt offers, but it never makes a move."
_PLAIN: Final = "set mode line shows plain lines, as screen readers need them; set mode screen goes back."
_REDRAW: Final = "Ctrl-L draws the screen again; set mode line shows plain lines instead."
_NEEDED: Final = (
    "Here ssh is enough: nothing is installed. If you have Quatch itself, quatch play in a shell plays offline."
)
_SOUND: Final = r"sounds?|beep\w*|bell|noise"

ABOUT_THE_SCREEN: Final = (
    Sentence(r"^full.?screen$", "set"),
    Sentence(r"^(esc|escape|enter|return|tab|space|spacebar)( key)?$", _KEYS),
    Sentence(r"^what (does|is|happens (if|when) i press) enter\b.*", _ENTER),
    Sentence(r"\b(german|spanish|french|chinese|russian|italian|english|translat\w*|my language)\b", _ENGLISH),
    Sentence(r"\bblack and white\b|\b(no|without|remove|disable|off) colou?rs?\b|\bcolou?rs? off\b", "set colour none"),
    Sentence(r"\bcolou?r.?blind", _COLOURS),
    Sentence(
        r"\b(cannot (see|read)|hard read)\b|\b(bigger|larger)\b|\btoo small\b"
        r"|\bfont\b|\bsmaller (text|letters|print|type|size)\b",
        _LOOKS,
    ),
    Sentence(r"\b(dark|light|night|black|white) (mode|theme|background)\b", _DARK),
    Sentence(r"\b(text|line|plain) mode\b|^(set )?(plain|lines|plain (lines|text))( on)?$", "set mode line"),
    Sentence(r"^help (telnet|plain|lines|plain (lines|text)|screen ?readers?)$", "ask screen reader"),
    Sentence(r"^telnet$|\w plain (lines|text)\b|\bscreen ?reader|\bblind$|\bno (boxes|box|frames?|borders?)$", _PLAIN),
    Sentence(
        r"\bscreen\b.*\b(broken|garbled|weird|wrong|mess)"
        r"|^(refresh|redraw|clear|cls)( (screen|display|terminal|page|it))*$",
        _REDRAW,
    ),
    Sentence(rf"\b({_SOUND}) off\b|\b(no|mute|stop|off)\b.*\b({_SOUND})$", "set notice off"),
    Sentence(r"\bcards? (?:to |as |in )?(letters|suits|words)$", r"set cards \1"),
    Sentence(r"\boffline\b|\b(install|download)\w*", _NEEDED),
    Sentence(
        r"\b(phone(?! rings| is ringing)|mobile|iphone|android|ipad|tablet|app|browser|website|windows|mac|linux)\b",
        _phone,
    ),
)
