"""The sentences of errors."""

import pytest

from engine.errors import BadRules, InputError, Refused


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ("no game is going on", "No game is going on."),
        ("kick whom? Type kick NAME", "Kick whom? Type kick NAME."),
        ("Jack is lower than queen. You can play 10.", "Jack is lower than queen. You can play 10."),
        ("'foo' is no word", "'foo' is no word."),
        ("20 games are being looked back on", "20 games are being looked back on."),
        ("deal.hand: must be 1 to 9", "deal.hand: must be 1 to 9."),
        ("seats: 2 to 4, not 9", "seats: 2 to 4, not 9."),
        ("nan.toml, line 3: no such key", "nan.toml, line 3: no such key."),
        ("hints=maybe is neither on nor off", "hints=maybe is neither on nor off."),
        ("whose turns?", "Whose turns?"),
    ],
)
def test_a_message_that_stands_alone_is_a_sentence(message: str, sentence: str) -> None:
    """With a large letter and a full stop; what is typed just so keeps its small one."""
    errors = (InputError("bad_request", message), Refused("too_low", None, message), BadRules([message]))
    for error in errors:
        assert error.sentence == sentence
        assert error.message == str(error) == message
