"""Events as sentences, the same ones for line mode and for the screen's log.

A sentence is put together from who, what and why, so that few stand here whole. Examples of what players read:

    Fox plays two sevens.                       You draw a queen and a four.
    Fox picks up the pile, 6 cards.             You pick up the pile, 1 card, having nothing to play.
    Fox passes.                                 You are out first!
    Fox wins the game! You have 3 cards left.      You are back. While you were away: 3 moves, none of them yours.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Final

from msgspec.structs import replace

from engine import events as game
from engine.ai import STYLES
from engine.cards import RANK_NAMES, Card
from engine.wording.phrases import counted_rank, listed, quantity, sentence_case
from engine.wording.pile_text import not_played_words
from server.limits import AGREEING_SECONDS, OPENING_SECONDS
from server.table import table_events as table
from server.table.snapshot import Sitter, Snapshot

AWAY: Final = "An AI player plays for you until you type back."
PLACES: Final = ("first", "second", "third", "fourth")
ZONES: Final = {"hand": "", "up": " from the face-up row", "down": " from the face-down row"}


class SeatNames:
    """What this player calls each seat: "You" for their own, unless an AI player plays it then, or at the end."""

    def __init__(self, snapshot: Snapshot, played_for: Collection[int] | None = None) -> None:
        at_end = snapshot.stats.stood_in if snapshot.stats else ()
        self._snapshot, self._played_for = snapshot, at_end if played_for is None else played_for
        self.me = snapshot.seat
        self.count = len(snapshot.sitters)
        self.rules = snapshot.rules
        self.agreed = snapshot.agreed

    @property
    def everybody(self) -> str:
        """All players: this one, the other persons, the AI players."""
        sitters = self._snapshot.sitters
        ai = [sitter.name for sitter in sitters if sitter and sitter.is_ai]
        people = [self.name(seat) for seat in mine_first(self._snapshot) if self._snapshot.name(seat) not in ai]
        machines = f"{'AI player' if len(ai) == 1 else 'AI players'} {listed(ai, 'and')}" if ai else ""
        return " with ".join(filter(None, [listed(people, "and"), machines]))

    def came_in(self, seats: Sequence[int]) -> str:
        """The player's place in a game that another has won, or the cards left if the rules know only a winner."""
        stats = self._snapshot.stats
        if self.me is not None and self.me in seats and len(seats) == self.count:
            place = stats.ranks[self.me] if stats else seats.index(self.me) + 1
            return "You lose" if place == self.count else f"You are {ordinal(place)}"
        view = self._snapshot.view
        if view is None or self.me is None:
            return ""
        cards = view.cards_of(self.me)
        return f"You have {quantity(cards, 'card')} left" if cards else "Your cards are out, but you are last"

    def won(self) -> str:
        """Who has won, and why, if the cards' winner has not: "You win: bo left."; else empty."""
        if (stats := self._snapshot.stats) is None or not stats.won_because:
            return "Nobody wins." if stats and stats.counts_as and {*stats.ranks} == {1} else ""
        first = [seat for seat, rank in enumerate(stats.ranks) if rank == 1]
        return f"{'Nobody wins' if first[1:] else self.does(first[0], 'win')}: {stats.won_because}."

    def plays_on(self, seat: int) -> str:
        """What an AI player does with a seat that it gets during a game."""
        view = self._snapshot.view
        return "takes the seat" if view is not None and seat in view.places else "plays on"

    def is_me(self, seat: int) -> bool:
        """Whether it is the player's own seat."""
        return seat == self.me

    def is_removed(self, event: table.PlayerRemoved) -> bool:
        """Whether it is this player who was removed."""
        return event.seat == self.me and event.name == self._snapshot.name(event.seat)

    def name(self, seat: int) -> str:
        """As in "to you"."""
        return "you" if self.is_me(seat) else self._snapshot.name(seat)

    def subject_and(self, seat: int, verb: str, third: str) -> str:
        """Subject and verb, also while an AI player plays for this player: "You are", "Fox is"."""
        return f"You {verb}" if self.is_me(seat) else f"{self._snapshot.name(seat)} {third}"

    def does(self, seat: int, verb: str, third: str | None = None) -> str:
        """Subject and verb: "You play", "Fox plays", "Your AI player plays"."""
        if seat == self.me and seat not in self._played_for:
            return f"You {verb}"
        return f"{'Your AI player' if seat == self.me else self._snapshot.name(seat)} {third or verb + 's'}"


def mine_first(snapshot: Snapshot) -> list[int]:
    """The seats of a table, the player's own first."""
    return sorted(range(len(snapshot.sitters)), key=lambda seat: (seat != snapshot.seat, seat))


