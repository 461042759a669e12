"""Which package may import which, read from the source."""

import ast
import re
from functools import cache
from graphlib import TopologicalSorter

import pytest

from server.features import FEATURES
from tests.support.each import for_each
from tests.support.sources import ROOT, modules

MAY_IMPORT = {
    "cli": "bench training app transport session commands lobby history records terminal net people process storage",
    "bench": "training app transport session commands history table ai records terminal net people process storage",
    "training": "terminal",
    "app": "transport session commands lobby table records terminal net people process storage",
    "transport": "terminal net people process",
    "session": "commands player lobby history render language table ai records terminal people",
    "commands": "player lobby history render language table ai records terminal people storage",
    "player": "lobby history render language table ai records people",
    "lobby": "history table ai records people process storage",
    "history": "language table ai records people storage",
    "render": "language table records people",
    "language": "table records people",
    "table": "ai records people process storage",
    "ai": "process",
    "records": "people",
    "terminal": "people process",
    "net": "process",
    "people": "storage",
    "process": "storage",
    "storage": "",
}
"""The packages of the core of `server` from the top, and which of those further down each may import."""
MAY_IMPORT_WITH_FEATURES = {**dict.fromkeys(FEATURES, " ".join(MAY_IMPORT)), **MAY_IMPORT}
"""The same with the features, each of which may import all of the core, and no other feature."""

ROOT_MODULES = {
    *(
        "addresses",
        "bounded_dict",
        "cells",
        "clean_text",
        "command_line",
        "config",
        "fair_queue",
        "features",
        "joining",
    ),
    *("ledger", "limits", "number_text", "pieces", "rulebook", "typed_json"),
}
"""The modules at the root of `server`, which every package may import; they import no package."""

ENGINE_ORDER = [
    "protocol ai lessons",
    "way_out",
    "odds",
    "game",
    "opening",
    "legality",
    "view",
    "state wording",
    "position events pile",
    "rank_powers rulesets",
    "effects",
    "rules moves shuffle",
    "rule_options powers",
    "errors cards levels",
]
"""The packages and root modules of `engine` from the top: each may import only what stands on a line below its own."""

HOLD_THE_TRUTH = {
    *("server.table.apply_changes", "server.table.state", "server.records.record"),
    *("server.replay.playback", "server.lesson"),
    *("server.training.arena", "server.training.fit"),
    *("server.bench.engine", "server.bench.people", "server.bot_protocol.check"),
}
"""The only modules outside the engine that may import its state: a table and what its log makes of it, finished
games, lessons, whose positions are made up and are nobody's game, what deals games for AI players alone
(these still choose from views), and what plays games of its own: benches, and the check of a bot."""
INVENTS_WORLDS = "engine.ai.worlds"
"""The one AI module that builds whole positions: from a view and a generator, so every hidden card in them is made up.
Search plays on in these."""
TRUTH = {"engine.state", "engine.game", "engine.opening", "engine.protocol.position_json", "engine.pile"}
ASYNCSSH = {
    "server.transport.ssh",
    "server.transport.asyncssh_private",
    "server.transport.host_keys",
    "server.bench.servers",
    "server.bench.people",
} | {"server.bench.attackers", "server.bench.growth"}
PROMETHEUS = set[str]()
APSW = {f"server.storage.{name}" for name in ("sqlite_file", "sqlite_database")}
ASYNCPG = set[str]()
PROMPT_TOOLKIT = {"server.terminal.key_bindings", "server.terminal.keys", "server.terminal.input_line"}
ENGINE_MAY_USE = {
    "__future__", "collections", "dataclasses", "difflib", "functools", "hashlib", "hmac", "importlib", "json",
    "fractions", "itertools", "math", "msgspec", "operator", "random", "tomllib", "types", "typing", "engine",
}  # fmt: skip


@cache
def imports(tree: ast.Module) -> set[str]:
    """The modules that a module imports, wherever in it."""
    found = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {
                f"{node.module}.{alias.name}"
                for alias in node.names
                if node.module.split(".")[0] in {"server", "engine"}
            }
            found.add(node.module)
    return found


def package_of(module: str) -> str:
    """The package of a module of `server`; empty for those at its root."""
    parts = module.split(".")
    return parts[1] if parts[0] == "server" and len(parts) > 1 and parts[1] in MAY_IMPORT_WITH_FEATURES else ""


def test_packages_of_the_server_import_only_what_they_may() -> None:
    """Each import between packages stands in the table."""
    for module, tree in modules("server"):
        package = package_of(module)
        allowed = set(MAY_IMPORT if module == "server.__main__" else MAY_IMPORT_WITH_FEATURES.get(package, "").split())
        for imported in imports(tree):
            below = package_of(imported)
            fine = below in allowed | {"", package}
            assert fine, f"{module} imports {imported}, but {package or 'the root'} may import {sorted(allowed)}"


