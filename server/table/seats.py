"""Who may take a seat, and what becomes of a seat that is left. Pure: each function returns a change for the log.

No other module makes the changes that fill or free a seat, `Sat`, `Left` and `Barred`.
"""

from msgspec import structs

from engine.errors import InputError
from server.people.names import looks
from server.people.players import IsAPersonsName, Player, new_ai_player, style_of
from server.storage.database import TakenSeat
from server.table.entries import Barred, Called, Left, Returned, Sat
from server.table.finished_game import RATED, rating_status, winner_without
from server.table.state import Seat, TableState


def sit(state: TableState, player: Player, table: int, *, watches: bool = False) -> Sat | Returned | None:
    """A player, who may watch the table already, takes the first empty seat, or between games an AI player's.

    If an AI player's name looks like the player's, it is that AI player who makes room. A player who has a seat takes
    it back, as `take_back` does. Raises InputError, also if another player has a name like theirs there.
    """
    if state.seat_of(player.id) is not None:
        return take_back(state, player.id)
    if state.occasion is not None:
        where, no_way = f"table {table} {state.occasion.strangers}", watches or state.occasion.alone
        raise InputError("private", where if no_way else f"{where}: type watch {table} to look on")
    if player.id in state.barred:
        raise InputError("barred", f"the host of table {table} does not want you to sit there")
    if state.opening:
        raise InputError("wrong_phase", f"a game is about to begin at table {table}: try again in a moment")
    own = looks(player.name)
    people = [seat.player for seat in state.seats if seat and seat.player.kind != "ai"]
    if namesake := next((each.name for each in people if own & looks(each.name)), ""):  # they came at one moment
        raise InputError("bad_request", f"another player called {namesake} sits at table {table}")
    free = [n for n, seat in enumerate(state.seats) if seat is None or (seat.player.kind == "ai" and not state.playing)]
    if free:
        alike = (n for n in free if (seat := state.seats[n]) and own & looks(seat.player.name))
        return Sat(next(alike, free[0]), player)
    full = f"table {table} has no free seat"
    way = "" if watches else f"type watch {table}{' and its word' if state.settings.word else ''} to look on"
    if any(seat and seat.player.kind == "ai" for seat in state.seats):
        ways = f"{way}; when it is over, sit" if way else "when it is over, sit"
        raise InputError("table_full", f"{full} in this game: {ways} takes an AI player's")
    raise InputError("table_full", f"{full}: {way or 'type leave'}, or open one with new")


def must_be_startable(state: TableState) -> None:
    """Raises InputError if players cannot start a game here now."""
    if state.playing:
        raise InputError("wrong_phase", "the game is going on already")
    if state.opening:
        raise InputError("wrong_phase", "the sealed cuts are being opened: then the cards are dealt")
    if state.others_wait:
        over, soon = "this game is over: leave goes to the lobby", "the cards are dealt in a few seconds"
        raise InputError("wrong_phase", soon if state.keeps_seats else over)


def must_know_word(state: TableState, player: Player, table: int, word: str) -> None:
    """Raises InputError at a private table if a player without a seat has not named its word."""
    if state.seat_of(player.id) is None and state.settings.word.lower() not in {"", word.lower()}:
        wrong, missing = f"{word!r} is not the word of table {table}", f"table {table} is private"
        way = "ask its players" if word else f"type its word, too, as in sit {table} WORD or watch {table} WORD"
        raise InputError("private", f"{wrong if word else missing}: {way}")


def must_be_welcome(state: TableState, player: Player, table: int) -> None:
    """Raises InputError if another plays alone here, or if a bot comes to a seat that is for people only."""
    occasion = state.occasion
    if occasion is None:
        return
    is_theirs = occasion.seat_of(player.id) is not None
    if occasion.alone and not is_theirs:
        raise InputError("private", f"table {table} {occasion.strangers}")
    if player.kind == "bot" and occasion.people_only and is_theirs:
        raise InputError("barred", f"table {table} is for people only: come in a terminal, not as a bot")


def add_ai_player(state: TableState, is_a_persons_name: IsAPersonsName, level: str = "", style: str = "") -> Sat:
    """An AI player takes the first empty seat, of the table's level unless one is named. Raises InputError."""
    if None not in state.seats:
        raise InputError("table_full", "there is no free seat for an AI player")
    return _ai_player_in(state, state.seats.index(None), is_a_persons_name, level, style)


