"""The line that a player types."""

from prompt_toolkit.buffer import Buffer

from server.terminal.input_line import InputLine


def test_lines_share_nothing_that_one_of_them_changes() -> None:
    """Nobody can undo, or go back to, what another player has typed: what the library makes is shared, if it stays."""
    first, second = InputLine(), InputLine()
    changing = [name for name, value in vars(Buffer()).items() if type(value) in {list, dict, set}]
    assert {"_undo_stack", "_redo_stack", "multiple_cursor_positions"} <= {*changing}
    for name in (*changing, "history", "_working_lines"):
        assert vars(first)[name] is not vars(second)[name]
    first.insert_text("secret")
    first.save_to_undo_stack()
    first.take()
    second.undo()
    second.history_backward()
    assert second.text == ""
