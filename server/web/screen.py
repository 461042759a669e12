"""What a page shows of a scene, as values, and what can be done as a list. Pure; it draws from views.

All words come from `language` and from the registry of commands; here they are only put in their places.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final

from msgspec.structs import replace

from engine.ai.arranging import shown_arrangements
from engine.cards import RANK_CARDS, CardSet, Rank, card_name, cards_in, rank_label, ranks_in
from engine.legality import open_zone
from engine.moves import READY, Flip, Move, Pick, Play, Swap, play_of
from engine.rulesets import DEFAULT
from engine.view import View
from engine.wording.phrases import move_words, quantity, sentence_case
from engine.wording.pile_text import playable_words
from engine.wording.rules_sheet import arrange_note, in_short
from server.language.event_text import AWAY
from server.language.position_text import results_text, seats_text, whose_turn_text
from server.language.table_list import listing_text, sleeping_seat_text
from server.render.canvas import MOMENTS_KEPT, PARTS_KEPT
from server.render.lobby_frame import HINTS, first_steps
from server.render.scene import PLAY, Scene
from server.render.seat_rows import Seat as SeatOf
from server.render.seat_rows import others
from server.render.table_frame import heading, run_text
from server.table.occasion import ANOTHER_GAME
from server.table.snapshot import Listing, Snapshot
from server.web.messages import Act, Group, Listed, Lobby, Own, Pile, Seat, Shown, Table, Text

LOG: Final = 8
TALK: Final = 20
UNDER: Final = 7
"""The most lines of log and talk, and cards of the pile, that a page is sent."""
TAPPED: Final = AWAY.replace("type back", "tap Back")
OWN_KEPT: Final = 512
"""How many players' own cards are kept: at most moves they stay as they are."""


def shown(scene: Scene, again: str, *, calls: bool) -> Shown:
    """The scene as a page shows it. ``again``: the line that the player was asked to send once more."""
    snapshot = scene.snapshot
    return Shown(
        name=scene.name,
        phase="lobby" if snapshot is None else "open" if snapshot.view is None else snapshot.view.phase,
        at=at(snapshot),
        look=scene.settings.colour,
        calls=calls,
        notice=scene.notice.text if scene.notice else scene.invitation and f"{scene.invitation}.",
        answer=scene.answer,
        again=_again(again, snapshot) if again and scene.answer else None,
        text=Text(scene.page.title, scene.page.lines) if scene.page else None,
        table=None if snapshot is None else _table(snapshot),
        lobby=_lobby(scene) if snapshot is None else None,
        log=[line.replace(AWAY, TAPPED) for line in scene.log[-LOG:]],
        talk=scene.talk[-TALK:],
        acts=_lobby_acts(scene) if snapshot is None else _acts(scene, snapshot),
    )


def at(snapshot: Snapshot | None) -> str:
    """What a page sends back with a line, so that no move is made at another moment than the one that was shown."""
    return f"{snapshot.game}/{snapshot.ply}" if snapshot is not None else ""


def _act(line: str, says: str = "") -> Act:
    return Act(sentence_case(line), do=line, says=says)


def _move_act(move: Move, label: str, says: str = "") -> Act:
    """The button of a move. A swap is an action here as for bots, so that a program that makes any move gets ready."""
    if isinstance(move, Swap):
        return Act(label, do="swap", of=f"{move.hand} {move.up}", says=says)
    return Act(label, str(move), says=says)


def _again(asked: str, snapshot: Snapshot | None) -> Act:
    """The button of what the player was asked to type again: a move only as long as they can make it."""
    can_move = snapshot is not None and not snapshot.away and asked in map(str, snapshot.legal)
    return Act(sentence_case(asked), move=asked) if can_move else _act(asked)


# The lobby.


def _lobby(scene: Scene) -> Lobby:
    steps = [_act(scene.offer.line if typed == "Enter" else typed, what) for typed, what in first_steps(scene).items()]
    steps += [_act(scene.teaches.word, f"learn the game in {scene.teaches.how_long}")] if scene.teaches else []
    if scene.notice and scene.notice.invites:
        steps.insert(0, _act(scene.notice.invites))
    lines = [*map(sleeping_seat_text, scene.kept_seats)]
    if scene.teaches:
        lines += in_short(scene.rulebook.find(DEFAULT))
    return Lobby(
        [person.name for person in scene.people],
        steps,
        [Listed(listing_text(table), _way_to(table)) for table in scene.tables],
        [line for line in lines if line],
    )


