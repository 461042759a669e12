"""The PROXY protocol: a proxy before the server says for which client it speaks.

What it must not know: what the connections carry.
Where to begin: `header.py`.
"""

from typing import Final

from server.command_line import CommandLine

COMMAND_LINE: Final = CommandLine("server.proxy_protocol.header:FEATURE")