def rename_ai_player(state: TableState, is_a_persons_name: IsAPersonsName) -> Sat | None:
    """An AI player takes the place of one whose name a person has; None if there is none.

    It plays in the same style if a name for that is left.
    """
    for number, seat in enumerate(state.seats):
        if seat and seat.player.kind == "ai" and is_a_persons_name(seat.player.name):
            level = seat.player.level or ""
            try:
                renamed = _ai_player_in(state, number, is_a_persons_name, level, style_of(seat.player))
            except InputError:
                renamed = _ai_player_in(state, number, is_a_persons_name, level)
            return structs.replace(renamed, level_named=seat.level_named)
    return None


def change_ai_level(state: TableState, level: str) -> Sat | None:
    """An AI player of another level becomes one of this level; None if there is none."""
    for number, seat in enumerate(state.seats):
        if seat and seat.player.kind == "ai" and seat.player.level != level:
            return Sat(number, structs.replace(seat.player, level=level))
    return None


def give_up(state: TableState, number: int, is_a_persons_name: IsAPersonsName = lambda _: False) -> Sat | Left:
    """A seat is left for good: an AI player takes it in a running game, else it is free.

    At a table whose AI players follow the host it has the level of those in the game.
    """
    if not state.playing:
        return Left(number)
    others = [seat.player.level for seat in state.seats if seat and seat.player.kind == "ai"]
    level = others[0] if others and state.settings.ai_level else None
    successor = _ai_player_in(state, number, is_a_persons_name, level or "")
    return structs.replace(successor, winner=winner_without(state, number))


def leave(state: TableState, player_id: str, is_a_persons_name: IsAPersonsName) -> Sat | Left | None:
    """A player gives up their seat; None if they have none."""
    number = state.seat_of(player_id)
    return None if number is None else give_up(state, number, is_a_persons_name)


def bar(state: TableState, player_id: str, by: str) -> Barred | None:
    """A player may never sit here again, as the player ``by`` decided; None if they have no seat."""
    return None if state.seat_of(player_id) is None else Barred(player_id, by)


def call_away(state: TableState, player_id: str) -> Called | None:
    """Excuse a player from the running game; None if they are out of it, have won it, or have no seat."""
    number = state.seat_of(player_id)
    is_in_game = number is not None and state.in_person(number) and number not in {*state.went_out, state.won}
    return Called(number) if number is not None and state.playing and is_in_game else None


def pays_for_deal_left(state: TableState, player_id: str) -> str | None:
    """The account that is charged if a player leaves now, before a card is played; empty if the game is not rated.

    None if a card was played, or they are out of the game.
    """
    if not state.arranging or (called := call_away(state, player_id)) is None:
        return None
    account = state.sitting(called.seat).player.account
    return account if account and rating_status(state).startswith(RATED) else ""


def take_back(state: TableState, player_id: str) -> Returned | None:
    """A player takes their seat back from the AI player that plays for them; None if none does."""
    number = state.seat_of(player_id)
    return Returned(number) if number is not None and state.sitting(number).away else None


def host_seat(state: TableState, player_id: str) -> int:
    """The seat of the table's host. Raises InputError if the player is somebody else."""
    seat = state.seat_of(state.host)
    if seat is None or player_id != state.host:
        raise InputError("bad_request", "only the host of the table can do that")
    return seat


def removable(state: TableState, number: int, player_id: str) -> Seat:
    """The seat that the host of the table wants to free. Raises InputError if the player is not the host, or cannot."""
    own = host_seat(state, player_id)
    seat = state.seats[number] if 0 <= number < len(state.seats) else None
    if seat is None or number == own:
        raise InputError("bad_request", "remove which player? Type remove 2 for seat 2, or remove and a name")
    if seat.player.kind == "ai" and state.playing:
        raise InputError("wrong_phase", "AI players are removed between games")
    return seat


def remove(state: TableState, player_id: str, by: str) -> Left | Barred | None:
    """The host of a table frees a player's seat; None if they have none. Raises InputError as `removable` does.

    An AI player leaves. Anybody else may never sit here again: their seat is to be freed after that.
    """
    if (number := state.seat_of(player_id)) is None:
        return None
    return Left(number) if removable(state, number, by).player.kind == "ai" else Barred(player_id, by)


def _ai_player_in(
    state: TableState, number: int, is_a_persons_name: IsAPersonsName, level: str = "", style: str = ""
) -> Sat:
    names = (seat.player.name for seat in state.seats if seat)
    return Sat(number, new_ai_player(names, level or state.settings.level_of_seats, style, is_a_persons_name))


def taken_seats(state: TableState) -> tuple[TakenSeat, ...]:
    """The seats of people and bots, as the log lists them."""
    players = (seat.player for seat in state.seats if seat and seat.player.kind != "ai")
    return tuple(TakenSeat(player.id, player.name, tuple(sorted(looks(player.name)))) for player in players)
