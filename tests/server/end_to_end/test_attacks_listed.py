"""Every bad input and fault that this server must bear, what has to come of it, and the tests that see to it.

The numbers are those that the tests' own words name. What an honest player notices meanwhile, and what memory it takes,
is measured by `quatch bench attacks`; every test that records a session holds it to the grammar of `emitted`.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

HERE: Final = Path(__file__).parent


class Entry(NamedTuple):
    """One way to attack, or to fail."""

    tried: str
    expected: str
    tests: tuple[str, ...]
    """Each as module::function, without the test_ that both begin with."""


def _entry(tried: str, expected: str, *tests: str) -> Entry:
    return Entry(tried, expected, tests)


ENTRIES: Final = {
    1: _entry(
        "500 silent connections from one address",
        "at most 10 held; another address is served at once",
        "door::silent_connections_from_one_address_are_few",
    ),
    2: _entry(
        "100 addresses, 3 silent connections each",
        "a newcomer is served, the oldest stranger goes",
        "door::silent_connections_from_everywhere_cost_the_oldest",
        "gate::one_more_stranger_costs_the_oldest",
    ),
    3: _entry("a byte a second", "closed at 20 s", "ssh_attacks::who_never_logs_in_is_gone_in_time"),
    4: _entry("a version line without end", "closed", "ssh_attacks::nonsense_before_the_handshake_is_cut_off"),
    5: _entry("100,000 lines of text", "closed", "ssh_attacks::nonsense_before_the_handshake_is_cut_off"),
    6: _entry(
        "a version that is no ASCII, or has escapes",
        "closed; never logged as it came",
        "ssh_attacks::nonsense_before_the_handshake_is_cut_off",
        "host::logs_are_lines_of_ascii_json",
    ),
    7: _entry("a packet of 4 GB", "closed", "ssh_attacks::nonsense_before_the_handshake_is_cut_off"),
    8: _entry(
        "most of a large packet, many times",
        "64 KiB each",
        "ssh_attacks::nonsense_before_the_handshake_is_cut_off",
        "intake::a_budget_is_the_end",
    ),
    9: _entry(
        "a million tiny packets before logging in",
        "cut off",
        "ssh_attacks::nonsense_before_the_handshake_is_cut_off",
        "intake::computing_has_a_rate",
    ),
    10: _entry(
        "700 key exchanges a second",
        "a burst of 20, then one in two seconds; the others are turned away",
        "ssh_exhaustion::key_exchanges_from_one_address_are_few",
        "crypto::ssh_audit_finds_nothing",
    ),
    11: _entry("a user name of 1 MB", "closed", "ssh_attacks::any_user_name_is_a_short_name_or_none"),
    12: _entry(
        "a user name with escapes, line ends, NUL, bidi",
        "refused",
        "ssh_exhaustion::a_name_that_could_do_harm_is_refused",
    ),
    13: _entry(
        "../../etc, 1,023 letters, 300 marks",
        "at most 16 cells, never a path",
        "ssh_attacks::any_user_name_is_a_short_name_or_none",
        "identity::a_name_is_cleaned",
        "clean::names",
    ),
    14: _entry(
        "the victim's public key, a bad signature, then a guest",
        "a guest",
        "identity::a_forged_signature_makes_a_guest",
        "logins::an_order_proves_what_was_signed",
    ),
    15: _entry(
        "ask for A, sign B, ask for A again; two requests in flight",
        "B",
        "logins::an_order_proves_what_was_signed",
        "logins::requests_in_flight_prove_no_more",
        "logins::any_sequence_of_requests_proves_only_what_was_signed",
        "ssh_attacks::any_order_of_keys_proves_only_what_was_signed",
    ),
    16: _entry(
        "100 keys offered",
        "6, then closed",
        "ssh_attacks::few_keys_may_be_offered",
        "logins::a_hundred_keys_are_six_too_many",
    ),
    17: _entry("a flood while logging in", "cut off at 64 KiB", "ssh_attacks::a_flood_while_logging_in_is_cut_off"),
    18: _entry("10,000 channels asked for", "4, cut off at 65", "ssh_attacks::sessions_on_one_connection_are_few"),
    19: _entry("700 shells", "4", "ssh_attacks::sessions_on_one_connection_are_few"),
    20: _entry("a second shell, pty or command", "refused", "ssh_attacks::one_session_is_one_thing"),
    21: _entry("a pty of 0x0, 1x1, 80x0", "a usable size", "bad_input::absurd_terminal_sizes_are_clamped"),
    22: _entry("a pty of (2^32-1)^2", "clamped", "bad_input::absurd_terminal_sizes_are_clamped"),
    23: _entry("20,000 changes of size", "8 a second count", "intake::a_flood_of_sizes_is_few"),
    24: _entry("2,000 variables of 30 KB", "ignored", "ssh_attacks::few_variables_are_kept"),
    25: _entry("forwarding of any kind", "refused", "ssh_attacks::nothing_is_forwarded_and_no_files_are_served"),
    26: _entry("X11 and an agent", "refused", "ssh_attacks::one_session_is_one_thing"),
    27: _entry("sftp, scp, unknown subsystems", "refused", "ssh_attacks::nothing_is_forwarded_and_no_files_are_served"),
    28: _entry(
        "exec of 200 KB, NUL, broken UTF-8, escapes",
        "exit status 2, or refused",
        "ssh_exhaustion::a_command_of_odd_bytes_is_refused",
        "bad_input::a_wrong_ssh_command_exits_with_two",
        "emitted::a_hostile_command_is_answered_harmlessly",
    ),
    29: _entry(
        "a shell without a terminal",
        "plain lines, which are as good; exit status 2 for what needs a screen",
        "openssh::ssh_without_a_terminal_takes_a_script",
        "archive::games_are_told_and_checked_by_commands_of_ssh",
    ),
    30: _entry(
        "TERM empty, of 10 KB, with escapes",
        "served in lines or on a screen; never repeated",
        "emitted::any_terminal_type_will_do",
    ),
    31: _entry(
        "a paste of 10 MB",
        "the first 300 characters",
        "bad_input::a_megabyte_pasted_is_one_bounded_line",
        "keys::a_paste_is_bounded_and_an_interrupt_ends_one_that_never_ends",
    ),
    32: _entry(
        "70 KB typed before anything asks for it",
        "heard a little at a time, 512 keys at most, or the sender waits",
        "keys::keys_typed_ahead_are_bounded_and_come_a_few_at_a_time",
        "terminal::what_comes_early_is_heard_a_little_at_a_time",
    ),
    33: _entry(
        "an escape sequence of 30 KB",
        "dropped",
        "keys::unknown_sequences_are_no_keys",
        "bad_input::garbage_bytes_and_invalid_utf8_keep_one_connected",
    ),
    34: _entry(
        "a paste of 9 MB without end",
        "2,048 characters",
        "keys::a_paste_is_bounded_and_an_interrupt_ends_one_that_never_ends",
    ),
    35: _entry("5,000 pastes in one another", "one", "ssh_exhaustion::thousands_of_nested_pastes_are_one"),
    36: _entry(
        "broken UTF-8, lone surrogates",
        "U+FFFD; one stays connected",
        "bad_input::garbage_bytes_and_invalid_utf8_keep_one_connected",
        "keys::invalid_utf8_is_replaced_and_letters_may_be_cut_in_two",
    ),
    37: _entry("all 1.1 M code points typed", "nothing is kept", "ssh_exhaustion::every_character_can_be_typed"),
    38: _entry(
        "talk with OSC, DCS, CSI, C1, BEL, BS, CR",
        "stripped",
        "clean::what_passes",
        "emitted::hostile_people_are_shown_harmlessly_on_every_channel",
        "emitted::any_text_is_clean_for_a_terminal",
    ),
    39: _entry(
        "bidi, zero width, tags, fillers",
        "stripped",
        "clean::what_passes",
        "emitted::hostile_people_are_shown_harmlessly_on_every_channel",
    ),
    40: _entry("20,000 marks on one letter", "2", "clean::what_passes", "bad_input::talk_is_cleaned_and_bounded"),
    41: _entry(
        "<3, &, {}, %s, </b> in talk",
        "shown as typed",
        "clean::what_passes",
        "bad_input::talk_is_cleaned_and_bounded",
    ),
    42: _entry(
        "names that look alike, are empty, taken or reserved",
        "the nearest name that is free",
        "names::names_that_look_alike",
        "names::what_the_server_calls_itself_and_its_ai_players_is_reserved",
        "lobby::names_that_look_alike_are_not_both_here",
    ),
    43: _entry(
        "wide characters up to the limit",
        "the layout is exact",
        "screen::the_terminal_shows_what_was_composed_whatever_happened_before",
        "frame::every_moment_of_every_game_fits",
        "clean::text_is_cut_at_its_width",
    ),
    44: _entry(
        "a client that never reads its channel",
        "frames are skipped",
        "screen::a_reader_that_is_behind_gets_no_frames_and_then_the_newest",
        "leaving::a_reader_that_takes_nothing_costs_nothing",
    ),
    45: _entry(
        "a window of 4 GB, TCP not read",
        "the same, cut off after 20 s",
        "leaving::a_reader_that_takes_nothing_costs_nothing",
        "intake::who_takes_nothing_is_not_heard_and_cut_off",
    ),
    46: _entry(
        "100,000 requests, answers never read",
        "rationed, cut off",
        "ssh_attacks::tiny_packets_of_somebody_logged_in_cost_only_them",
        "intake::who_takes_nothing_is_not_heard_and_cut_off",
    ),
    47: _entry(
        "keys asked for again and again",
        "20 and then one a second, or cut off",
        "ssh_exhaustion::keys_asked_for_again_and_again_end_the_connection",
    ),
    48: _entry("zlib", "not negotiated", "ssh_attacks::no_compression_is_negotiated"),
    49: _entry(
        "resets at random moments",
        "descriptors and tasks as before; the seat is kept",
        "leaving::two_hundred_aborted_connections_leave_nothing_behind",
        "telnet::connections_that_go_at_once_leave_nothing",
        "chaos::two_hundred_drops_and_returns_leave_everybody_in_their_seat",
    ),
    50: _entry(
        "half a connection; a client stopped by a signal",
        "gone at once; in 45 s by keepalive",
        "ssh_exhaustion::who_sends_no_more_is_gone",
        "ssh_exhaustion::a_client_that_has_stopped_is_noticed",
    ),
    51: _entry(
        "the same key twice",
        "the old session is told and ends, one seat",
        "leaving::the_same_key_from_another_terminal_takes_over",
        "table::a_second_terminal_keeps_the_seat_when_the_first_goes",
    ),
    52: _entry(
        "kill -9 in the middle of moves",
        "no acknowledged move is lost",
        "chaos::nothing_acknowledged_is_lost_when_the_server_is_killed",
        "sqlite_log::what_was_acknowledged_outlives_a_kill",
    ),
    53: _entry(
        "disk full, database locked, read-only or damaged",
        "nothing is acknowledged that is not there; one clear line",
        "sqlite_log::a_full_disk_is_told_to_everybody_and_gets_over",
        "sqlite_log::another_programs_lock_is_waited_for_and_then_told",
        "sqlite_log::a_file_that_has_become_read_only_is_told",
        "sqlite_log::a_damaged_file_is_not_used",
    ),
    54: _entry("the clock jumps by an hour", "no turn does", "time::when_the_time_of_day_jumps_no_clock_does"),
    55: _entry(
        "no descriptors left", "accepting pauses and recovers", "descriptors::running_out_of_descriptors_passes"
    ),
    56: _entry(
        "the host key is open to others or damaged",
        "no start, one line",
        "host::a_key_that_others_can_read_is_refused",
        "host::a_damaged_key_is_never_made_anew",
    ),
    57: _entry(
        "SIGTERM in the middle of games",
        "saved, told, gone in 5 s",
        "host::serve_says_where_and_stops_on_sigterm",
        "leaving::a_stopping_server_says_good_bye",
        "chaos::nothing_acknowledged_is_lost_when_the_server_is_killed",
    ),
    58: _entry(
        "a bot's line of 1 MB, depth 10,000, NaN, doubled keys, BOM, NUL, an old ply",
        "an error each, 10 in a row and it is over",
        "bots::whatever_is_wrong_is_answered_in_one_line",
        "bots::ten_errors_in_a_row_end_the_connection",
        "bots::refusals_name_the_rule_and_the_turn_still_stands",
    ),
    59: _entry(
        "telnet: no end, huge sizes, floods, line ends, noise, split anywhere",
        "bounded, the same however it is cut",
        "telnet::a_subnegotiation_without_end_is_cut_off",
        "telnet::any_size_is_made_usable",
        "telnet::floods_and_noise_hurt_nobody",
        "telnet_parser::a_line_ends_once_and_text_is_text",
        "telnet_parser::random_bytes_never_raise_and_never_depend_on_the_cut",
        "telnet_parser::a_stream_means_the_same_split_at_every_byte",
    ),
    60: _entry(
        "telnet that never reads",
        "nobody on ssh waits",
        "telnet::a_reader_that_takes_nothing_is_cut_off",
    ),
    61: _entry("10,000 lines of talk a second", "5, then one a second", "bad_input::talk_is_cleaned_and_bounded"),
    62: _entry("a logged value with line ends, escapes", "one line of ASCII", "host::logs_are_lines_of_ascii_json"),
    63: _entry(
        "metrics asked for under attack",
        "answered while the event loop is held up",
        "metrics::monitoring_is_answered_while_the_event_loop_is_held_up",
        "metrics::a_silent_reader_keeps_nobody_from_reading",
    ),
    64: _entry(
        "a player who stalls every turn",
        "an AI player moves",
        "time::when_the_clock_runs_out_an_ai_player_moves_at_once_and_holds_the_seat",
        "time::coming_and_going_is_no_way_to_get_more_time",
    ),
    65: _entry(
        "all players leave in the middle of a game",
        "the table closes, the result is kept",
        "leaving::a_table_that_all_have_left_closes",
        "finished::leaving_for_good_is_no_way_out_of_a_defeat",
        "time::an_empty_table_closes_in_time_and_keeps_what_was_played",
    ),
}
NUMBERS: Final = range(1, 66)


def functions(module: str) -> Iterator[str]:
    """The names of a module's tests."""
    for node in ast.walk(ast.parse((HERE / f"test_{module}.py").read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield node.name.removeprefix("test_")


def test_no_entry_is_missing() -> None:
    """Each number once, with something expected and at least one test."""
    assert [*ENTRIES] == [*NUMBERS]
    assert all(entry.tried and entry.expected and entry.tests for entry in ENTRIES.values())


@pytest.mark.parametrize("number", ENTRIES)
def test_the_tests_are_there(number: int) -> None:
    """A test that has gone, or has another name, is missed here."""
    for name in ENTRIES[number].tests:
        module, _, function = name.partition("::")
        assert function in set(functions(module)), f"{number}: there is no test_{function} in test_{module}"
