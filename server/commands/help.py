"""Help: what can be typed here, or what one command does, made from the registry."""

from collections.abc import Iterator, Sequence

from engine.cards import RANKS
from server.cells import row_text
from server.commands.registry import COMMANDS, Answer, Command, Context, Page, known, look_up, usable
from server.language.parsing import TYPED_MOVES
from server.render.scene import Scene
from server.render.theme import theme_of
from server.table.snapshot import Snapshot
from server.terminal.key_bindings import keys_help


def names(context: Context, before: Sequence[str]) -> list[str]:
    """Completes `help`: the commands that work here."""
    return [] if before else ["all", "typing", *(each.name for each in usable(context))]


@Command(
    "help [WORD]",
    "help all: everything; help typing: the keys",
    aliases=("?",),
    only_looks=True,
    ssh="answer",
    arguments=names,
)
async def help_(context: Context, rest: str) -> Answer:
    """List what can be typed here, or tell what one command does."""
    if rest == "typing":
        return Answer([f"{keys:<30} {meaning}" for keys, meaning in keys_help()])
    if rest not in {"", "all"}:
        return Answer(_about(look_up(rest.lower(), context), context))
    if context.place in {"ssh", "admin"}:
        return Answer(list(_over_ssh(context)))
    if not context.scene.drawn:
        return Answer(list(_in_brief(context)))
    return Answer(list(_listed(context, everything=rest == "all")))


def _about(found: Command, context: Context) -> list[str]:
    """What a command does; if its name has several uses, that of each."""
    same = [each for each in known(context) if each.name == found.name]
    here = [each for each in same if each.works(context.place)] or same
    return [line for each in here for line in (f"{each.usage}: {each.help}.", *each.details)]


def _listed(context: Context, *, everything: bool) -> Iterator[str]:
    """A page for the screen, with the commands that are useful now or all that work here."""
    scene = context.scene
    yield "What you can type. The beginning of a word is enough if it is clear."
    if scene.snapshot is not None and context.place == "table":
        yield from (f"{typed:<30} {meaning}" for typed, meaning in _moves(scene.snapshot, everything=everything))
        yield f"{_cards_shown(scene):<30} how cards look: ten; two sevens; playable now"
        yield f"{'arrow keys, Space, Enter':<30} choose, one more, do; Esc empties the line"
    page = _page(context)
    left_out = []
    for each in usable(context):
        if everything or page in each.pages:
            short = next((alias for alias in each.aliases if len(alias) == 1), "")
            yield f"{f'{each.usage} ({short})' if short else each.usage:<30} {each.help}"
        else:
            left_out.append(each.name)
    if left_out:
        yield f"{'help all':<30} everything: also {', '.join(left_out[:3])} and more"
    if scene.resume_code:
        yield f"If the connection is lost: come in again and type resume {scene.resume_code}"


def _in_brief(context: Context) -> Iterator[str]:
    """For players who hear it: how to play, then only the names of commands."""
    scene = context.scene
    if scene.snapshot is not None and context.place == "table":
        yield from (f"{typed}: {meaning}." for typed, meaning in _moves(scene.snapshot, everything=False))
    yield f"Commands: {', '.join(each.name for each in usable(context))}."
    yield "help and a command tells what it does. The beginning of a word is enough if it is clear."
    if scene.resume_code:
        yield f"If the connection is lost: come in again and type resume {scene.resume_code}"


def _over_ssh(context: Context) -> Iterator[str]:
    """The commands that are given to ssh itself."""
    if context.place == "admin":
        yield from (f"ssh HOST admin {each.usage:<16} {each.help}" for each in usable(context) if each.ops)
        return
    yield f"{'ssh HOST':<32} come in"
    for each in COMMANDS:
        if each.ssh:
            terminal = "-t " if each.ssh in {"screen", "session"} else ""
            also = "; with -t on the screen" if each.ssh == "answer or screen" else ""
            yield f"{f'ssh {terminal}HOST {each.usage}':<32} {each.help}{also}"
    *others, last = [each.name for each in COMMANDS if each.ssh and each.json]
    yield f"{', '.join(others)} and {last} with --json: one JSON object"


def _page(context: Context) -> Page:
    """The first page for where the player is."""
    match context.place:
        case "lobby" | "replay" | "lesson" as page:
            return page
        case _:
            snapshot = context.snapshot
            return "game" if snapshot is not None and snapshot.playing else "between"


def _cards_shown(scene: Scene) -> str:
    """A ten, two sevens, and two that can be played, as this player's screen shows them."""
    theme = theme_of(scene.settings, has_signs=scene.has_signs)
    ten, sevens = (
        row_text(theme.group(rank, copies << 4 * rank))
        for rank, copies in ((RANKS.index("T"), 1), (RANKS.index("7"), 3))
    )
    return f"{ten}, {sevens}, ({sevens})"


def _moves(snapshot: Snapshot, *, everything: bool) -> Iterator[tuple[str, str]]:
    """How moves are typed: those that make sense now, or all."""
    view = snapshot.view
    for typed, meaning, phases in TYPED_MOVES:
        if everything or view is None:
            yield typed, meaning
        elif view.phase == "arrange":
            if phases in {"arrange", "swap" if snapshot.rules.arrange_mode == "swap" else "lay"}:
                yield typed, meaning
        elif phases == "play":
            yield typed, meaning
