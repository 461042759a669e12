"""Positions as sentences: the prompt for a turn, and the answers to questions about the table. One fact a line.

The most important words come first. Works on views, without events or terminals.
"""

from collections.abc import Iterator, Sequence

from engine.ai.arranging import better_arrangements
from engine.cards import CardSet, card_set
from engine.odds import last_play_note
from engine.view import UNSEEN, View
from engine.wording.own_cards import cards_in_play_text, own_cards_text
from engine.wording.phrases import a_card, counted_rank, hand_words, listed, quantity, sentence_case
from engine.wording.pile_text import play_sentence
from engine.wording.refusals import arranging_sentence, legal_sentence
from engine.wording.rules_sheet import has_up_row
from server.language.event_text import AWAY, SeatNames, after_game, as_played, ordinal, own_end, rank_text
from server.number_text import countdown_text
from server.records.fairness import PROMISES, DealCut
from server.rulebook import changed_rules
from server.table.snapshot import PublicDeal, Sitter, Snapshot


def turn_prompt(snapshot: Snapshot, left: int | None = None) -> Iterator[str]:
    """What line mode prints when the player has to decide. ``left``: seconds on the clock; None without a clock."""
    view = snapshot.view
    yield turn_text(snapshot, left)
    if view is not None:
        yield from cards_in_play_text(view, view.seat) if view.phase == "play" else own_cards_text(view, view.seat)
    yield from choices_text(snapshot)


def turn_text(snapshot: Snapshot, left: int | None = None) -> str:
    """Whose turn it is, the time for it, and the pile."""
    view = snapshot.view
    if view is None or snapshot.opening:
        return start_text(snapshot)
    if snapshot.seat is not None and snapshot.seat in snapshot.agreed:
        return "The cards are dealt in a moment, or when all agree."
    if view.phase == "over":
        way_on = f": type {snapshot.next.command}" if snapshot.seat is not None else ""
        return f"The game is over{way_on}. {results_text(snapshot)[0]}"
    clock = "" if left is None else f" {quantity(left, 'second')}."
    pile = f" {pile_text(view)}" if view.phase == "play" else ""
    return f"{whose_turn_text(snapshot, view)}{clock}{pile}"


def whose_turn_text(snapshot: Snapshot, view: View) -> str:
    """Who has to decide something in this game, which is not over."""
    if view.phase == "arrange":
        waiting = [snapshot.name(seat) for seat in view.seats if not view.ready[seat] and seat != snapshot.seat]
        is_mine = snapshot.my_turn and not snapshot.away
        return "Arrange your cards." if is_mine else f"Waiting for {listed(waiting, 'and')} to arrange."
    return "Your turn." if snapshot.my_turn else f"{snapshot.name(view.to_move or 0)}'s turn."


def awaited_text(snapshot: Snapshot) -> list[str]:
    """What the table waits for; a player reads it after Enter alone."""
    return [*choices_text(snapshot)] if snapshot.my_turn else [turn_text(snapshot)]


def news_text(snapshot: Snapshot | None, clock_left: int | None, *, is_behind: bool) -> str:
    """What comes at a player's table; ``is_behind`` what they look at: also what goes on there. Empty if nothing."""
    if snapshot is not None and snapshot.playing:
        due = "AN AI PLAYER PLAYS FOR YOU" if snapshot.away else "YOUR TURN" if snapshot.my_turn else ""
        return f"* {due} *" if due and is_behind else ""
    if snapshot is None or snapshot.opening or clock_left is None:
        return ""
    is_asked = snapshot.agreed and snapshot.seat not in {None, *snapshot.agreed}
    return f"dealt in {countdown_text(clock_left)}{' without you' if is_asked else ''}"


def start_text(snapshot: Snapshot) -> str:
    """How to start a game."""
    if snapshot.must_open:
        return "The cards are dealt when all sealed cuts are open: type cut open TEXT"
    if snapshot.opening:
        return "The cards are dealt when all sealed cuts are open."
    if snapshot.occasion:
        return f"{snapshot.occasion.title}: the cards are dealt in a moment."
    if snapshot.seat is None:
        return "No game yet: a player who sits here may start one."
    free = "; AI players take the free seats" if None in snapshot.sitters else ""
    first = "The host may wait for others" if snapshot.left_to_host else "No game yet"
    return f"{first}: start deals{free}." if snapshot.next.command == "start" else snapshot.next.lines[0]


