"""What is typed to see how long the server has been up."""

import asyncio
from datetime import timedelta

from msgspec import Struct

from server.commands.registry import Answer, Command, Context
from server.version import VERSION


class _UptimeJson(Struct):
    version: str
    uptime_s: int
    tables: int
    people: int
    processes: int
    nodes: int
    node: str
    """The one that answers."""


@Command("uptime", read_only=True, on_server=True, pages=(), ssh="answer")
async def uptime(context: Context, _: str) -> Answer:
    """Show how long the server has been up."""
    lobby, now = context.lobby, asyncio.get_running_loop().time()
    peers = lobby.peers
    seconds = int(now - min(peers.began, *(each.began for each in peers.others), now))
    tables, people = len(lobby.tables.listings()), len(lobby.visitors.came)
    processes, nodes = len(peers.others) + 1, len(peers.nodes())
    line = f"quatch {VERSION}, up {timedelta(seconds=seconds)}. Tables: {tables}. People: {people}."
    if peers.others:
        line += f" Processes: {processes}. Nodes: {nodes}."
    if nodes > 1:
        line += f" You are at {peers.node}."
    return Answer([line], _UptimeJson(VERSION, seconds, tables, people, processes, nodes, peers.node))
