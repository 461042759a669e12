"""What hosts type at a console in their own words, and the console's way to it: it stands in the place of a refusal."""

import re
import shutil
import sys
from pathlib import Path
from typing import Final

from engine.wording.phrases import quantity
from server.commands.finding import HostWords, bare_words, spoken
from server.commands.registry import command_named
from server.lobby.lobby import Lobby
from server.table.place import PROMPT

_LEAD_IN: Final = re.compile(
    r"^((ask|help|how|where|what|is|are|can|could|do|does|i|we|you|to|the|a|an|my|let's|lets|"
    r"make|take|get|show|open(?!( (a|the|new))* tournament)|see|list|me|us|all|phones?(?= address)) )*"
)
"""Words before the one that tells what is wanted."""


def _stop(lobby: Lobby, _: str) -> str:
    waits = "drain stops the server when the games are over, " if command_named("drain", lobby.features) else ""
    return f"{waits}quit closes the console: where the server was started, it stops the server."


STOP: Final = HostWords(
    "(quit|exit|q|stop|close|closing|shut ?down|halt|end|finish|kill|terminate|power ?off|turn off"
    "|send( (all|everybody|everyone|people|them))+ home)(?!( the)? (chat|door|games?|tables?|tournament)\\b)",
    _stop,
)
STATUS: Final = HostWords(
    "(status|stats?|load|state|health|((server|everything|all) )?(ok|okay|fine|alive|healthy|working))",
    lambda _, __: "The first row tells how the server is; people, tables and log show the rest.",
)
UP: Final = HostWords(
    "long (has|have|is|was) (it|this|the server)( been)? (up|on|running)",
    lambda _, __: "uptime tells how long the server has run.",
)
GUESTS: Final = HostWords(
    "(guests|visitors|users|who|(any|every|some)(body|one))( (is|are|plays|here|there|in|online|playing|where))*",
    lambda _, __: "Type who to see the players and where they are, tables for the games.",
)
SEATED: Final = HostWords(
    "add( (a|an|some|more))* (bots?|ais?|ai players?|computers?|opponents?)",
    lambda _, __: "In a session, add seats an AI player at your table.",
)
LOGGED: Final = HostWords("(logs?|errors?|logged|log ?file)", lambda _, __: "log shows what was logged, Esc all parts.")
JOIN: Final = HostWords(
    r"((\S+ )?(join|come in|get in|connect)|(qr|code|scan)( .*)?|address(es)?( .*)?|url|link|phones?)",
    lambda _, __: "join shows what guests type and open, the QR code, and the server's key in words.",
)
MANY: Final = HostWords(
    "many( (people|players|guests|games|tables|are|is|there|here|playing|online|connected|in))*",
    lambda lobby, _: (
        f"The first row counts them: {quantity(len(lobby.visitors.everybody()), 'player')} here now, and the tables."
    ),
)
LOCK: Final = HostWords(
    "((lock|shut|bar)( .*)?|close (the )?door|(let )?(nobody|no ?one|no more)( .*)?|keep .* out)",
    lambda _, __: (
        "allow_file in the settings lets in listed keys alone; new word=apple, in a session, opens a table "
        "for those who know the word."
    ),
)
STANDS: Final = HostWords(
    "((who|which)( (is|are|has))* (winning|losing|ahead|leading|won|lost)|(results?|scores?|standings|winners?)( .*)?)",
    lambda _, __: "Type tables for the games and their players, log for who has won, top for the best players.",
)


def way_for(text: str, lobby: Lobby) -> str:
    """What to tell a host who has typed this, which is no command; empty if it says nothing that is known."""
    said, words_typed = _LEAD_IN.sub("", spoken(text)), bare_words(text)
    for words in (*lobby.features.all(HostWords), STOP, STATUS, UP, LOGGED, MANY, JOIN, STANDS, GUESTS, SEATED, LOCK):
        if found := re.match(rf"{words.said}(?: (.*))?$", said):
            behind = (found[found.re.groups] or "").split()
            # Names stand in their letters.
            if told := words.told(lobby, " ".join(words_typed[len(words_typed) - len(behind) :])):
                return told.replace(" quatch ", f" {own_program()} ")
    named, rest = command_named(said.partition(" ")[0], lobby.features), said.partition(" ")[2]
    if said != spoken(text) and named and named.works(PROMPT) and (" " in named.usage or not rest):
        return f"Type {named.usage.partition(' [')[0]}: {named.help}."
    return GUESTS.told(lobby, said) if spoken(text).startswith("where ") else ""


def way_in_shell(text: str, lobby: Lobby) -> str:
    """What to tell an op who has typed this behind `ssh HOST admin`; empty as for `way_for`."""
    way = way_for(text, lobby)
    return f"ssh -t HOST admin opens the console. {way}" if way else ""


def own_program() -> str:
    """What starts this program in a shell, as the host has typed it."""
    typed = sys.argv[0]
    is_found = Path(typed).name != "quatch" or shutil.which("quatch") == str(Path(typed).absolute())
    return "quatch" if is_found else typed