def choices_text(snapshot: Snapshot) -> Iterator[str]:
    """The player's choices; while an AI player plays for them, how to return."""
    view = snapshot.view
    if snapshot.away:
        yield AWAY
    elif view is not None and view.phase == "over":
        yield from (*after_game(snapshot), *rating_sentence(snapshot), *next_game_sentence(snapshot))
    elif view is not None and snapshot.my_turn:
        if view.phase == "arrange":
            better = better_arrangements(view, view.seat or 0) if snapshot.hints else ()
            yield arranging_sentence(view.rules, next(iter(better), None))
        else:
            yield f"{legal_sentence(snapshot.legal)} {last_play_note(view, snapshot.legal)}".rstrip()


def next_game_sentence(snapshot: Snapshot) -> Iterator[str]:
    """Who can start another game; nothing for the only player, nor where no table is."""
    sitters = enumerate(snapshot.sitters)
    here = ["you" if seat == snapshot.seat else s.name for seat, s in sitters if s and not (s.is_ai or s.away)]
    here.sort(key="you".__ne__)
    free = ", with AI players in the free seats" if None in snapshot.sitters else ""
    if here != ["you"] and snapshot.place.kind == "table" and snapshot.next.command == "start":
        is_named = bool(here) and here[0] != "you"  # a name keeps its letters' case
        who = listed(here) if is_named else sentence_case(listed(here) or "a player who takes a seat")
        yield f"{who} can start the next game{free}."


def rating_sentence(snapshot: Snapshot) -> Iterator[str]:
    """Whether the running game, or the next one, is rated, and why not; nothing where no table is."""
    if snapshot.rating and (snapshot.playing or snapshot.next.command == "start"):
        yield f"{'This' if snapshot.playing else 'The next'} game is {snapshot.rating}."


def changed_text(before: Snapshot, snapshot: Snapshot) -> Iterator[str]:
    """What has changed in a game that goes on: whether it is rated, and whether a player has won already."""
    if before.game == snapshot.game and before.playing and snapshot.playing:
        yield from () if before.rating == snapshot.rating else rating_sentence(snapshot)
        ways = "Type leave to end the game, or play on." if snapshot.won == snapshot.seat else ""
        yield from () if before.won == snapshot.won else [f"{won_already_sentence(snapshot)} {ways}".rstrip()]


def won_already_sentence(snapshot: Snapshot | None) -> str:
    """Who has won before the end, and why; empty if nobody has."""
    if snapshot is None or snapshot.won is None:
        return ""
    return f"{SeatNames(snapshot).subject_and(snapshot.won, 'have', 'has')} won: all others have left."


def pile_text(view: View) -> str:
    """The pile and what can be played on it."""
    if not view.pile:
        return f"The pile is empty. {play_sentence(view)}"
    shown = rank_text(view.pile[-1])
    seen = "" if view.pile[-1] >> 2 == view.top else f", counting as {a_card(view.top)}"
    counts = view.run > 1 and view.rules.four_scope == "in-a-row"
    row = f", {counted_rank(view.top, view.run)} in a row" if counts else ""
    return f"Pile of {len(view.pile)}, top {shown}{seen}{row}. {play_sentence(view)}"


def table_text(snapshot: Snapshot, left: int | None = None) -> Iterator[str]:
    """The turn and the cards of every seat, one seat a line; after a game all cards may be visible."""
    yield turn_text(snapshot, left)
    view = snapshot.view
    if view is None:
        yield from seats_text(snapshot)
        return
    yield f"Stock {view.stock_left}. Bin {len(view.bin)}."
    for seat in view.seats:
        if seat != view.seat or snapshot.place.kind == "record":
            yield _seat_text(snapshot, view, seat)
    if snapshot.place.kind != "record":
        yield from own_cards_text(view, view.seat)
    yield from choices_text(snapshot)


def seats_text(snapshot: Snapshot) -> Iterator[str]:
    """The table for a player who has just come: rules, seats, host, clock."""
    yield f"Table {snapshot.table}: {snapshot.rules.title}."
    yield from filter(None, [changed_rules(snapshot.rules)])
    sitters = [sitter_text(sitter, is_me=seat == snapshot.seat) for seat, sitter in enumerate(snapshot.sitters)]
    yield f"Seats: {', '.join(sitters)}."
    if snapshot.host is not None:
        yield "You are its host." if snapshot.host == snapshot.seat else f"{snapshot.name(snapshot.host)} is its host."
    yield from ai_level_sentence(snapshot)
    yield from rating_sentence(snapshot)
    yield from word_sentence(snapshot)
    yield f"{clock_rule_text(snapshot.clock)} If you run out of time, an AI player plays for you until you type back."


def ai_level_sentence(snapshot: Snapshot) -> Iterator[str]:
    """The level of AI players who take the free seats; nothing if there are none."""
    if snapshot.ai_level and None in snapshot.sitters:
        yield f"AI players here are {snapshot.ai_level}."