def ordinal(place: int) -> str:
    """As in "first"."""
    return PLACES[place - 1] if place <= len(PLACES) else f"{place}th"


def sentences(events: Sequence[game.Event], snapshot: Snapshot) -> list[str]:
    """The sentences for these events as one player reads them; some events need none."""
    said: list[str] = []
    played_for: set[int] = set()
    kinds = set(map(type, events))
    earlier = {} if kinds.isdisjoint((table.SatDown, table.StoodUp)) else _earlier_sitters(events, snapshot)
    who = SeatNames(_as_it_was(snapshot, earlier) if earlier else snapshot, played_for)
    for event, following in zip_longest(events, events[1:]):
        if isinstance(event, table.TableEvent):
            match event:
                case table.StoodIn(seat):
                    played_for.add(seat)
                case table.CameBack(seat):
                    played_for.discard(seat)
                case table.SatDown(seat) | table.StoodUp(seat):
                    earlier[seat].popleft()
            who = SeatNames(_as_it_was(snapshot, earlier), played_for)
            said.append(_table_sentence(event, who))
        elif isinstance(event, game.GameOver):
            said += [_over(SeatNames(as_played(snapshot), played_for), event), *after_game(snapshot)]
        elif not (
            isinstance(event, game.WentOut) and isinstance(following, game.GameOver) and following.winner == event.seat
        ):
            said.append(_sentence(event, who))
    return list(filter(None, said))


def _earlier_sitters(events: Sequence[game.Event], snapshot: Snapshot) -> dict[int, deque[Sitter]]:
    """For each seat that changes hands in these events: the player before each change."""
    earlier = defaultdict[int, deque[Sitter]](deque)
    stats = snapshot.stats
    now = dict(enumerate(map(Sitter, stats.names, stats.ai_levels))) if stats else {}
    for event in events:
        match event:
            case table.StoodUp(seat, name, successor, level):
                before = now.pop(seat, None)
                earlier[seat].append(before if before and before.name == name else Sitter(name))
                if successor:
                    now[seat] = Sitter(successor, level)
            case table.SatDown(seat, name, level):
                earlier[seat].append(now.get(seat) or Sitter(f"seat {seat + 1}"))
                now[seat] = Sitter(name, level)
    return earlier


def _as_it_was(snapshot: Snapshot, earlier: Mapping[int, Sequence[Sitter]]) -> Snapshot:
    """A snapshot with these players in the seats that have changed hands since."""
    if not any(earlier.values()):
        return snapshot
    before = {seat: sitters[0] for seat, sitters in earlier.items() if sitters}
    sitters = tuple(before.get(seat, sitter) for seat, sitter in enumerate(snapshot.sitters))
    return replace(snapshot, sitters=sitters, seat=None if snapshot.seat in before else snapshot.seat)


def as_played(snapshot: Snapshot) -> Snapshot:
    """The snapshot of a game that is over, with those in its seats who played it: others may sit there now."""
    stats = snapshot.stats
    if stats is None:
        return snapshot
    played = enumerate(map(Sitter, stats.names, stats.ai_levels))
    changed = {seat: (sitter,) for seat, sitter in played if snapshot.name(seat) != sitter.name}
    return _as_it_was(snapshot, changed)


def after_game(snapshot: Snapshot) -> list[str]:
    """How the other players finished, after the sentence that names the winner."""
    snapshot = as_played(snapshot)
    view, stats = snapshot.view, snapshot.stats
    if view is None or view.outcome is None:
        return []
    who = SeatNames(snapshot)
    others = sorted(set(view.seats) - {snapshot.seat}, key=view.cards_of)
    left = [f"{who.name(seat)} {cards}" for seat in others if (cards := view.cards_of(seat))]
    lines = []
    if len(view.places) == len(view.seats):
        *placed, loser = view.places
        out = ", ".join(f"{ordinal(n)} {who.name(seat)}" for n, seat in enumerate(placed, 1))
        by_cards = "by the cards: " if stats and (stats.counts_as or stats.won_because) else ""
        lines.append(f"{by_cards}{out}; {who.name(loser)} {'lose' if who.is_me(loser) else 'loses'}.")
    elif left:
        lines.append(f"Cards left: {listed(left, 'and')}.")
    if stats and stats.counts_as:
        lines.append(f"{stats.counts_as}.")
    return [sentence_case(line) for line in lines]


