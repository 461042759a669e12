"""The URL of a database in PostgreSQL."""

import os
import re
from dataclasses import dataclass, field
from typing import Final, Self
from urllib.parse import parse_qsl, unquote

from server.postgres import FORM

PORT: Final = 5432
FILES: Final = {"sslrootcert", "sslcert", "sslkey", "sslcrl", "passfile"}
"""The options that name files."""
_WHERE: Final = ("host", "hostaddr", "port", "dbname", "user", "service", "options", "search_path", "role")
"""The options that may lead to other tables."""
_URL: Final = re.compile(
    r"postgres(?:ql)?://(?:(?P<user>[^:@/?#\[\]\s]*)(?::[^:@/?#\[\]\s]*)?@)?"
    r"(?P<hosts>[^@/?#\s]*)/(?P<name>[^@/?#\s]+)(?:\?[^@?#\s]*)?"
)
_HOST: Final = re.compile(r"(?P<host>[\w.-]+|\[[0-9a-fA-F:.]+\])(?::(?P<port>[1-9][0-9]{0,4}))?")


@dataclass(frozen=True, slots=True)
class DatabaseUrl:
    """postgresql://USER:PASSWORD@HOST[,HOST2][:PORT]/NAME[?OPTION=VALUE&...], for example with sslmode=require."""

    hosts: tuple[str, ...]
    """Tried in this order. None: the socket on this machine."""
    ports: tuple[int, ...]
    """Of each host. A port behind the last host counts for all without one."""
    name: str
    user: str
    """Empty: the one of the system."""
    text: str = field(repr=False)
    """All of it, with the password."""

    @classmethod
    def read(cls, text: str) -> Self:
        """Read the address. Raises ValueError, whose message does not repeat it, if it is none."""
        match = _URL.fullmatch(text)
        hosts = match["hosts"].split(",") if match is not None and match["hosts"] else []
        places = [_HOST.fullmatch(host) for host in hosts]
        if match is None or None in places:
            raise ValueError(f"must be empty or {FORM}, with @ in the password as %40")
        found = [(place["host"].strip("[]"), place["port"]) for place in places if place is not None]
        common = found[-1][1] if found else None
        ports = tuple(int(port or common or PORT) for _, port in found)
        if any(port > 65535 for port in ports):
            raise ValueError("a port must be 1 to 65535")
        return cls(tuple(host for host, _ in found), ports, unquote(match["name"]), unquote(match["user"] or ""), text)

    def unreadable_file(self) -> str:
        """The option that names a file which cannot be read, as in sslrootcert=ca.pem; empty if there is none."""
        named = ((option, path) for option, path in self._options.items() if option in FILES)
        return next((f"{option}={path}" for option, path in named if not os.access(path, os.R_OK)), "")

    @property
    def place(self) -> object:
        """What tells the database from others: the options that may lead to other tables, and nothing else.

        A user may have tables of their own. An option says only what stands nowhere else in the address.
        """
        hosts, ports = ",".join(self.hosts), ",".join(map(str, self.ports))
        named = {"host": hosts, "port": ports, "dbname": self.name, "user": self.user}
        return [named.get(option) or self._options.get(option) for option in _WHERE]

    @property
    def _options(self) -> dict[str, str]:
        return dict(parse_qsl(self.text.partition("?")[2]))

    def __str__(self) -> str:
        """The address without user, password and options."""
        hosts = (f"[{host}]" if ":" in host else host for host in self.hosts)
        places = (f"{host}:{port}" for host, port in zip(hosts, self.ports, strict=True))
        return f"postgresql://{','.join(places)}/{self.name}"
