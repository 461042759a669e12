"""Help: what can be typed here, or what one command does, made from the registry."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from engine.cards import RANKS
from engine.wording.phrases import listed
from server.cells import wrap
from server.commands.finding import command_in, look_up
from server.commands.registry import ADMIN, Answer, Command, Context, MoreDetails, commands_with, known, usable
from server.language.parsing import TYPED_MOVES
from server.people.players import way_back_text
from server.player.player_session import PlayerSession
from server.render.scene import Scene
from server.render.theme import theme_of
from server.table.place import ADMIN_SSH, OF_THE_CORE, PROMPT, SSH, Place

SHELL_COLUMNS: Final = 80
KEYS_OF_LINES: Final = (
    "Enter: send the line.",
    "Backspace: erase the last character.",
    "Ctrl-U: empty the line.",
    "Ctrl-D: on an empty line, quit.",
    "The full screen has more keys: help typing lists them there.",
)
"""What `help typing` tells in plain lines, where the line is edited in `line_mode`, or by the player's own terminal."""


@Command(
    "help [COMMAND]",
    aliases=("?",),
    section="yourself",
    behind_admin=("help [COMMAND]", "show what ops can type"),
    read_only=True,
    ssh="answer",
    words=(
        "commands, man, manual, info, about, about ..., what, what is, what here, what type, what can ..., "
        "i need help, -h, --help, /help, /?, wtf, huh, list commands"
    ),
)
async def help_(context: Context, rest: str) -> Answer:
    """Show what to type; also help all, help typing."""
    if context.lobby.is_op(context.caller) and (rest == ADMIN or (context.place == ADMIN_SSH and not rest)):
        return Answer([*_of_ops(context)])
    rest = rest.removeprefix(f"{ADMIN} ")
    passed_over = {"me", "us", "with", "out"} - {rest if context.place == SSH else ""}  # as in "help me"
    rest = " ".join(word for word in rest.split() if word.lower() not in passed_over)
    if rest == "typing":
        from server.terminal.key_bindings import keys_help  # noqa: PLC0415 - loaded late, see `app.run_process`

        on_screen = context.scene.drawn or context.place == SSH
        return Answer([f"{keys:<30} {meaning}" for keys, meaning in keys_help()] if on_screen else KEYS_OF_LINES)
    if told := _of_move(rest.lower(), context):
        return Answer(told, title=f"help {rest.lower()}")
    if rest not in {"", "all"}:
        about = (command_in(rest.split(), context) if " " in rest else None) or look_up(rest.lower(), context)
        return Answer(_about(about.name, context), title=f"help {about.name}")
    if context.place == SSH:
        return Answer([*_over_ssh(context)])
    if context.place == PROMPT:
        hosts, all_ = ([each for each in usable(context) if each.ops == is_ops] for is_ops in (True, False))
        return Answer(["What hosts can do:", *_listed(hosts, None), "What all players can:", *_listed(all_, None)])
    page, code = _on_screen if context.scene.drawn else _in_lines, context.scene.resume_code
    is_kept = isinstance(context, PlayerSession) and context.lobby.kept_name(context.player.id, context.own_seats)
    return Answer([*page(context, everything=rest == "all"), *([way_back_text(code)] if code and is_kept else [])])


def _of_ops(context: Context) -> Iterator[str]:
    """What ops can type."""
    if context.place.kind == "shell":
        yield "ssh HOST and one of these:"
    for each in known(context):
        if each.ops or each.behind_admin:
            usage, does = each.behind_admin or (each.usage, each.help)
            yield f"{f'admin {usage}':<31} {does}"


def _of_move(word: str, context: Context) -> list[str]:
    """How a move is typed during a game, and what the command of that name does; empty for another word."""
    moves = _moves(context, everything=bool(word)) if context.snapshot and context.snapshot.playing else []
    told = [f"{typed}: {does}." for typed, does in moves if word in {typed.partition(" ")[0], does.partition(" ")[0]}]
    is_command = told and word in {each.name for each in usable(context)}
    return [*(_about(word, context) if is_command else ()), *told]


def _on_screen(context: Context, *, everything: bool) -> Iterator[str]:
    """What can be typed, a line each."""
    yield "You can type the following. The first letters of a command are enough."
    if moves := _moves(context, everything=everything):
        yield from (f"{typed:<30} {meaning}" for typed, meaning in moves)
        yield f"{_cards_shown(context.scene):<30} how cards look: ten; two sevens; playable now"
        yield f"{'arrow keys, Space, Enter':<30} choose a move, add a card, play it"
    yield from filter(None, (context.place.keys,))
    yield from _listed(usable(context), None if everything else page_names(context))