def own_end(snapshot: Snapshot) -> str:
    """How the game has ended for the player, if another has won; empty for one who did not play it."""
    snapshot = as_played(snapshot)
    view, ranks = snapshot.view, snapshot.stats.ranks if snapshot.stats else ()
    if view is None or view.outcome is None or snapshot.seat is None or 1 in ranks[snapshot.seat : snapshot.seat + 1]:
        return ""
    return f"{SeatNames(snapshot).came_in(view.places)}.".replace("You have ", "You had ")


def _sentence(event: game.Event, who: SeatNames) -> str:  # noqa: C901, PLR0912 - one case for each kind of event
    match event:
        case game.Played(seat, zone, cards):
            return f"{who.does(seat, 'play')} {cards_text(cards)}{ZONES[zone]}."
        case game.Flipped(seat, _, card, good):
            said = "good" if good else not_played_words(who.rules, card)
            return f"{who.does(seat, 'turn')} over {cards_text((card,))}: {said}."
        case game.PickedUp(seat, cards, lifted, cause):
            return _picked_up(who, seat, len(cards), lifted, cause)
        case game.Burned(_, count, cause):
            four = "Four at once" if who.rules.four_scope == "one-play" else "Four in a row"
            why = f"{four}, t" if cause == "four" else "T"
            return f"{why}he pile burns: {quantity(count, 'card')} to the bin."
        case game.Drew(seat, count, cards) if cards:
            return f"{who.does(seat, 'draw')} {cards_text(cards)}."
        case game.TookReserve(seat, count):
            return f"{who.does(seat, 'take')} the reserve of {count} into the hand."
        case game.Passed(seat):
            return f"{who.does(seat, 'pass', 'passes')}."
        case game.Skipped(seat):
            return f"{who.subject_and(seat, 'are', 'is')} passed over."
        case game.Reversed(order):
            return f"The order turns round: {listed([who.name(seat) for seat in order], 'then')}."
        case game.WentOut(seat, place):
            return f"{who.subject_and(seat, 'are', 'is')} out {ordinal(place)}!"
        case game.Swapped(seat, (given, taken)):
            return f"{who.does(seat, 'swap')} {cards_text((given,))} for the face-up {rank_text(taken)}."
        case game.Laid(seat, _, cards) if cards:
            again = "; lay again to change it, or type ready" if who.is_me(seat) else ""
            where = "face up" if who.rules.arrange_mode == "lay-up" else "aside"
            return f"{who.does(seat, 'lay')} {where} {cards_text(cards)}{again}."
        case game.Readied(seat):
            return f"{who.does(seat, 'are', 'is')} ready."
        case game.Shown(seat, cards) if cards:
            return f"{who.does(seat, 'show')} {cards_text(cards)} face up."
        case game.TurnedUp(card, burned):
            return f"The stock's first card is {cards_text((card,))}{': burned, another is turned' if burned else ''}."
        case game.Started(seat, _, rank):
            with_rank = "" if rank is None else f", with the lowest card in hand: {counted_rank(rank, 1)}"
            return f"{who.does(seat, 'start')}{with_rank}."
    return ""


@lru_cache(256)  # all at a table read of the same cards
def cards_text(cards: tuple[Card, ...]) -> str:
    """Cards by rank: "a queen", "two sevens and an ace"."""
    ranks = Counter(card >> 2 for card in cards)
    return listed([counted_rank(rank, copies) for rank, copies in ranks.items()], "and")


def rank_text(card: Card) -> str:
    """The rank of a card: "queen"."""
    return RANK_NAMES[card >> 2]


