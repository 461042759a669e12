"""What players and ops type about privacy."""

from collections.abc import Mapping
from importlib.resources import files
from math import isinf
from pathlib import Path
from typing import Final

from msgspec import json, to_builtins

from engine.errors import InputError
from engine.rules import Json
from engine.wording.phrases import quantity
from server.clean_text import clean
from server.commands.acts import note_act
from server.commands.registry import ADMIN, Answer, Command, Context, declared_in
from server.extension import Feature
from server.lobby.lobby import Lobby
from server.lobby.personal_data import PersonalData
from server.lobby.service import Runs
from server.people.sanctions import Sanction
from server.privacy import PrivacySettings
from server.privacy.forgetting import Forgetting, person_of
from server.privacy.games import all_games_of
from server.records.syntax import time_text
from server.table.place import ADMIN_SSH

REALLY: Final = "really"
PAGE_LENGTH: Final = 20_000
"""Characters of the host's own page that are shown."""
LINE_LENGTH: Final = 200
WHAT_GOES: Final = (
    "Your name, keys, settings, ratings and all else that is kept of you would be deleted; your seats are given up.",
    "Your games would stay, with a former player in place of your name. Nobody can undo that.",
    "export shows first what is kept. To be forgotten type: forget really",
)

UNDONE: Final = "Not all can be deleted now. That goes on by itself until nothing is left; export shows what is."
OPS: Final = "An op can type admin forget NAME really, for a player who asks to be forgotten."


@Command(
    "privacy",
    section="yourself",
    pages=(),
    in_full=True,
    read_only=True,
    ssh="answer",
    words="gdpr, data, my data, data protection",
)
async def privacy(context: Context, _: str) -> Answer:
    """Read what is kept of you, and for how long."""
    settings = context.lobby.config.of(PrivacySettings)
    days = settings.privacy_addresses
    page = _page(settings.privacy_page)
    kept = "".join(f"- {each.told(context.lobby.config)};\n" for each in context.lobby.features.all(PersonalData))
    page = page.replace("{kept}", kept).replace("{addresses}", "ever" if isinf(days) else quantity(round(days), "day"))
    return Answer([clean(line, LINE_LENGTH) for line in page[:PAGE_LENGTH].splitlines()], title="privacy")


@Command("export", on_server=True, section="yourself", pages=(), in_full=True, ssh="answer")
async def export_(context: Context, _: str) -> Answer:
    """Get all that is kept of you, as JSON."""
    found = await export(context.lobby, _account(context))
    return Answer(json.format(json.encode(found)).decode().splitlines(), found)


@Command(
    "forget [really]",
    on_server=True,
    section="yourself",
    pages=(),
    behind_admin=("forget NAME [really]", "have all that is kept of a player deleted"),
    grave=True,
    ssh="answer",
    words="delete account, delete my account, delete my data, delete me",
    details=(*WHAT_GOES, OPS),
)
async def forget(context: Context, rest: str) -> Answer:
    """Have all that is kept of you deleted."""
    is_of_another = context.place == ADMIN_SSH
    if context.lobby.is_op(context.caller) and not is_of_another:
        is_of_another, rest = rest not in {"", REALLY}, rest.removeprefix(ADMIN).lstrip()
    if is_of_another:
        name, _, really = rest.partition(" ")
        return await _forget_other(context, name, really)
    account = _account(context)
    if rest != REALLY:
        return Answer(WHAT_GOES)
    if not await context.lobby.service(Forgetting).forget_player(account):
        return Answer([UNDONE])
    return Answer(["You are forgotten here. Your games stay, with a former player in place of your name."])


async def _forget_other(context: Context, name: str, really: str) -> Answer:
    lobby = context.lobby
    here = lobby.visitors.named(name)
    owner = here.player.account if here else await lobby.profiles.owner_called(name)
    if not owner:
        raise InputError(
            "bad_request", "forget which player? Type admin forget NAME really; the name as they had it last"
        )
    if {*await lobby.accounts.keys_of(owner)} & {*lobby.config.ops}:
        raise InputError("bad_request", "that player is an op: the config lists the ops")
    if really != REALLY:
        return Answer([f"All that is kept of {name} would be deleted. To do that type: admin forget {name} really"])
    is_done = await lobby.service(Forgetting).forget_player(owner)
    await note_act(context, "forget", "a player")  # whom, is forgotten
    return Answer(["The player is forgotten." if is_done else UNDONE])


def _account(context: Context) -> str:
    if context.player.account is None:
        raise InputError("bad_request", "you came in without an ssh key, so nothing is kept under your name")
    return context.player.account


def _page(file: str) -> str:
    """The page in the host's file, or our own one if that is not named. Raises InputError."""
    try:
        return (Path(file) if file else files("server.privacy").joinpath("page.txt")).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise InputError("not_read", "the host's page cannot be read now: tell them") from None


async def export(lobby: Lobby, account: str) -> Mapping[str, Json]:
    """All that is kept of an account. Raises NotSaved.

    Of tables only their numbers are told: their logs have cards that nobody may see yet.
    """
    await lobby.standings.count_all()
    person, kept = await person_of(lobby, account), await lobby.accounts.account(account)
    games = [
        {"game": each.id, "rules": each.rules, "at": each.at, "result": _json(each.result), "record": each.record}
        async for each in all_games_of(lobby.store, account)
    ]
    texts = {kind: _json(text) for kind in lobby.profiles.kinds if (text := await lobby.store.text(kind, account))}
    others = {each.name: await each.read(lobby, person) for each in lobby.features.all(PersonalData)}
    sanctions = {"bans": lobby.bans, "mutes": lobby.mutes, "given_names": lobby.given_names}
    return {
        "account": account,
        "name": kept.name,
        "last_day": kept.seen,
        "settings": _json(kept.settings),
        "keys": list(person.keys),
        "tables": [number for number, _ in await lobby.store.seats_of(account)],
        "ratings": [_json(text) for text in await lobby.store.standings_of(account)],
        **{
            name: [_end(each) for each in imposed.all() if each.target == account]
            for name, imposed in sanctions.items()
        },
        **texts,
        **{name: to_builtins(value) for name, value in others.items() if value is not None},
        "games": games,
    }


def _end(sanction: Sanction) -> str:
    """When it ends: an export is read at any time."""
    return "when an op lifts it" if sanction.until is None else time_text(round(sanction.until))


def _json(text: str | None) -> Json:
    read: Json = json.decode(text) if text else None
    return read


FEATURE: Final = Feature("privacy", (*declared_in(__name__), Runs(Forgetting)))
