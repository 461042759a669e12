"""A database has one host key, for a player's ssh remembers one key for all servers on it, and warns of another.

The first server to start writes the fingerprint of its key into the database, and later ones compare theirs. This also
finds out if two clusters use one database by mistake.
"""

from typing import Final

import structlog

from engine.errors import InputError
from server.config import NEW_KEY, PREFIX, Config
from server.storage.database import Database
from server.storage.key_value_store import save
from server.transport.host_keys import KEY_NAME, HostKeyError

KIND: Final = "hostkey"
"""The kind of text whose keys are fingerprints. The text that was written first counts: if two servers with different
keys make the first start at the same time, both write, and both see which one that was."""

log = structlog.get_logger("quatch.host_key")


async def check_host_key(store: Database, fingerprint: str, config: Config, *, alone: bool) -> None:
    """Compare the host key of this server with the one in the database, and write it there if there is none.

    The key takes the place of another one only if ``config.new_host_key`` names it. ``alone``: no other server uses the
    database. Raises HostKeyError if players know another key, NotSaved if it cannot be read.
    """
    written = await _fingerprints(store)
    if written[:1] == [fingerprint]:
        return
    try:
        if not written or config.new_host_key in {NEW_KEY, fingerprint}:
            await save(store, KIND, fingerprint, config.node_name)
            for old in filter(fingerprint.__ne__, written):
                log.warning("host key replaced", old=old, new=fingerprint)
                await save(store, KIND, old, None)
            written = await _fingerprints(store)
        if written[:1] != [fingerprint] and fingerprint in written:
            await save(store, KIND, fingerprint, None)
    except InputError as error:  # the next start will do it
        log.warning("host key not compared with that of other servers", problem=str(error))
        return
    if written[:1] != [fingerprint] and alone:
        raise HostKeyError(
            f"the host key in {config.hostkeys} is another one than players know, {written[0]}: put the old {KEY_NAME} "
            f"back there; or start with --new-host-key {NEW_KEY}, and the ssh of everybody who was here refuses to "
            "come, since the host key has changed, until they type ssh-keygen -R with the name of this host"
        )
    if written[:1] != [fingerprint]:
        raise HostKeyError(
            f"the host key in {config.hostkeys} is {fingerprint}, but that of the servers on this database is "
            f"{written[0]}: copy their {KEY_NAME} into this folder; or, if the key here is to replace theirs, start "
            f"with {PREFIX}NEW_HOST_KEY={fingerprint}"
        )


async def _fingerprints(store: Database) -> list[str]:
    """The fingerprints in the database, in the order in which they were written. Raises NotSaved."""
    return [row.key for row in await store.read_texts(KIND) if row.text is not None]
