"""The limits: what one connection, player, address or table may use, and how much the server holds in all.

Beyond a limit, input is dropped, refused or made to wait, or the oldest of its kind is closed or forgotten.
"""

from typing import Final

from server.ledger import RateLimit, Resource

PROCESSES: Final = 64
"""The most processes of one server."""

COLUMNS: Final = range(20, 301)
ROWS: Final = range(5, 101)
USUAL_SIZE: Final = (80, 24)
"""Columns and rows if a terminal does not say its size, or says nonsense."""
LEAST_SCREEN: Final = (60, 20)
"""The smallest size for the full screen; below it there is only line mode."""
TERM_LENGTH: Final = 32

KEYS_WAITING: Final = 512
"""Keys typed ahead; more are dropped."""
KEYS_PER_TICK: Final = 24
"""Keys of one session that are handled before other sessions get their turn."""
ESCAPE_LENGTH: Final = 32
"""Characters in one escape sequence; a longer one is ignored."""
ESCAPE_SECONDS: Final = 0.1
"""How long to wait for the rest of an escape sequence; after that it was the Esc key."""
PASTE_LENGTH: Final = 2_048
LINE_LENGTH: Final = 300
HISTORY_LINES: Final = 50
HISTORY_LENGTH: Final = 8_192
"""Typed lines that one session can recall, and the characters in all of them together."""
LINES_WAITING: Final = 64
"""Lines typed ahead; with more, reading from the client pauses. What was sent by then still counts."""
INPUT_WAITING: Final = 16_384
"""Bytes waiting to be processed; with more, reading from the client pauses."""
LINES: Final = Resource(
    "lines",
    "session",
    RateLimit(1_000, 50.0),
    beyond="a line waits; the rate lets scripts through",
)

READ_AT_ONCE: Final = 2048
"""Bytes read from one connection before other connections get their turn."""
INPUT: Final = Resource(
    "input-bytes",
    "connection",
    RateLimit(1 << 20, 128 * 1024),
    beyond="more input waits in the client's own socket",
)
COMPUTING: Final = Resource(
    "computing-seconds",
    "address",
    RateLimit(0.05, 0.05),
    beyond="steps wait for those within their shares; a move costs some 0.005 with its keys and its screen",
    processes="each",
)
TURN_SECONDS: Final = 0.004
"""Seconds of computing for sessions within their shares in one turn of the event loop; the rest waits for the next."""
PIECE_SECONDS: Final = 0.002
"""How long work that can be divided goes on before others get their turn."""
WAIT_TOLD_SECONDS: Final = 0.2
"""After waiting so long for its turn a session is told."""

STRANGERS: Final = Resource(
    "connections-without-login",
    "server",
    64,
    beyond="the oldest is closed",
    of_address=1,
    processes="divided",
)
OPEN_CONNECTIONS: Final = Resource(
    "connections",
    "server",
    1_200,
    beyond="one of the address that has most is closed for one that has none; the number is a setting",
    of_address=1,
    processes="divided",
)
CONNECTIONS: Final = Resource(
    "new-connections",
    "address",
    RateLimit(20, 0.5),
    beyond="it is refused; as many may come at once as may be in, if that is more (`per_address`)",
    processes="divided",
)
LEAST_CONNECTION_BURST: Final = 5
"""How many at once at one of many processes, since no address's connections are spread evenly."""
PENALTY_NO_LOGIN: Final = 5.0
"""Seconds of penalty for a connection that closes without a login."""
PENALTY_ABUSE: Final = 60.0
"""Seconds of penalty for what no honest client does."""
PENALTY_IGNORED: Final = 15.0
PENALTY_LONGEST: Final = 600.0
"""Seconds. A shorter penalty is ignored; all penalties together are never longer."""
ADDRESSES_REMEMBERED: Final = 10_000
"""Addresses whose connections and penalties are remembered."""
PROXY_SECONDS: Final = 5.0
DENIALS_TOLD: Final = 32
DENIAL_SECONDS: Final = 2.0
"""How many denied connections at a time are told why, and how long they have to read it."""

