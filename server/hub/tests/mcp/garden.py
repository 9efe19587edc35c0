"""A server of today's version of MCP, with tools of each kind of answer. The port is its one argument."""

import sys

from mcp.server import MCPServer

server = MCPServer("garden")


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@server.tool()
def fail(reason: str) -> str:
    """Fails."""
    raise ValueError(reason)


@server.resource("garden://beds/{bed}")
def bed(bed: str) -> str:
    """What grows in a bed."""
    return f"Moss grows in {bed}."


@server.prompt()
def plan(bed: str) -> str:
    """Plans what grows where."""
    return f"Plan the {bed}."


server.run(transport="streamable-http", port=int(sys.argv[1]))
