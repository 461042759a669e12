"""How much of anything one connection may ask for. Measured in SECURITY.md; a limit is met silently or in one line."""

from typing import Final

COLUMNS: Final = range(20, 251)
ROWS: Final = range(5, 81)
USUAL_SIZE: Final = (80, 24)
"""Columns and rows where a terminal does not say, or says nonsense."""
LEAST_SCREEN: Final = (60, 20)
"""Columns and rows below which there is only line mode."""
TERM_LENGTH: Final = 32

KEYS_WAITING: Final = 512
"""Keys typed ahead; more are dropped."""
KEYS_PER_TICK: Final = 24
"""Keys one session may have handled before the others get their turn."""
ESCAPE_LENGTH: Final = 32
"""Characters of one escape sequence; a longer one is no key."""
ESCAPE_SECONDS: Final = 0.1
"""How soon the rest of an escape sequence comes; later it was the Esc key alone."""
PASTE_LENGTH: Final = 2_048
LINE_LENGTH: Final = 300
"""Characters in one typed line."""
HISTORY_LINES: Final = 50
HISTORY_LENGTH: Final = 8_192
"""Typed lines that one session can recall, and the characters in all of them together."""
SEARCH_LENGTH: Final = 24
"""Characters that can be searched for in them."""
LINES_WAITING: Final = 64
"""Lines typed ahead from which on the other side has to wait; what it had sent by then still counts."""
INPUT_WAITING: Final = 16_384
"""Bytes that have come and wait to be heard, from which on the other side has to wait."""
LINES_AT_ONCE: Final = 1_000
LINES_PER_SECOND: Final = 50.0
"""Lines that one visit may have carried out, a burst first: a script is no flood."""

READ_AT_ONCE: Final = 2048
"""Bytes of one connection that are read before the others get their turn."""
INPUT_AT_ONCE: Final = 1 << 20
INPUT_PER_SECOND: Final = 128 * 1024
"""Bytes that one connection may send: a burst first; what is more waits in the sender's own socket."""
WORK_AT_ONCE: Final = 0.25
WORK_PER_SECOND: Final = 0.05
"""Seconds of computing that taking in one connection's bytes may cost, a burst first: floods of tiny packets."""

UNAUTHENTICATED: Final = 64
"""Connections that have not logged in yet, in all; one more costs the oldest."""
UNAUTHENTICATED_PER_ADDRESS: Final = 10
CONNECTIONS_AT_ONCE: Final = 20
CONNECTIONS_PER_SECOND: Final = 0.5
"""Connections that one place may begin: a burst first."""
PENALTY_NO_LOGIN: Final = 5.0
"""Seconds of penalty for going without having logged in."""
PENALTY_ABUSE: Final = 60.0
"""The same for what no honest client does."""
PENALTY_IGNORED: Final = 15.0
PENALTY_LONGEST: Final = 600.0
"""Seconds: less than the first is not felt, more than the second never comes together."""
ADDRESSES_REMEMBERED: Final = 10_000
"""Places that are remembered with their faults."""
PROXY_HEADER: Final = 512
"""Bytes behind the fixed part of a PROXY header; the longest addresses take 216."""
PROXY_SECONDS: Final = 5.0
DENIALS_TOLD: Final = 32
DENIAL_SECONDS: Final = 2.0
"""How many of those turned away are told why at a time, and how long they have to read it."""

LOGIN_SECONDS: Final = 20
LOGIN_BYTES: Final = 64 * 1024
"""What a client may send before it has logged in."""
LOGIN_KEYS: Final = 6
"""Keys that a client may offer."""
FIRST_SESSION_SECONDS: Final = 15.0
"""How long somebody may be logged in and open no session."""
IDLE_WARNING_SECONDS: Final = 60.0
"""How long before they are let go people are told who have typed nothing for long."""
KEY_EXCHANGES_AT_ONCE: Final = 20
KEY_EXCHANGES_PER_SECOND: Final = 1.0
"""Key exchanges of one connection, the first one counted: who wants more is cut off."""
SESSIONS_ASKED_AT_ONCE: Final = 64
SESSIONS_ASKED_PER_SECOND: Final = 1.0
"""Sessions that a client may ask for, whether it gets them or not: who asks for more is cut off."""
ENVIRONMENT: Final = frozenset({"LANG", "LC_ALL", "LC_CTYPE", "COLORTERM", "NO_COLOR", "TERM_PROGRAM"})
ENVIRONMENT_LENGTH: Final = 64
"""The variables that a client may set, and the bytes that each may have."""
RESIZE_SECONDS: Final = 0.125
"""How soon after a change of size the next one counts."""