def _table_sentence(event: table.TableEvent, who: SeatNames) -> str:  # noqa: C901, PLR0912 - one case for each kind
    match event:
        case table.SatDown(seat, name, None):
            return "You sit down." if who.is_me(seat) else f"{name} sits down."
        case table.StoodUp(seat, name, successor):
            return f"{name} leaves{f'; {successor} {who.plays_on(seat)}' if successor else ''}."
        case table.PlayerRemoved():
            return _removed(event, who)
        case table.WentAway(seat, reason) if who.is_me(seat):
            return f"Time is up. {AWAY}" if reason == "clock" else AWAY
        case table.WentAway(seat, reason):
            why = f"{who.name(seat)}'s time is up" if reason == "clock" else f"{who.name(seat)} is gone"
            return f"{why}: an AI player plays for them until they are back."
        case table.CameBack(seat, moves, own) if who.is_me(seat):
            return f"You are back.{_missed(moves, own)}"
        case table.CameBack(seat) | table.Reconnected(seat):
            return "" if who.is_me(seat) else f"{who.name(seat)} is back."
        case table.Disconnected(seat, hung_up, seconds, goes_to) if not who.is_me(seat):
            soon = "" if seconds is None else f": in {quantity(round(seconds), 'second')}"
            then = f"{soon} an AI player plays for them, until they are back" if soon else ""
            what = f"goes to {goes_to}" if goes_to else "has hung up" if hung_up else "was disconnected"
            return f"{who.name(seat)} {what}{then}."
        case table.GameProposed(seat):
            wants = f"{who.subject_and(seat, 'want', 'wants')} another game"
            agree = "" if who.me in {None, seat, *who.agreed} else ": start agrees, no refuses"
            begins = f"It begins when all agree or, with AI players for the rest, in {AGREEING_SECONDS} seconds"
            return f"{wants}. {begins} unless one is reading{agree}."
        case table.ReaderAwaited(seat, seconds):
            reads = f"{who.subject_and(seat, 'are', 'is')} reading"
            return f"{reads}: the next game waits for the answer, {quantity(round(seconds), 'second')} at most."
        case table.GameRefused(seat):
            return f"{who.subject_and(seat, 'do', 'does')} not want another game now."
        case table.AIPlayerAdded(name, level, style):
            description = STYLES[style].description
            return f"{name} ({level}) sits down{f': {description}' if description else ''}."
        case table.CardsCut(name, text):
            return f"{name} cuts the cards: {text}"
        case table.CutSealed(name):
            return f"{name} seals a cut."
        case table.CutsClosed(seats) if any(map(who.is_me, seats)):
            return f"The cuts are closed. Open yours within {OPENING_SECONDS} seconds: type cut open TEXT"
        case table.CutsClosed(seats):
            return f"The cuts are closed. Seals to open: {listed([who.name(seat) for seat in seats], 'and')}."
        case table.CutOpened(name, text):
            return f"{name} opens the sealed cut: {text}"
        case table.CutDropped(name):
            return f"{name} has not opened the sealed cut: the cards are dealt without it."
        case table.GameBegan(promise):
            proof = f" {sentence_case(promise)}." if promise else ""
            return f"New game: {who.rules.title}, played by {who.everybody}.{proof}"
        case table.LastCard(seat):
            return f"{who.subject_and(seat, 'have', 'has')} one card left."
        case table.StockEmpty():
            return "The stock is empty."
        case table.TimeIsUp():
            return "The time for this game is up: fewer cards left are better."
    return ""


def _removed(event: table.PlayerRemoved, who: SeatNames) -> str:
    """As in "Ana removes bo and is last in this game for it."; the removed player reads what becomes of their game."""
    if who.is_removed(event):
        by = "You were removed" if event.by is None else f"{who.name(event.by)} has removed you"
        then = {
            None: ": you cannot sit here again.",
            True: ": you cannot sit here again. Your place in this game counts.",
            False: ". An AI player plays on with your cards, and this game is not rated for you.",
        }
        return f"{by} from this table{then[event.counts]}"
    if event.by is None:
        return f"{event.name} was removed."
    last = f" and {'are' if who.is_me(event.by) else 'is'} last in this game for it" if event.counts is False else ""
    return f"{who.does(event.by, 'remove')} {event.name}{last}."


def _missed(moves: int, own: int) -> str:
    """What a player who returns has missed; empty if there were no moves."""
    if not moves:
        return ""
    by_ai = f"{own if own < moves else 'all'} of them by an AI player for you" if own else "none of them yours"
    if moves == 1:
        by_ai = "by an AI player for you" if own else "not yours"
    return f" While you were away: {quantity(moves, 'move')}, {by_ai}."


def _picked_up(who: SeatNames, seat: int, count: int, lifted: int, cause: str) -> str:
    """As in "Fox picks up the pile and 1 face-up card, 7 cards in all, having nothing to play."."""
    if count == 1 and cause == "flip":
        return f"{who.does(seat, 'take')} it into the hand."
    why = {
        "choice": "",
        "stuck": ", having nothing to play",
        "flip": " with it",
        "last-card": ": the last play may not reset or burn",
    }[cause]
    own = f" and {quantity(lifted, 'face-up card')}" if lifted else ""
    in_all = " in all" if lifted else ""
    return f"{who.does(seat, 'pick')} up the pile{own}, {quantity(count, 'card')}{in_all}{why}."


def _over(who: SeatNames, event: game.GameOver) -> str:
    """As in "Fox wins the game! You are second."."""
    if event.winner is None:
        between = listed([who.name(seat) for seat in event.seats], "and")
        return f"The game is drawn between {between}: nothing moved for too long. {who.won()}".rstrip()
    own = f" {who.came_in(event.seats)}." if who.me not in {None, event.winner} else ""
    return who.won() or f"{who.does(event.winner, 'win')} the game!{own}"
