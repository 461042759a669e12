"""Names of players that take much room on a screen."""

WIDE = "漢字漢字漢字漢字"
LONG = "Maximiliane-Rose"


def names(people: int) -> list[str]:
    """So many names: short, as long as a name may be, and wide ones."""
    return [(f"Ana{n}", f"{LONG[:14]}{n}", f"{WIDE[:6]}{n}", f"Zoë{n}")[n % 4] for n in range(people)]
