"""The SDK's client of MCP without a token: it finds out how to get one, registers, asks its person and is let in.
Prints as JSON what it saw. Its arguments are address, scope and message; on its input stands the cookie of the person's browser."""

import asyncio
import html
import json
import re
import sys
from urllib.parse import parse_qs, urlencode, urlparse

import httpx2
from mcp.client import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

url, scope, message = sys.argv[1:]
cookie = sys.stdin.readline().strip()
seen = {}


class Kept:
    """What the client keeps between two starts."""

    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def ask(address):
    """What the person does in their browser: reads the page, and presses its button."""
    headers = {"Cookie": cookie}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as browser:
        page = await browser.get(address)
        seen["page"] = html.unescape(re.sub(r"<[^>]*>", "", page.text))
        seen["policy"] = page.headers["content-security-policy"]
        query = html.unescape(re.search(r'name="query" value="([^"]*)"', page.text).group(1))
        form = urlencode({"query": query, "answer": "allow", "relays": "false"})
        headers = {"Origin": url, "Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}
        answer = await browser.post(f"{url}/api/oauth/answer", content=form, headers=headers)
        seen["led"] = answer.headers["location"]


async def answered():
    said = {name: values[0] for name, values in parse_qs(urlparse(seen["led"]).query).items()}
    return AuthorizationCodeResult(code=said["code"], state=said["state"], iss=said["iss"])


async def main():
    kept = Kept()
    metadata = OAuthClientMetadata(
        client_name="Fern Desk", redirect_uris=["http://127.0.0.1:3118/callback"], scope=scope
    )
    auth = OAuthClientProvider(f"{url}/mcp", metadata, kept, ask, answered)
    async with httpx2.AsyncClient(auth=auth, timeout=60) as http:
        async with Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client:
            tools = (await client.list_tools()).tools
            result = await client.call_tool(tools[0].name, {"message": message})
            seen["texts"] = [content.text for content in result.content]
            seen["resources"] = bool(client.server_capabilities.resources)
    seen["tokens"] = json.loads(kept.tokens.model_dump_json())
    seen["client"] = kept.client.client_id
    print(json.dumps(seen))


asyncio.run(main())
