"""The state of a table: who sits where, the game in progress, the next deal. Pure; `apply_changes` makes it."""

import hashlib
from functools import cached_property
from operator import attrgetter
from typing import Final, Self

from msgspec import Struct
from msgspec.structs import replace

from engine.errors import InputError
from engine.opening import check_deck_size
from engine.rules import Rules
from engine.rulesets import ruleset
from engine.state import State
from engine.view import View, view_of
from engine.wording.phrases import number_range
from server.ai.pool import Question
from server.limits import OPENING_SECONDS
from server.people.players import Player, style_of
from server.records.record import RecordedMove, RecordedStep
from server.records.results import Result
from server.table.deal import Deal
from server.table.entries import Checkpoint, Reason, SavedSeat, TableSettings
from server.table.occasion import Occasion
from server.table.snapshot import Sitter, is_left_to_ai

ARRANGING_CLOCKS: Final = 2
"""The clock of arranging, as a multiple of that of a turn."""
_game_fields: Final = attrgetter(
    *("hands", "ups", "downs", "reserves", "stock", "pile", "bin", "phase", "ready", "order", "to_move", "must_lead"),
    *("may_pass", "quiet", "places", "outcome", "luck", "public_hands", "top", "run"),
)
"""What `TableState.digest` holds of a `State`, in the order in which it always did."""


class Seat(Struct, frozen=True, dict=True):
    """A taken seat. While its player is away an AI player of the table's level plays for them."""

    player: Player
    away_since: int | None = None
    """The ply at which an AI player took over; None while the player decides."""
    away: Reason | None = None
    """Why an AI player plays for the player; None if none does."""
    level_named: bool = False
    """Whether the host of the table named the level of this AI player."""

    @cached_property
    def played_by_ai(self) -> bool:
        """Whether an AI player decides for this seat."""
        return self.away is not None or self.player.kind == "ai"

    def shown(self, level: str) -> Sitter:
        """The seat as everybody may know it; ``level`` is that of the table's AI players."""
        ai_level = (self.player.level or level) if self.played_by_ai else None
        return Sitter(self.player.name, ai_level, self.away is not None, bot=self.player.kind == "bot")