def _lobby_acts(scene: Scene) -> list[Act]:
    others = (hint.text for hint in scene.hints if not hint.about)
    first = ["new"] if scene.offer == PLAY else [PLAY.line, "new"]
    return [*map(_act, [*first, *(hint for hint in HINTS if hint.isalpha()), *others])]


def _way_to(table: Listing) -> Act | None:
    way = "sit" if table.open_seats else "watch"
    return None if table.private else _act(f"{way} {table.number}")


# The table.


def _table(snapshot: Snapshot) -> Table:
    """What is seen from a seat, or by a spectator: what all see, of which little is made anew."""
    view, shared = snapshot.view, _shared(snapshot.public)
    if view is None:
        return replace(shared, lines=[*seats_text(snapshot)][1:])
    if snapshot.stats is not None:
        return replace(shared, pile=None, lines=results_text(snapshot))
    arranges, seats = view.phase == "arrange", shared.seats
    meanwhile = "" if snapshot.place.kind == "exercise" else shared.turn  # an exercise is done then
    return replace(
        shared,
        turn=whose_turn_text(snapshot, view) if arranges or snapshot.my_turn else meanwhile,
        mine=snapshot.my_turn and not snapshot.away,
        seats=[*map(seats.__getitem__, others(view))],
        own=None if view.seat is None else _own(snapshot, view, view.seat),
        lines=[arrange_note(view.rules)] if arranges else [],
    )


@lru_cache(MOMENTS_KEPT)
def _shared(public: Snapshot) -> Table:
    """What all at the table see alike, with all its seats."""
    view = public.view
    counted = f"{public.place.count} {public.ply}" if view is not None and public.place.count else ""
    rating = public.rating if public.playing or public.rating.startswith("not") else ""  # of the next game only this
    named = Table(heading(public), public.rules.title, ", ".join(filter(None, (counted, rating))))
    if view is None:
        return named
    seats = [_seat(SeatOf.of(public, view, seat)) for seat in view.seats]
    return replace(
        named,
        turn=whose_turn_text(public, view) if public.playing else "",
        seats=seats,
        pile=_pile(view) if view.phase != "arrange" else None,
    )


def _pile(view: View) -> Pile:
    cards = [card_name(card) for card in view.pile[: -UNDER - 1 : -1]]
    return Pile(len(view.pile), cards, playable_words(view), run_text(view), view.stock_left, len(view.bin))


@lru_cache(PARTS_KEPT)
def _seat(seat: SeatOf) -> Seat:
    return Seat(
        seat.name,
        seat.level.strip(),
        seat.state.strip(),
        seat.moves,
        seat.hand_count,
        ["" if card is None else "##" if card < 0 else card_name(card) for card in seat.up_slots],
        seat.hidden,
        seat.reserve_count,
        _names(seat.hand),
    )


def _names(cards: CardSet) -> list[str]:
    return [*map(card_name, cards_in(cards))]


def _own(snapshot: Snapshot, view: View, seat: int) -> Own:
    decides = snapshot.my_turn and not snapshot.away
    arranges = view.rules if decides and view.phase == "arrange" else None
    return _own_cards(
        SeatOf.of(snapshot, view, seat),
        tuple(snapshot.legal) if decides else (),
        played=open_zone(view, seat)[0] if decides and not arranges else 0,
        swaps=arranges is not None and arranges.arrange_mode == "swap",
        laid=arranges.arrange_lay if arranges else 0,
    )


@lru_cache(OWN_KEPT)
def _own_cards(seat: SeatOf, legal: Sequence[Move], *, played: CardSet, swaps: bool, laid: int) -> Own:
    """A player's own cards. ``played``: the cards of which they play now; ``laid``: how many to lay before the game."""
    counts = defaultdict[Rank, list[int]](list)
    for move in legal:
        if isinstance(move, Play) and move.rank_cards:
            counts[move.picks[0].rank].append(len(move.picks))
    groups = _groups(seat.hand, counts, is_played=played == seat.hand)
    if swaps:
        ranks = (rank for rank, _ in ranks_in(seat.hand))
        groups = [replace(each, others=_swaps(seat.ups, rank)) for each, rank in zip(groups, ranks, strict=True)]
    flips = {move.slot for move in legal if isinstance(move, Flip)}
    return Own(
        seat.hand_count,
        groups,
        _groups(seat.ups, counts, is_played=played == seat.ups),
        [None if card is None else _slot(at, can_be_turned=at in flips) for at, card in enumerate(seat.downs)],
        _names(seat.reserve),
        seat.state.strip(),
        lay=Act(sentence_case(f"lay {quantity(laid, 'card')}"), do="lay") if laid else None,
        choose=laid,
    )


