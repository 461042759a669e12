"""Who may import whom (the layers of the design), read from the source."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import server

ROOT = Path(__file__).parent.parent

LAYERS = {
    "engine": [
        {"engine.referee", "engine.ai", "engine.lessons"},
        {"engine.ai.review"},
        {"engine.ai.players", "engine.ai.explain"},
        {"engine.ai.learned_levels", "engine.lessons.turns", "engine.lessons.powers", "engine.lessons.zones"}
        | {"engine.lessons.arranging"},
        {"engine.ai.levels", "engine.ai.search"},
        {"engine.ai.weights", "engine.ai.arranging", "engine.ai.style", "engine.ai.playouts"},
        {"engine.ai.features", "engine.ai.worlds"},
        {"engine.ai.guess", "engine.ai.value"},
        {"engine.ai.classes", "engine.ai.worths", "engine.lessons.practice", "engine.notes", "engine.odds"},
        {"engine.notation", "engine.view_reading"},
        {"engine.game", "engine.view_json"},
        {"engine.opening"},
        {"engine.pile"},
        {"engine.legality"},
        {"engine.view"},
        {"engine.wording"},
        {"engine.state"},
        {"engine.position", "engine.events", "engine.typed"},
        {"engine.moves"},
        {"engine.powers", "engine.rulesets"},
        {"engine.rulefile"},
        {"engine.rules", "engine.shuffle"},
        {"engine.errors", "engine.cards"},
    ],
    "server": [
        {"server.__main__"},
        {"server.cli"},
        {"server.cli_finished", "server.cli_tools"},
        {"server.bench_table", "server.bench_attacks", "server.bench_masters"},
        {"server.bench_attackers"},
        {"server.bench_people"},
        {"server.bench_servers"},
        {"server.app", "server.at_home", "server.bots"},
        {"server.ssh", "server.telnet", "server.local", "server.census"},
        {"server.admission", "server.ssh_channel"},
        {"server.session", "server.remote", "server.bench", "server.bench_frames", "server.bench_log", "server.bot"},
        {"server.arena", "server.fit"},
        {"server.fitting"},
        {"server.selfplay", "server.regression", "server.progress"},
        {"server.acts", "server.admin"},
        {"server.linking"},
        {"server.screen", "server.line", "server.visit"},
        {"server.aside", "server.news", "server.caution"},
        {"server.playback", "server.place", "server.looking_back", "server.farewell"},
        {"server.review_words"},
        {"server.review"},
        {"server.archive"},
        {"server.lobby", "server.frame", "server.answers", "server.keys", "server.jsonlines", "server.offers"},
        {"server.sanctions", "server.name_book"},
        {"server.lesson", "server.odds", "server.tips", "server.reasons", "server.lobby_frame", "server.table_frame"},
        {"server.tables"},
        {"server.table", "server.terms", "server.replay", "server.results_frame", "server.own_rows"}
        | {"server.pile_rows"},
        {"server.card_rows", "server.ways"},
        {"server.drawn"},
        {"server.canvas", "server.probe"},
        {"server.faces"},
        {"server.seating"},
        {"server.schedule"},
        {"server.ai_turns"},
        {"server.stage", "server.position_words"},
        {"server.scene", "server.words", "server.commands", "server.terminal", "server.input_line", "server.painter"}
        | {"server.negotiation", "server.countdown"},
        {
            "server.rulebook",
            "server.journal",
            "server.showing",
            "server.names",
            "server.standings",
            "server.presence",
        },
        {"server.finished"},
        {"server.fold"},
        {"server.facts", "server.members", "server.ai_seats", "server.verify", "server.happenings"},
        {"server.update", "server.cells", "server.changes", "server.record"},
        {"server.accounts"},
        {"server.players", "server.sqlite_log", "server.remembered", "server.tally"},
        {"server.sqlite_file"},
        {"server.door", "server.drain"},
        {"server.intake", "server.gate", "server.asyncssh_inside"},
        {"server.chores"},
        {"server.store", "server.inbox", "server.fairness", "server.results", "server.deal_text", "server.text_lines"},
        {
            "server.config",
            "server.clean",
            "server.logs",
            "server.hostkeys",
            "server.descriptors",
            "server.rate",
            "server.version",
            "server.settings",
            "server.thinking",
            "server.styles",
            "server.garbage",
            "server.telnet_parser",
            "server.proxy",
            "server.idleness",
            "server.ascii",
            "server.monitoring",
            "server.service",
            "server.watchdog",
        },
        {"server.limits", "server.metrics"},
    ],
}
"""From the top: a module may import only from lines further down."""

HOLD_THE_TRUTH = (
    {"server.fold", "server.facts", "server.deal_text", "server.record", "server.replay", "server.lesson"}
    | {"server.arena", "server.fitting", "server.selfplay", "server.bench", "server.bench_frames"}
    | {"server.bench_people"}
)  # fmt: skip
"""The only modules outside the engine that may reach beyond views: the fold of the log, what is about games that are
over, lessons, whose positions are made up and are nobody's game, what deals games for AI players alone (these still
choose from views), and benches that play games of their own."""
INVENTS_WORLDS = "engine.ai.worlds"
"""The one AI module that builds whole positions: from a view and a generator, so every hidden card in them is made up.
Search plays on in these; it never meets a real one."""
TRUTH = {"engine.state", "engine.game", "engine.opening", "engine.notation", "engine.pile"}
ASYNCSSH = {
    "server.ssh",
    "server.ssh_channel",
    "server.asyncssh_inside",
    "server.hostkeys",
    "server.bench_servers",
    "server.bench_people",
} | {"server.bench_attackers", "server.bots"}
PROMETHEUS = {"server.metrics", "server.census", "server.monitoring"}
APSW = {"server.sqlite_log", "server.sqlite_file"}
PROMPT_TOOLKIT = {"server.screen", "server.keys", "server.input_line", "server.bench_frames"}
ENGINE_MAY_USE = {
    "__future__", "collections", "dataclasses", "difflib", "functools", "hashlib", "hmac", "importlib", "json",
    "fractions", "itertools", "math", "random", "tomllib", "types", "typing", "engine",
}  # fmt: skip


def modules(package: str) -> Iterator[tuple[str, ast.Module]]:
    """Every module of a package with its syntax tree."""
    for file in sorted((ROOT / package).rglob("*.py")):
        parts = file.relative_to(ROOT).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), ast.parse(file.read_text("utf-8"))


def imports(tree: ast.Module) -> set[str]:
    """The modules that a module imports, wherever in it."""
    found = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names if node.module in {"server", "engine"}}
            found.add(node.module)
    return found


@pytest.mark.parametrize("package", LAYERS)
def test_an_import_only_points_down(package: str) -> None:
    """A module imports only from layers below its own."""
    rank = {module: at for at, layer in enumerate(LAYERS[package]) for module in layer} | {package: -1}
    for module, tree in modules(package):
        assert module in rank, f"{module} has no layer yet"
        for imported in imports(tree) & rank.keys():
            assert imported == package or rank[imported] > rank[module], f"{module} imports {imported}"


def test_every_module_has_one_layer() -> None:
    """Named twice, the lower place would hide the upper."""
    for layers in LAYERS.values():
        named = [module for layer in layers for module in layer]
        assert len(set(named)) == len(named), [module for module in named if named.count(module) > 1]


def test_the_map_of_the_server_names_every_module() -> None:
    """Whoever comes new to the code finds everything from there; benches are one word."""
    for module, _ in modules("server"):
        name = module.partition(".")[2]
        if name and name != "__main__" and not name.startswith("bench"):
            assert re.search(rf"\b{name}\b", str(server.__doc__)), f"the map does not know {name}"


def test_the_engine_is_pure() -> None:
    """The engine uses no I/O, clock or network: only a short list of the standard library."""
    for module, tree in modules("engine"):
        used = {name.partition(".")[0] for name in imports(tree)}
        assert used <= ENGINE_MAY_USE, f"{module} imports {used - ENGINE_MAY_USE}"


def test_chance_in_the_engine_comes_from_outside() -> None:
    """Nothing in the engine draws from the global generator: it only names the type of one that it is given."""
    for module, tree in modules("engine"):
        from_random = [
            alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module == "random"
            for alias in node.names
        ]
        assert from_random in ([], ["Random"]), f"{module} imports {from_random} of random"
        assert "random" not in imports(tree) or from_random, f"{module} imports the module random"


def test_only_the_core_holds_the_truth() -> None:
    """AI players, renderers, commands and sessions work with views, never with the state."""
    for module, tree in [*modules("server"), *modules("engine")]:
        if module == INVENTS_WORLDS:
            assert imports(tree) & TRUTH == {"engine.state", "engine.game"}
        elif module.startswith("engine.ai") or (module.startswith("server") and module not in HOLD_THE_TRUTH):
            assert not imports(tree) & TRUTH, f"{module} imports {imports(tree) & TRUTH}"


@pytest.mark.parametrize(
    ("library", "users"),
    [("apsw", APSW), ("asyncssh", ASYNCSSH), ("prompt_toolkit", PROMPT_TOOLKIT), ("prometheus_client", PROMETHEUS)],
)
def test_a_library_stays_behind_its_modules(library: str, users: set[str]) -> None:
    """SQLite is the log's alone, asyncssh the SSH carrier's, prompt_toolkit the terminal modules', and so on."""
    found = {
        module for module, tree in modules("server") if any(name.split(".")[0] == library for name in imports(tree))
    }
    assert found == users


def test_traps_stay_closed() -> None:
    """What has hurt others is not used: the library's own servers, pipes, markup of user text, process-wide patches."""
    banned = ("contrib.ssh", "contrib.telnet", "patch_stdout", "create_pipe_input", "HTML(", " ANSI(", "time.sleep")
    for file in [*(ROOT / "server").rglob("*.py"), *(ROOT / "engine").rglob("*.py")]:
        text = file.read_text("utf-8")
        assert not [trap for trap in banned if trap in text], file


def test_the_engine_names_no_rule_set() -> None:
    """Rule sets are data: no code of the engine mentions one by name, but for the default's name."""
    names = [file.stem for file in (ROOT / "engine" / "rulesets").glob("*.toml")]
    for module, tree in modules("engine"):
        words = {
            node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        assert module == "engine.rulesets" or not words & set(names), f"{module} names {words & set(names)}"