PROBE_SECONDS: Final = 0.3
"""How long a terminal has to say where its cursor is."""

SUBNEGOTIATION: Final = 256
"""Bytes of one telnet subnegotiation; the longest honest one is a list of character sets."""
TELNET_GRACE: Final = 1.0
"""Seconds that a telnet client may be silent about itself before it is served in plain lines."""
TELNET_GRACES: Final = 5
"""How often each answer of a telnet client may begin the grace anew."""

OUTPUT_WAITING: Final = 256 * 1024
"""Bytes not yet taken by a slow reader: from here on frames are skipped."""
STALL_SECONDS: Final = 0.25
"""How often a reader that is behind is looked at again."""
OUTPUT_STUCK_SECONDS: Final = 20.0
"""How long a reader may take nothing before it is cut off."""

BOT_LINE: Final = 4096
"""Bytes of one line from a bot."""
BOT_ERRORS: Final = 10
"""Errors in a row that end a bot's connection."""
COMMAND_LENGTH: Final = 256
"""Characters of a command given to ssh itself."""
NAME_LENGTH: Final = 16
TALK_LENGTH: Final = 200
SESSIONS_PER_CONNECTION: Final = 4
REQUESTS_WAITING: Final = 64
"""Requests waiting for a table's coordinator; more are refused at once."""
TABLES: Final = 500
TABLES_PER_CONNECTION: Final = 2
"""Tables that may be open which were opened from one place, for each connection that the place may have."""
WORD_LENGTH: Final = 32
"""Characters of the word of a private table, and of a text to cut the cards with."""
CLOCK_SECONDS: Final = range(5, 3601)
"""Seconds that a table may give for a decision."""
ARRANGING_MOVES: Final = 40
"""How often a person may swap or lay before a game begins: every time is an entry in the log for ever."""
SANCTIONS: Final = 1000
"""Bans that there may be, and mutes."""
LINKS: Final = 10_000
LINKS_PER_ACCOUNT: Final = 8
"""Keys that are linked, in all and for one person."""
LINK_SECONDS: Final = 600
"""How long a word waits for the other device."""
LINK_TRIES: Final = 5
LINK_TRIES_PER_SECOND: Final = 0.1
"""Words that one visit may try, a burst first. With the rates of the door that is some 1,600 from one place while a
word holds, of 656 thousand million words."""
DRAIN_MINUTES: Final = 30
DRAIN_MINUTES_MOST: Final = 24 * 60
"""How long a server that stops waits for running games where nobody says, and at most."""
IGNORED: Final = 100
"""People that one visit may ignore."""
ACTS_AT_ONCE: Final = 40
ACTS_PER_SECOND: Final = 20.0
"""What one player may change, a burst first; who is faster has to wait."""
NEW_TABLES_AT_ONCE: Final = 5
NEW_TABLES_PER_SECOND: Final = 0.2
"""Tables that one visit may open: a burst first."""
TALK_AT_ONCE: Final = 5
TALK_PER_SECOND: Final = 1.0
"""Lines of talk: a burst first."""


def clamp(columns: int, rows: int) -> tuple[int, int]:
    """A usable size for whatever a terminal claims its size to be; nothing at all means the usual one."""
    if columns <= 0 or rows <= 0:
        return USUAL_SIZE
    return (
        min(max(columns, COLUMNS.start), COLUMNS.stop - 1),
        min(max(rows, ROWS.start), ROWS.stop - 1),
    )
