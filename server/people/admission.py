"""Who may log in: all players, with a key or without, except banned ones; or only the keys on the host's list."""

import re
from pathlib import Path
from typing import Final

import structlog

from server.addresses import Address
from server.config import Config, ConfigError, is_fingerprint
from server.people.accounts import Accounts
from server.people.players import Caller
from server.people.sanctions import Sanctions, known_as
from server.storage.database import NotSaved

log = structlog.get_logger("quatch.admission")

NOT_LOOKED_UP: Final = "the server cannot look up your key now: try again in a moment"
_COMMENT: Final = re.compile(r"\s*(#.*)?$")


def allowed_keys(file: Path) -> frozenset[str]:
    """The keys that the host has listed in a file: one fingerprint a line, # begins a comment. Raises ConfigError."""
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"allow_file: {file}: {getattr(error, 'strerror', None) or 'not UTF-8'}") from None
    keys = [_COMMENT.sub("", line).strip() for line in lines]
    for number, key in enumerate(keys, 1):
        if key and not is_fingerprint(key):
            wrong = f"{key[:60]!r} is no fingerprint: ssh-keygen -lf KEY.pub tells it, SHA256:..."
            raise ConfigError(f"allow_file: {file}, line {number}: {wrong}")
    return frozenset(filter(None, keys))


class Admission:
    """Who may log in. Each method returns a denial in one line, which is empty if the player may."""

    def __init__(self, config: Config, accounts: Accounts, bans: Sanctions) -> None:
        """Raises ConfigError if the list of allowed keys cannot be read."""
        self._config = config
        self._allowed = allowed_keys(Path(config.allow_file)) if config.allow_file else None
        self._accounts = accounts
        self._bans = bans

    async def denial(self, caller: Caller) -> str:
        """All checks, for a player whose key and address are known."""
        if problem := self.denial_by_address(caller.address):
            return problem
        if caller.key is not None:
            return await self.judge_key(caller.key) or self.denial_if_unlisted(caller.key)
        ban = self._bans.on(known_as(caller), None)
        who = f"the guest {caller.wished_name} is" if caller.wished_name else "you are"
        return ban.denial(who, self._bans.wall()) if ban else self.denial_if_unlisted(None)

    def denial_by_address(self, address: Address | None) -> str:
        """The check of an address, before anything else is known."""
        ban = self._bans.on((), address)
        return ban.denial("your address is", self._bans.wall()) if ban else ""

    async def judge_key(self, key: str) -> str:
        """The check of a key that the player has proved to hold, and of the account that it stands for."""
        is_op = key in self._config.ops
        try:
            account = await self._accounts.of(key)
        except NotSaved as error:
            log.warning("key not looked up", key=key, problem=str(error))
            return "" if is_op else NOT_LOOKED_UP
        ban = None if is_op else self._bans.on((key, account), None)
        return ban.denial("you are", self._bans.wall()) if ban else ""

    def denial_if_unlisted(self, key: str | None) -> str:
        """The check against the list of allowed keys, for a player with this key or with none."""
        if self._allowed is None or (key is not None and (key in self._config.ops or key in self._allowed)):
            return ""
        return "this server is private: ask its host to list your key" + (f", {key}" if key else "")
