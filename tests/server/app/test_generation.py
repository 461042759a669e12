"""When a process that has died is started again."""

from server.app.generation import FIRST_DELAY, LIVED_SECONDS, LONGEST_DELAY, Backoff


def test_a_process_that_dies_again_and_again_is_started_less_and_less_often() -> None:
    """Up to a limit; one that has lived for a while is started at once again."""
    backoff = Backoff()
    delays = [backoff.delay(0.1) for _ in range(8)]
    assert delays[:3] == [FIRST_DELAY, 2 * FIRST_DELAY, 4 * FIRST_DELAY]
    assert delays[-1] == LONGEST_DELAY
    assert backoff.delay(LIVED_SECONDS) == FIRST_DELAY
