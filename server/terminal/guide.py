"""What the keys of the full screen ask the session. It imports nothing, since prompt_toolkit is loaded late."""


class Guide:
    """What the session knows about the line that is being typed; this one knows nothing."""

    def offer(self) -> str:
        """Returns the line that Enter alone stands for, shown faintly: never a move; empty if there is none."""
        return ""

    def walk(self, line: str, step: int) -> str:  # noqa: ARG002 - others need it, here and below
        """Returns the move ``step`` further on than the one in the line; empty if there is no move to make."""
        return ""

    def add_copy(self, line: str) -> str:  # noqa: ARG002
        """Returns the move in the line with one more card of its rank; empty if the line is no move."""
        return ""

    def words(self, line: str) -> list[str]:  # noqa: ARG002
        """Returns the words with which the last word of the line may go on."""
        return []

    def show_words(self, words: list[str]) -> None:
        """Show these words to choose from."""

    def turn_page(self, pages: int) -> bool:  # noqa: ARG002
        """Turn the page of text forward or back, or put it away for 0.

        Returns False if there is none, and at the end of one where Enter does something.
        """
        return False

    def step(self, key: str) -> bool:  # noqa: ARG002
        """Carry out the command that this key stands for where the player is. Returns False if there is none."""
        return False

    def stop_playing(self) -> bool:
        """Stop a finished game that goes on by itself. Returns whether there was one."""
        return False

    def step_back(self) -> None:
        """Esc was pressed on an empty line: go back to where the player was before."""