def test_packages_of_the_server_form_no_cycle() -> None:
    """A package names only packages further down in the table."""
    order = list(MAY_IMPORT)
    for at, (package, allowed) in enumerate(MAY_IMPORT.items()):
        assert set(allowed.split()) <= set(order[at + 1 :]), f"{package} may import what does not stand below it"


def test_every_package_stands_in_the_table() -> None:
    """A new package or root module is given its place; each package says what it is for."""
    packages = {path.parent.name for path in (ROOT / "server").glob("*/__init__.py")}
    files = {path.stem for path in (ROOT / "server").glob("*.py")} - {"__init__", "__main__"}
    assert packages | files == {*MAY_IMPORT_WITH_FEATURES, *ROOT_MODULES}
    assert files - ROOT_MODULES <= {*FEATURES}
    for module, tree in modules("server", r"server\.\w+$"):
        name, text = module.partition(".")[2], ast.get_docstring(tree) or ""
        if name in MAY_IMPORT_WITH_FEATURES:
            assert "What it must not know:" in text, name
            assert "Where to begin:" in text or name in files, name


def test_the_map_names_every_package_and_root_module() -> None:
    """`server/README.md`; features are named in their list alone."""
    named = set(re.findall(r"`(\w+)`", (ROOT / "server" / "README.md").read_text("utf-8")))
    assert not {*MAY_IMPORT, *ROOT_MODULES} - named


def test_the_engine_imports_only_downwards() -> None:
    """Each part of the engine stands in the order, and imports only parts on the lines below."""
    line = {part: at for at, parts in enumerate(ENGINE_ORDER) for part in parts.split()}
    for module, tree in modules("engine"):
        if module == "engine":
            continue
        part = module.split(".")[1]
        assert part in line, f"{module} has no place in ENGINE_ORDER"
        for imported in imports(tree):
            below = imported.split(".")[1] if imported.startswith("engine.") else part
            fine = below == part or line[below] > line[part]
            assert fine, f"{module} imports {imported}, but {below} does not stand below {part} in ENGINE_ORDER"


@pytest.mark.parametrize("package", ["engine", "server"])
def test_modules_form_no_cycle(package: str) -> None:
    """No module imports itself by way of others, inside a package either."""
    found = dict(modules(package))
    TopologicalSorter(
        {module: imports(tree) & found.keys() - {package, module} for module, tree in found.items()}
    ).prepare()


def test_the_engine_is_pure() -> None:
    """The engine uses no I/O, clock or network: only a short list of the standard library, and msgspec."""
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


def test_the_state_of_a_table_stays_in_its_package() -> None:
    """All others get snapshots, which hold a view."""
    for module, tree in modules("server"):
        if package_of(module) != "table":
            assert "server.table.state" not in imports(tree), f"{module} imports the state of a table"


@for_each(
    ("library", "users"),
    [
        ("apsw", APSW),
        ("asyncpg", ASYNCPG),
        ("asyncssh", ASYNCSSH),
        ("prompt_toolkit", PROMPT_TOOLKIT),
        ("prometheus_client", PROMETHEUS),
    ],
)
def test_a_library_stays_behind_its_modules(library: str, users: set[str]) -> None:
    """SQLite is the log's alone, asyncssh the SSH carrier's, prompt_toolkit the terminal modules', and so on."""
    found = {
        module
        for module, tree in modules("server", having=library)
        if any(name.split(".")[0] == library for name in imports(tree))
    }
    in_features = {module for module in found if package_of(module) in FEATURES}
    assert found - in_features == users
    clients = (
        "bench",
        "bots",
        "metrics.figures",
        "metrics.page",
        "doctor.checks",
        "bot_protocol.check",
        "damage_check",
        "cluster.shared_file",
        "timed_backups.copying",
        "postgres.bell",
        "postgres.database",
        "postgres.errors",
    )
    assert all(module.endswith(clients) for module in in_features), "a feature uses the modules that are there for it"


TESTS = [*(ROOT / "tests").rglob("*.py")]
IMPORT = re.compile(r"^ *(?:from|import) (tests\S*(?: import .*)?)", re.MULTILINE)
PATCH_BY_PATH = re.compile(r"\b(?:setattr|setitem|delattr|patch)\(\s*f?[\"'](?:server|engine)\.")


def test_no_test_module_imports_another() -> None:
    """What several of them use is in `tests.support`, which knows none of them."""
    for file in TESTS:
        imported = IMPORT.findall(file.read_text("utf-8"))
        found = [each for each in imported if re.search(r"[. ](test_|conftest\b)", each)]
        assert not found, f"{file} imports {found}: move what they share to tests.support"
        if file.parent.name == "support":
            above = [each for each in imported if re.match(r"tests\.(?!support|soak)", each)]
            assert not above, f"{file} imports {above}"


def test_no_test_patches_a_module_by_its_path() -> None:
    """A value that tests need otherwise is given to the part that uses it."""
    found = [f"{file}: {match[0]}" for file in TESTS for match in PATCH_BY_PATH.finditer(file.read_text("utf-8"))]
    assert not found


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
