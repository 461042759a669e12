"""All processes on one database have one host key: a player's ssh remembers one, and warns of another."""

from typing import Final

import structlog

from server.config import NEW_KEY, Config
from server.storage import sql
from server.storage.database import Database, NotSaved, OutcomeUnknown, Steps
from server.transport.host_keys import KEY_NAME, HostKeyError

HOST_KEY: Final = "hostkey"
"""The kind and the key of the text that has the fingerprint of the host key."""

log = structlog.get_logger("quatch.host_key")


async def check_host_key(store: Database, fingerprint: str, config: Config, *, only_look: bool = False) -> None:
    """Compare the host key of this server with that of the database; the first server to start writes its own there.

    The check also finds out if two clusters use one database by mistake. A key takes the place of another only if
    ``config.new_host_key`` names it. If two servers with different keys make the first start at the same time, the
    second to write is refused. ``only_look``: nothing is written. Raises HostKeyError if players know another key,
    NotSaved if it cannot be read.
    """
    known = old = await store.text(HOST_KEY, HOST_KEY)

    def replace_old() -> Steps:
        rows = yield sql.TEXT, HOST_KEY, HOST_KEY
        if (rows[0][0] if rows else None) == old:  # and not that of a server that starts at the same time
            yield from store.put_text_steps(HOST_KEY, HOST_KEY, fingerprint)

    if known is None or (known != fingerprint and config.new_host_key in {NEW_KEY, fingerprint}):
        if only_look:
            return
        try:
            await store.write(replace_old)
        except (NotSaved, OutcomeUnknown) as error:  # the next start will do it
            log.warning("host key not kept for other servers", problem=str(error))
            return
        known = await store.text(HOST_KEY, HOST_KEY)
        if old is not None and known == fingerprint:
            log.warning("host key replaced", old=old, new=fingerprint)
    if known != fingerprint:
        raise HostKeyError(
            f"the host key in {config.hostkeys} is {fingerprint}, but players know {known}: put the {KEY_NAME} of that "
            "one there, as the other servers on this database have it; or start with "
            f"--new-host-key {NEW_KEY}, and the ssh of everybody who was here "
            "refuses to come, until they type ssh-keygen -R with the name of this host"
        )
