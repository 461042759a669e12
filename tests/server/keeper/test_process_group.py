"""When a process that has died is started again."""

from server.keeper.process_group import FIRST_DELAY, LIVED_SECONDS, LONGEST_DELAY, next_delay


def test_a_process_that_dies_again_and_again_is_started_less_and_less_often() -> None:
    """Up to a limit; one that has lived for a while is started at once again."""
    delays = [0.0]
    for _ in range(8):
        delays.append(next_delay(delays[-1], 0.1))
    assert delays[1:4] == [FIRST_DELAY, 2 * FIRST_DELAY, 4 * FIRST_DELAY]
    assert delays[-1] == LONGEST_DELAY
    assert next_delay(LONGEST_DELAY, LIVED_SECONDS) == FIRST_DELAY
