"""What tables are opened for by a feature that no server has: plain values."""

from typing import Any, Final

from msgspec.structs import replace

from server.people.players import Player
from server.records.results import Secret
from server.table.entries import TableSettings
from server.table.occasion import Next, Occasion
from tests.support.tables import table_settings

KIND: Final = "exam"
GRADES: Final = Next("exam", ("exam grade",), ("Type exam.",))


def occasion(*seats: Player | str, **values: Any) -> Occasion:  # noqa: ANN401 - those of an occasion
    """An exam for these players and styles of AI players, by seat; ``values`` differ from those of most."""
    usual: dict[str, Any] = {
        "kind": KIND,
        "data": {"room": 7},
        "game": "EXAMGAME",
        "seats": seats,
        "title": "Exam 7",
        "name": "an exam",
        "strangers": "has an exam, which others sit",
        "left": "Your exam is kept.",
        "next": GRADES,
    }
    return Occasion(**{**usual, **values})


def exam_settings(*seats: Player | str, **values: Any) -> TableSettings:  # noqa: ANN401 - those of an occasion
    """What a table is opened for at which an exam is sat."""
    return replace(table_settings(len(seats)), occasion=occasion(*seats, **values))


SECRET: Final = Secret(1e6, "has an exam: it is secret until it is over", "have exams: they are listed later")
