"""The page of a tournament: everything that it leaves behind, for players, for programs, and as a text file."""

from msgspec import Struct

from server.ai.pool import WorkerFailed
from server.commands.registry import Answer, Context
from server.commands.tournament_answers import TournamentJson, tournaments_json
from server.commands.tournament_verbs import Verb
from server.language.tournament_page import earned, meetings, page_lines
from server.language.tournament_text import name_of
from server.tournament.honours import BestGame
from server.tournament.state import PlayedBoard, PlayedRound, Tournament


class _SeatJson(Struct):
    name: str
    """Empty for an AI player."""
    rank: int | None
    """1 is best; null while the game goes on."""


class _GameJson(Struct):
    round: int
    final: bool
    game: str
    """Empty for a player who sat out."""
    void: bool
    seats: list[_SeatJson]


class _HonourJson(Struct):
    honour: str
    names: list[str]
    value: int


class _BestGameJson(Struct):
    game: str
    winner: str
    move: int
    chance: float


class _ResultsJson(Struct):
    tournament: TournamentJson
    games: list[_GameJson]
    met: dict[str, dict[str, int]]
    """How often each player has met each other one."""
    honours: list[_HonourJson]
    game_of_the_night: _BestGameJson | None
    """Null before the end."""


@Verb("results [NAME]")
async def results(context: Context, rest: str) -> Answer:
    """Show everything: standings, honours, all games, who met whom."""
    state = (await context.lobby.tournaments.find(rest)).state
    best = await _best_game(context, state)
    lines = page_lines(state, best, context.player.id)
    return Answer(lines, _json(context, state, best), title=state.name)


async def _best_game(context: Context, state: Tournament) -> BestGame | None:
    """The game of the night once the tournament is over; None if the workers cannot tell now."""
    if state.phase != "over":
        return None
    try:
        return await context.lobby.games_of_the_night.of(state)
    except WorkerFailed:
        return None


def _json(context: Context, state: Tournament, best: BestGame | None) -> _ResultsJson:
    def name(player: str) -> str:
        return name_of(state, player) if player else ""

    return _ResultsJson(
        tournaments_json(context, state).tournaments[0],
        [_game(state, played, board) for played in state.rounds for board in played.boards],
        {name(player): {name(other): times for other, times in met.items()} for player, met in meetings(state).items()},
        [_HonourJson(each.kind, [name(player) for player in each.players], each.value) for each in earned(state)],
        None if best is None else _BestGameJson(best.game, name(best.seats[best.winner]), best.ply, best.chance),
    )


def _game(state: Tournament, played: PlayedRound, board: PlayedBoard) -> _GameJson:
    seats = board.board.seats
    ranks = board.ranks or (None,) * len(seats)
    return _GameJson(
        played.number,
        played.final,
        board.board.game,
        board.void,
        [_SeatJson(name_of(state, player) if player else "", rank) for player, rank in zip(seats, ranks, strict=True)],
    )
