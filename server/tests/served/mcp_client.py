"""The SDK's client of MCP, at work: prints as JSON what it saw. Its arguments are address, token, mode and message."""

import asyncio
import json
import sys

import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

url, token, mode, message = sys.argv[1:]


def shown(result):
    return {
        "error": bool(result.is_error),
        "texts": [content.text for content in result.content],
        "structured": result.structured_content,
    }


async def refusal(asking):
    try:
        await asking
    except MCPError as error:
        return {"code": error.error.code, "message": error.error.message}
    return None


async def main():
    seen, progress = {}, []

    async def heard(count, total, said):
        progress.append([count, said])

    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        transport = streamable_http_client(f"{url}/mcp", http_client=http)
        async with Client(transport, mode=mode) as client:
            seen["version"] = client.session.protocol_version
            tools = (await client.list_tools()).tools
            seen["tools"] = [[tool.name, tool.title, tool.description] for tool in tools]
            name = tools[0].name
            first = shown(await client.call_tool(name, {"message": message}, progress_callback=heard))
            seen["first"], seen["progress"] = first, progress
            goes_on = {"message": "And then?", "conversation": first["structured"]["conversation"]}
            seen["second"] = shown(await client.call_tool(name, goes_on))
            seen["foreign"] = shown(await client.call_tool(name, {"message": "Hi", "conversation": "nowhere"}))
            seen["silent"] = shown(await client.call_tool(name, {"message": " "}))
            seen["unknown"] = await refusal(client.call_tool("moss_00000000", {"message": "Hi"}))
            if client.server_capabilities.resources:
                resources = (await client.list_resources()).resources
                seen["resources"] = [[str(found.uri), found.name] for found in resources]
                seen["read"] = [(await client.read_resource(found.uri)).contents[0].text for found in resources]
                prompts = (await client.list_prompts()).prompts
                seen["prompts"] = [[found.name, found.description] for found in prompts]
                got = [await client.get_prompt(found.name, {"task": "Now."}) for found in prompts]
                seen["got"] = [result.messages[0].content.text for result in got]
            else:
                seen["resources"] = await refusal(client.session.list_resources())
    print(json.dumps(seen))


asyncio.run(main())