def word_sentence(snapshot: Snapshot) -> Iterator[str]:
    """How others come to a private table; nothing if anybody may."""
    if snapshot.word:
        yield f"Private: others type {'watch' if snapshot.playing else 'sit'} {snapshot.table} {snapshot.word}"


def clock_rule_text(seconds: float) -> str:
    """The rule of the clock."""
    return f"With two people or more a turn has {quantity(seconds, 'second')}."


def results_text(snapshot: Snapshot) -> list[str]:
    """How the game ended; during a game, the players who are out."""
    view = snapshot.view
    if view is None:
        return ["No game yet."]
    if view.outcome is None:
        out = [f"{snapshot.name(seat)} {ordinal(n)}" for n, seat in enumerate(view.places, 1)]
        return ["The game is going on.", f"Out: {listed(out, 'and')}." if out else "No player is out yet."]
    winner = view.outcome.winner
    snapshot = as_played(snapshot)
    who = SeatNames(snapshot)
    said = "The game was drawn." if winner is None else f"{who.does(winner, 'won', 'won')} the game."
    own = own_end(snapshot) if winner not in {None, snapshot.seat} else ""
    return [f"{who.won() or said} {own}".rstrip(), *after_game(snapshot)]


def sitter_text(sitter: Sitter | None, *, is_me: bool) -> str:
    """The player in a seat; "free" if there is none."""
    if sitter is None:
        return "free"
    if sitter.away:
        return f"{sitter.name} (away, an AI player plays)"
    name = "you" if is_me else sitter.name
    return f"{name} (AI player, {sitter.ai_level})" if sitter.ai_level else name


def _seat_text(snapshot: Snapshot, view: View, seat: int) -> str:
    sitter = snapshot.sitters[seat]
    name = f"{snapshot.name(seat)}{' (away, an AI player plays)' if sitter and sitter.away else ''}"
    if seat in view.places and not view.cards_of(seat):
        return f"{name}: out {ordinal(view.places.index(seat) + 1)}."
    parts = [f"hand {_held(view.hand_counts[seat], view.hands[seat])}"]
    if has_up_row(view.rules):
        parts.append(f"face up {hand_words(view.ups[seat]) or view.up_counts[seat] or 'none'}")
    slots: Sequence[int] = [card for card in view.downs[seat] if card is not None]
    if view.rules.deal_down:
        parts.append(f"face down {_held(len(slots), card_set(card for card in slots if card != UNSEEN))}")
    if reserve := view.reserve_counts[seat]:
        parts.append(f"reserve {_held(reserve, view.reserves[seat])}")
    return f"{name}: {', '.join(parts)}."


def _held(count: int, known: CardSet) -> str:
    """A number of cards, and which ones if that is known."""
    return f"{count} ({hand_words(known)})" if known else str(count)


def deal_text(deal: PublicDeal, *, playing: bool) -> Iterator[str]:
    """The commitment of a deal, its cuts and what they prove, in lines. ``playing``: the cards are dealt."""
    yield f"Game {deal.game}. Its cards come from a seed that was fixed before any cut:"
    yield deal.commitment
    yield "That is the commitment, the SHA-256 of game and seed. It fits no other seed."
    yield from (_cut_text(cut, playing=playing) for cut in deal.cuts)
    yield f"After the game, verify {deal.game} checks the seed against the commitment and deals the cards again."
    if not playing:
        yield "What that proves: the players cannot choose the cards."
        yield "The person who runs the server can: they know the seed, and may cut last."
        yield "If you seal a text that nobody can guess, and all seals are opened, nobody else can choose."
        yield f"If all people and bots at the table do so, the deal is marked: {PROMISES[True]}."
    else:
        yield f"What that proves: {PROMISES[deal.no_one_could_choose]}."
        if not deal.no_one_could_choose:
            yield "The person who runs the server could: they knew the seed, and may have cut last."
        yield "If you sealed a text that nobody could guess, and all seals were opened, nobody else could choose."
    yield "Nothing proves that the person who runs the server has not looked at the cards."
    if not (playing or deal.closed):
        yield "Before the game starts you can cut once: cut TEXT, or cut seal HASH. See help cut."


def _cut_text(cut: DealCut, *, playing: bool) -> str:
    if not cut.seal:
        return f"{cut.name} cut with: {cut.text}"
    opened = f", and opened it: {cut.text}" if cut.text is not None else ", and did not open it" if playing else ""
    return f"{cut.name} sealed a cut: {cut.seal}{opened}"