LOGIN_SECONDS: Final = 20
LOGIN_BYTES: Final = 64 * 1024
"""Bytes that a client may send before its login."""
LOGIN_KEYS: Final = 6
FIRST_SESSION_SECONDS: Final = 15.0
"""How long a client may be logged in without opening a session."""
IDLE_WARNING_SECONDS: Final = 60.0
"""How long before the idle limit a player is warned."""
KEY_EXCHANGES: Final = Resource(
    "key-exchanges",
    "connection",
    RateLimit(20, 1.0),
    beyond="the client is disconnected; the first one counts, too",
)
SESSIONS_ASKED: Final = Resource(
    "sessions-asked-for",
    "connection",
    RateLimit(64, 1.0),
    beyond="the client is disconnected; refused sessions count, too",
)
ENVIRONMENT: Final = frozenset({"LANG", "LC_ALL", "LC_CTYPE", "COLORTERM", "NO_COLOR", "TERM_PROGRAM"})
ENVIRONMENT_LENGTH: Final = 64
"""The environment variables that a client may set, and the length of each value in bytes."""
REDRAW_SECONDS: Final = 0.04
"""The shortest time between two frames of a screen or a page."""
RESIZE_SECONDS: Final = 0.125
"""How soon after a change of window size the next one is used."""

PROBE_SECONDS: Final = 0.3
"""How long to wait for a terminal's cursor position."""

OUTPUT_WAITING: Final = 256 * 1024
"""Bytes that a client has not read yet; with more, frames are skipped."""
STALL_SECONDS: Final = 0.25
"""How often to check whether such a client has caught up."""
OUTPUT_STUCK_SECONDS: Final = 20.0
"""How long a client may read nothing before it is disconnected."""

