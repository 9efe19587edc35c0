"""A server of today's version of MCP, with tools of each kind of answer. The port is its one argument."""

import sys
from typing import Annotated, Literal

from mcp.server import MCPServer
from mcp.server.mcpserver import Context, Elicit, ElicitationResult, Resolve
from pydantic import BaseModel, Field

server = MCPServer("garden")


class Bed(BaseModel):
    bed: Literal["north", "south"]
    rows: int = Field(default=2, ge=1, le=9)
    covered: bool = False


def which_bed() -> Elicit[Bed]:
    return Elicit("Which bed shall it have?", Bed)


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@server.tool()
def fail(reason: str) -> str:
    """Fails."""
    raise ValueError(reason)


@server.tool()
def plant(what: str, bed: Annotated[ElicitationResult[Bed], Resolve(which_bed)]) -> str:
    """Plants something, in a bed that the person says."""
    if bed.action != "accept":
        return f"Nothing was planted: {bed.action}."
    covered = "covered" if bed.data.covered else "open"
    return f"{what} in {bed.data.bed}, {bed.data.rows} rows, {covered}."


@server.tool()
async def dig(rows: int, ctx: Context) -> str:
    """Digs row after row, and says how far it is."""
    for row in range(1, rows + 1):
        await ctx.report_progress(row, rows, f"Row {row}")
    return f"{rows} rows."


@server.resource("garden://beds/{bed}")
def bed(bed: str) -> str:
    """What grows in a bed."""
    return f"Moss grows in {bed}."


@server.prompt()
def plan(bed: str) -> str:
    """Plans what grows where."""
    return f"Plan the {bed}."


server.run(transport="streamable-http", port=int(sys.argv[1]))