def _in_lines(context: Context, *, everything: bool) -> Iterator[str]:
    """What can be typed, in few lines."""
    yield from (f"{typed}: {meaning}." for typed, meaning in _moves(context, everything=everything))
    commands = usable(context)
    first = [each.name for each in commands if everything or each.is_on(page_names(context))]
    yield f"Commands: {', '.join(first)}."
    more = "help all lists all. " if len(first) < len(commands) else ""
    yield f"{more}Type help NAME to read about a command. The first letters of a command are enough."


def _about(name: str, context: Context) -> list[str]:
    """What the commands of this name do: those that work here, or else all, and where; how they are given to ssh."""
    same = [each for each in known(context) if each.name == name]
    here = [each for each in same if each.works(context.place)] or same
    lines, places = list[str](), (*OF_THE_CORE, *context.lobby.features.all(Place))
    for each in here:
        works = listed([place.works for place in places if each.works(place)], "or")
        where = f" ({works})" if len(here) > 1 else ""
        lines += [f"{each.usage}{where}: {each.help.removesuffix(f'; help {name} tells more')}.", *each.details]
    for more in context.lobby.features.all(MoreDetails):
        lines += more.lines if more.command == name else ()
    if context.lobby.ssh_address and context.place not in {SSH, ADMIN_SSH}:
        lines += [f"From a shell: {_ssh_line(each, context.lobby.ssh_address)}" for each in here if each.ssh]
    return lines


def _ssh_line(command: Command, address: str) -> str:
    """How a command is given to ssh itself."""
    return f"ssh {'-t ' if command.ssh in {'screen', 'own screen'} else ''}{address} {command.usage}"


def _listed(commands: Sequence[Command], pages: Collection[str] | None) -> Iterator[str]:
    """The commands of a first page of help, which has these names, or all."""
    left_out = [each.name for each in commands if pages is not None and not each.is_on(pages)]
    for each in commands:
        if each.name not in left_out:
            short = ", ".join(alias or "Enter" for alias in each.aliases if len(alias) < 2)
            yield f"{f'{each.usage} ({short})' if short else each.usage:<30} {each.help}"
    if left_out:
        yield f"{'help all':<30} show all commands: also {', '.join(left_out[:2])} and more"


def _over_ssh(context: Context) -> Iterator[str]:
    """The commands that are given to ssh itself."""
    yield "ssh HOST comes in."
    for line in ("ssh HOST", "ssh -t HOST"):
        yield f"{line} and one of these:"
        for each in commands_with(context.lobby.features):
            if each.ssh == "answer or screen" or (each.ssh and _ssh_line(each, "HOST").startswith(f"{line} ")):
                yield from wrap(f"  {each.usage:<30} {each.help}", SHELL_COLUMNS)
    yield "--json behind one that needs no -t answers with one JSON object."


def page_names(context: Context) -> Collection[str]:
    """The names of the first page of help where the player is. A table has one between games, and one during a game."""
    if context.place.kind not in {"table", "watching"}:
        return {context.place.name, context.place.kind}
    return {"game" if context.snapshot and context.snapshot.playing else "between"}


def _cards_shown(scene: Scene) -> str:
    """A ten, two sevens, and two that can be played, as this player's screen shows them."""
    theme = theme_of(scene.settings, has_signs=scene.has_signs)
    ten = theme.group(RANKS.index("T"), 0b1 << 4 * RANKS.index("T")).text
    sevens = theme.group(RANKS.index("7"), 0b11 << 4 * RANKS.index("7")).text
    return f"{ten}, {sevens}, ({sevens})"


def _moves(context: Context, *, everything: bool) -> list[tuple[str, str]]:
    """How moves are typed: those of a game that goes on, or all; none if the player makes none now."""
    snapshot = context.snapshot
    if snapshot is None or context.place.kind not in {"table", "exercise"}:
        return []
    if everything:
        phases = {"play", "arrange", "swap", "lay"}
    elif snapshot.view is not None and snapshot.view.phase == "arrange":
        phases = {"arrange", "swap" if snapshot.rules.arrange_mode == "swap" else "lay"}
    else:
        phases = {"play"} if snapshot.playing else set()
    return [(typed, meaning) for typed, meaning, phase in TYPED_MOVES if phase in phases]