class TableState(Struct, frozen=True, dict=True):
    """Everything that the log says about a table, hidden cards included.

    What follows from it is found once, since each move asks several times what is pending.
    """

    settings: TableSettings
    rules: Rules
    rules_mark: str
    """A digest of the rules' keys and values, wherever they came from."""
    rated_as: str
    """The name that games are rated under, that of the rule set or of the occasion; empty if the rules were changed, or
    if the occasion says so."""
    seats: tuple[Seat | None, ...]
    host: str = ""
    """The id of the player who may add and remove others: the first to sit down, or the next after they have left."""
    barred: frozenset[str] = frozenset()
    """The ids of the players who may not sit here again."""
    deal: Deal | None = None
    """The deal of the game that is played, or was played last."""
    next_deal: Deal | None = None
    """The deal of the next game, once the table has committed to it."""
    dealer: int | None = None
    """The seat that dealt this game; if the deal itself decided who starts, the seat before the starter."""
    named_dealer: int | None = None
    """The dealer's seat as it was named before the deal; None if the deal itself decided."""
    game: State | None = None
    dealt: tuple[Player, ...] = ()
    """The players who were dealt in, by seat."""
    knowing: tuple[str, ...] = ()
    """For each seat the id of the player who may know its cards: the one dealt in, or who has taken over since."""
    steps: tuple[RecordedStep, ...] = ()
    """The game so far, for its record."""
    ply: int = 0
    """How many moves have been made in this game. A move names the ply at which its player saw the game."""
    began: float = 0.0
    """When the cards were dealt, in seconds since 1970."""
    went_out: frozenset[int] = frozenset()
    """The seats that finished while the player who was dealt in played them. Leaving afterwards costs nothing."""
    stand_ins: frozenset[int] = frozenset()
    """The seats whose players were away at the deal, were called to another game, or left before a card was played."""
    removed: frozenset[int] = frozenset()
    """The seats whose players were removed during the game, before they had gone out."""
    removers: frozenset[int] = frozenset()
    """The seats of the players who removed them."""
    won: int | None = None
    """The seat whose player has won this game whatever becomes of the cards; see `entries.Sat.winner`."""
    turns: tuple[tuple[int, bool], ...] = ()
    """The moves of this game after arranging: the seat, and whether the player who was dealt in made it in person."""
    source: str | None = ""
    """The source of the game; see `Dealt.source`."""
    hurried: frozenset[int] = frozenset()
    """The seats whose AI players had less time for a move of this game than their level has."""
    result: Result | None = None
    """The result of the last game, if it has ended."""
    since: float = 0.0
    """When the pending decision began, in seconds since 1970."""

    @classmethod
    def of(cls, settings: TableSettings) -> Self:
        """A table as it opens. Raises InputError if its rules or its number of seats are not possible."""
        base = ruleset(settings.rules)
        of_level = base.at_level.get(settings.level, {})
        options = {**of_level, **settings.options}
        rules = base.overridden(options, settings.title or base.title) if options else base
        if not rules.seats_min <= settings.seats <= rules.seats_max:
            possible = number_range(rules.seats_min, rules.seats_max, "seat")
            raise InputError("bad_request", f"{rules.title} is for {possible}, not {settings.seats}")
        check_deck_size(rules, settings.seats)
        mark = hashlib.blake2b(repr(sorted(rules.keys().items())).encode(), digest_size=8).hexdigest()
        is_changed = rules.keys() != (base.overridden(of_level, base.title) if of_level else base).keys()
        rated_as = settings.house or ("" if is_changed else base.name)
        if settings.occasion and settings.occasion.rated_as is not None:
            rated_as = settings.occasion.rated_as
        return cls(settings, rules, mark, rated_as, (None,) * settings.seats)

    @classmethod
    def at(cls, checkpoint: Checkpoint) -> Self:
        """A table right before a deal. Raises InputError as `of` does."""
        return replace(
            cls.of(checkpoint.settings),
            # The moves that were missed in the last game count no more.
            seats=tuple(
                Seat(seat.player, 0 if seat.away else None, seat.away, seat.level_named) for seat in checkpoint.seats
            ),
            host=checkpoint.host,
            barred=checkpoint.barred,
            next_deal=checkpoint.deal,
        )

    def checkpoint(self) -> Checkpoint:
        """This table right before a deal. Raises InputError if no game can begin now."""
        if self.playing or None in self.seats:
            raise InputError("wrong_phase", "a game begins between games, with every seat taken")
        if self.next_deal is None:
            raise InputError("wrong_phase", "there is no next deal yet")
        seats = tuple(SavedSeat(seat.player, seat.away, seat.level_named) for seat in self.seats if seat)
        return Checkpoint(self.settings, seats, self.host, self.barred, self.next_deal)

    @cached_property
    def playing(self) -> bool:
        """Whether a game is in progress, arranging included."""
        return self.game is not None and self.game.phase != "over"

    @property
    def occasion(self) -> Occasion | None:
        """What the table was opened for; None if it is open to all."""
        return self.settings.occasion or None

    @property
    def is_alone(self) -> bool:
        """Whether one player plays here, out of sight of all others."""
        return self.occasion is not None and self.occasion.alone

    @property
    def others_wait(self) -> bool:
        """Whether others wait for the end of the only game here."""
        return self.occasion is not None and self.occasion.others_wait

    @property
    def has_begun(self) -> bool:
        """Whether players come and go here by now: not at a table of an occasion before its cards are dealt."""
        return self.occasion is None or self.deal is not None

    @cached_property
    def left_to_ai(self) -> bool:
        """Whether AI players alone hold cards in a game in which a person or bot is out: it is played to its end."""
        return is_left_to_ai(self.sitters, self.game)

    @property
    def keeps_seats(self) -> bool:
        """Whether a game is on, or about to begin, whose players keep their seats if they leave."""
        return self.occasion is not None and not self.occasion.practice and self.result is None

    @property
    def opening(self) -> bool:
        """Whether a game is to begin as soon as the sealed cuts are open."""
        return self.next_deal is not None and self.next_deal.closed

    @property
    def game_id(self) -> str:
        """The id of the game that is played, or was played last; empty before the first."""
        return self.deal.game if self.deal else ""

    @property
    def sitters(self) -> tuple[Sitter | None, ...]:
        """Who plays, as everybody may know it. A player who left after going out is named until the game is over."""
        gone = [seat for seat in self.went_out if self.playing and self.has_left(seat)]
        seats = (Seat(self.dealt[at]) if at in gone else seat for at, seat in enumerate(self.seats))
        return tuple(None if seat is None else seat.shown(self.settings.level_of_seats) for seat in seats)

    def question(self, seq: int, seat: int) -> Question:
        """What the AI player of a seat decides after entry ``seq`` of the log. Raises InputError without a game."""
        view, player = self.view(seat), self.sitting(seat).player
        if view is None:
            raise InputError("wrong_phase", "nobody decides here now")
        # For equal answers to equal moves chance must not depend on what else the log has.
        is_same = self.occasion is not None and self.occasion.same_for_all
        chance = f"{self.settings.secret} {self.ply if is_same else seq} {seat}"
        return Question(player.level or self.settings.level_of_seats, style_of(player), view, seat, chance)

    @property
    def next_dealer(self) -> int | None:
        """The dealer of the next game: by some rules the last winner, else the next seat; None if the deal decides."""
        last = self.view(None)
        if self.rules.start_who == "random" and last is not None and last.places:
            return last.places[0]
        return None if self.dealer is None else (self.dealer + 1) % len(self.seats)

    @cached_property
    def arranging(self) -> bool:
        """Whether players arrange their cards, all at the same time."""
        return self.game is not None and self.game.phase == "arrange"

    def awaits(self, game: str, ply: int) -> bool:
        """Whether a move that was chosen at this ply of this game still comes in time."""
        if self.deal is None or self.deal.game != game:
            return False
        # While arranging others move as well, which changes nothing for this player's cards.
        return ply <= self.ply if self.arranging else ply == self.ply

    @cached_property
    def deciding(self) -> list[int]:
        """The seats that have something to decide."""
        if self.game is None or self.game.phase == "over":
            return []
        if self.arranging:
            seats = [seat for seat, ready in enumerate(self.game.ready) if not ready]
            if self.occasion is not None and self.occasion.same_for_all:
                # The AI players come first, so that their answers are the same in every game.
                return [seat for seat in seats if seat not in self.occasion.given] or seats
            return seats
        return [] if self.game.to_move is None else [self.game.to_move]

    @property
    def timed(self) -> bool:
        """Whether decisions have a clock: if others would have to wait, or a bot might never answer."""
        deciding = [seat.player.kind for seat in self.seats if seat is not None and not seat.played_by_ai]
        return len(deciding) > 1 or "bot" in deciding or bool(deciding and self.others_wait)

    @cached_property
    def clock(self) -> float | None:
        """Seconds that players have for the pending decision, from ``since`` on; None if there is no limit."""
        if self.opening:
            return OPENING_SECONDS
        if not (self.playing and self.timed):
            return None
        return self.settings.clock * (ARRANGING_CLOCKS if self.arranging else 1)

    def viewpoint(self, seat: int | None) -> int | None:
        """The seat whose cards the player of this seat may see: their own, or None if they sat down after the game."""
        sitting = None if seat is None else self.seats[seat]
        if seat is None or sitting is None or not self.knowing:
            return None
        return seat if self.knowing[seat] == sitting.player.id else None

    def view(self, seat: int | None) -> View | None:
        """The game as a seat may know it; None is a spectator. None if there has been no game."""
        return None if self.game is None else view_of(self.game, self.viewpoint(seat))

    def seat_of(self, player_id: str) -> int | None:
        """The seat of this player; None if they have none."""
        for number, seat in enumerate(self.seats):
            if seat is not None and seat.player.id == player_id:
                return number
        return None

    def sitting(self, number: int) -> Seat:
        """A taken seat. Raises InputError if it is free."""
        seat = self.seats[number]
        if seat is None:
            raise InputError("bad_request", f"nobody sits in seat {number + 1}")
        return seat

    def has_left(self, seat: int) -> bool:
        """Whether the player who was dealt in has this seat no more."""
        sitting = self.seats[seat]
        return sitting is None or sitting.player.id != self.dealt[seat].id

    def in_person(self, seat: int) -> bool:
        """Whether the player who was dealt in plays this seat, and no AI player for them."""
        sitting = self.seats[seat]
        return sitting is not None and sitting.away is None and sitting.player.id == self.dealt[seat].id

    def moves_of(self, seat: int) -> int:
        """How many moves this seat has made in this game."""
        return sum(isinstance(step, RecordedMove) and step.seat == seat for step in self.steps)

    def missed(self, seat: int) -> tuple[int, int]:
        """How many moves were made since this seat's player went away, and how many of them for this seat."""
        sitting = self.seats[seat]
        if sitting is None or sitting.away_since is None:
            return 0, 0
        since = [step for step in self.steps if isinstance(step, RecordedMove)][sitting.away_since :]
        return len(since), sum(step.seat == seat for step in since)

    def digest(self) -> bytes:
        """Eight bytes that differ if the game, the seats, the next deal or the rules do.

        Every entry of the log holds the digest after it, so the values and their order must never change.
        """
        game = None if self.game is None else list(_game_fields(self.game))
        seats = [seat and (seat.player.id, seat.away_since) for seat in self.seats]
        table = (self.settings.secret, self.host, sorted(self.barred), self.dealer, self.ply, self.since)
        # No names of those who cut: players can be forgotten.
        next_deal = (deal := self.next_deal) and (deal.game, tuple(tuple(cut)[1:] for cut in deal.cuts), deal.closed)
        text = repr((self.rules_mark, table, seats, next_deal, game))
        return hashlib.blake2b(text.encode(), digest_size=8).digest()