BOT_LINE: Final = 4096
"""Bytes in one line from a bot."""
COMMAND_LENGTH: Final = 256
"""Characters in the command of `ssh HOST COMMAND`."""
NAME_LENGTH: Final = 16
TALK_LENGTH: Final = 200
SESSIONS_PER_CONNECTION: Final = 4
REQUESTS_WAITING: Final = Resource(
    "requests-waiting", "table", 64, refusal="the table is busy: try again in a moment", processes="each"
)
BUSY_SECONDS: Final = 1.0
"""When a program may try again at a busy table."""
TABLES: Final = Resource(
    "tables-in-use",
    "server",
    500,
    refusal="too many tables are in use: sit down at one of them, or come later",
    beyond="one of the address that runs most, or with five minutes of silence, gives way, or it is refused",
    of_address=1,
)
"""The tables at which somebody is present. The others sleep in the log, and take neither memory nor time."""
TABLES_PER_CONNECTION: Final = Resource(
    "tables-of-an-address",
    "address",
    2,
    leaves=20 * 2_800,
    refusal="your address has opened {most} tables: sit down at one of them, or leave one",
    beyond="its empty ones are closed, or it is refused; so many are for each of its connections (`per_address`)",
)
TABLES_PER_PLAYER: Final = Resource(
    "tables-of-a-player",
    "player",
    8,
    refusal="you have opened {most} tables: sit down at one of them, or leave one",
    beyond="its empty ones are closed, or it is refused",
)
TABLES_OF_OCCASION: Final = Resource(
    "tables-for-an-occasion",
    "address",
    10,
    refusal="too many people at your address play {what}: come again later",
    beyond="it is refused; so many are for each connection that it may have (`per_address`)",
)
WORD_LENGTH: Final = 32
"""Characters in the word of a private table, and in the text of a cut."""
OPENING_SECONDS: Final = 10
"""Seconds that players have to open their sealed cuts before the cards are dealt without them."""
AGREEING_SECONDS: Final = 10
"""Another game begins so long after a player has asked for it, if not all people at the table agree before."""
CLOCK_SECONDS: Final = range(5, 3601)
"""Seconds that a table may give for a decision."""
ARRANGING_MOVES: Final = Resource(
    "swaps-and-lays", "player", 40, refusal="you have arranged your cards {most} times: type ready"
)
"""Before a game begins: each is an entry in the log for ever."""
SANCTIONS: Final = Resource(
    "bans-mutes-and-names-given",
    "server",
    1000,
    refusal="there are {most} of them already",
)
"""So many of each kind."""
ACCOUNTS: Final = 200_000
"""Accounts that are kept; with more, players with new keys are guests."""
NEW_ACCOUNTS: Final = Resource(
    "new-accounts",
    "caller",
    RateLimit(200, 1 / 600),
    beyond="players with new keys are guests",
    leaves=3_500,
)
WRONG_GUESSES: Final = Resource(
    "wrong-secrets",
    "caller",
    RateLimit(5, 1 / 60),
    beyond="every word of a private table and every code is refused, even a right one",
    refusal="there were too many wrong words or codes: wait a minute, then try again",
)
WRONG_GUESSES_AT_TABLE: Final = Resource(
    "wrong-words-at-a-table",
    "table",
    RateLimit(100, 1.0),
    beyond="every word is refused there, even the right one",
    of_address=WRONG_GUESSES.share.per_second,
    refusal=WRONG_GUESSES.refusal,
)
CODES_SHOWN: Final = Resource(
    "codes-shown",
    "address",
    RateLimit(10, 1 / 60),
    refusal="many codes were shown at your address: wait a minute",
)
"""Codes that link a key, and codes with which a guest goes on at another device."""
WORK: Final = Resource(
    "worker-seconds",
    "address",
    RateLimit(20.0, 0.1),
    beyond="AI players are hurried while others wait, and count as that, not as their level; other work waits",
    processes="each",
)
SEARCHES_PER_ADDRESS: Final = Resource(
    "long-searches",
    "address",
    4,
    beyond="one that judges a whole game is refused",
    refusal="{most} games are being reviewed from your address: try again when one of them is done",
    processes="divided",
)
IGNORED: Final = Resource("ignored-players", "session", 100, refusal="you cannot ignore more than {most} players")
PLAYER_REQUESTS: Final = Resource("requests", "session", RateLimit(40, 20.0), beyond="a change that is requested waits")
NEW_TABLES_PER_ADDRESS: Final = Resource(
    "new-tables",
    "address",
    RateLimit(200, 0.5),
    refusal="many tables were opened from your address: wait some seconds",
)
DEALS: Final = Resource(
    "deals",
    "address",
    RateLimit(200, 0.25),
    beyond="it is refused, since each leaves a game that may be kept",
    refusal="many games were begun from your address: wait some seconds",
)
DEALS_LEFT: Final = Resource(
    "deals-left",
    "account",
    RateLimit(3, 3 / 86_400),
    beyond="a player who leaves a rated game before a card is played has lost it: nobody chooses among deals",
)
GAMES_KEPT: Final = Resource(
    "games-kept",
    "address",
    RateLimit(200, 1 / 60),
    beyond="the game is played, but not kept, unless it is one of an occasion, or is rated for a person with a key",
)
PAGE_BYTES: Final = 4096
"""The bytes of a page, by which games are charged."""
PAGES_KEPT: Final = Resource(
    "pages-kept",
    "address",
    RateLimit(3_000, 0.1),
    beyond="games are played, but neither kept nor rated, unless of an occasion; each page has 4 KiB of a game",
    leaves=5_100,
)
TALK: Final = Resource(
    "talk",
    "session",
    RateLimit(5, 1.0),
    refusal="you talk too fast: wait a few seconds",
)
TALK_OF_ADDRESS: Final = Resource(
    "talk-of-an-address",
    "address",
    RateLimit(20, 2.0),
    refusal="many talk at your address: wait a few seconds",
)
"""Of an address, and not of a room: nobody can silence others by talking a lot."""
TALK_REPEATED_SECONDS: Final = 15.0
"""A line is not said again so soon."""
INVITATIONS: Final = Resource(
    "invitations-of-one-player", "session", RateLimit(2, 1 / 60), refusal="you have just invited {name}: wait a minute"
)
"""Of one player: to a table once, so that one to another table may take its place."""
TALK_KEPT: Final = 20
TALK_KEPT_SECONDS: Final = 600
"""Lines of talk that a player who comes to a table or to the lobby is shown, and how old they may be in seconds."""

RESOURCES: Final = tuple(each for each in [*globals().values()] if isinstance(each, Resource))
"""All that are declared here."""


def clamp(columns: int, rows: int) -> tuple[int, int]:
    """A usable size for the size that a terminal claims; for nothing, the usual size."""
    if columns <= 0 or rows <= 0:
        return USUAL_SIZE
    return min(max(columns, COLUMNS.start), COLUMNS.stop - 1), min(max(rows, ROWS.start), ROWS.stop - 1)