def _swaps(ups: CardSet, rank: Rank) -> list[Act]:
    """The swaps of a card of this rank in the hand with each face-up one."""
    swaps = [(rank_label(up), Swap(Pick(rank), Pick(up))) for up, _ in ranks_in(ups) if up != rank]
    return [_move_act(swap, f"\u21c4{up}", sentence_case(move_words(swap))) for up, swap in swaps]


@cache
def _slot(slot: int, *, can_be_turned: bool) -> Act:
    move, label = Flip(slot), str(slot + 1)
    return _move_act(move, label, sentence_case(move_words(move))) if can_be_turned else Act(label)


def _groups(zone: CardSet, counts: Mapping[Rank, Sequence[int]], *, is_played: bool) -> list[Group]:
    """The cards of a zone by rank. ``counts``: how many of a rank can be played; ``is_played``: from this zone."""
    groups = list[Group]()
    for rank, held in ranks_in(zone):
        can = counts.get(rank, ()) if is_played else ()
        acts = [_play(rank, count) if count in can else None for count in range(1, held + 1)] if can else []
        why = f"why {rank_label(rank)}" if is_played and not acts else ""
        groups.append(Group(_names(zone & RANK_CARDS[rank]), acts, why=why))
    return groups


@cache
def _play(rank: Rank, count: int) -> Act:
    move = play_of(rank, count)
    return _move_act(move, "" if count == 1 else f"\u00d7{count}", sentence_case(move_words(move)))


# What can be done.


def _acts(scene: Scene, snapshot: Snapshot) -> list[Act]:
    """What can be done besides the moves that are shown at the cards."""
    view = snapshot.view
    if view is None or not snapshot.playing:
        return _between_games(scene, snapshot)
    if snapshot.away:
        return [*map(_act, ["back", "leave"])]
    if not snapshot.my_turn:  # in an exercise that is: it is done
        return [*map(_act, ["next", "leave"] if snapshot.place.kind == "exercise" else ["leave"])]
    asked = ["hint"] if snapshot.hints and view.phase == "play" and snapshot.place.kind == "table" else []
    return [*_moves(snapshot, view), *map(_act, [*asked, *(["why"] if view.phase == "play" else []), "leave"])]


def _moves(snapshot: Snapshot, view: View) -> list[Act]:
    """The moves that are not shown at one card: to take the pile, to pass, to be ready, to lay different ranks."""
    is_arranging = view.phase == "arrange"
    suggested = shown_arrangements(view, view.seat or 0, hints=snapshot.hints)[:1] if is_arranging else []
    moves = [*suggested, *snapshot.legal]
    return [
        _move_act(move, sentence_case("ready" if move == READY else move_words(move)))
        for move in moves
        if not (isinstance(move, Flip | Swap) or (isinstance(move, Play) and move.rank_cards))
    ]


def _between_games(scene: Scene, snapshot: Snapshot) -> list[Act]:
    is_spectator = snapshot.seat is None
    ways: Iterable[str] = ()
    if not snapshot.opening and snapshot.place.kind == "table":
        leads_on = "again" if snapshot.view and snapshot.next == ANOTHER_GAME else snapshot.next.command
        ways = [leads_on] if not is_spectator else [] if snapshot.is_barred else ["sit"]
    after = [each.word for each in scene.after_game if snapshot.stats and (each.is_for_all or not is_spectator)]
    invite = ["invite"] if None in snapshot.sitters and not snapshot.occasion else []
    joins = [_act(scene.offer.line, scene.offer.what)] if scene.offer.news else []
    return [*joins, *(_act(line) for line in dict.fromkeys((*ways, *after, *invite, "leave")) if line)]
