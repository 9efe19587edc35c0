"""A server that lets nobody in who has not signed in, with the authorization server of the SDK in front of it. Whoever
goes to sign in is let in at once. Its arguments are the port and for how many seconds a token is good."""

import secrets
import sys
import time

from mcp.server import MCPServer
from mcp.server.auth.provider import AccessToken, AuthorizationCode, RefreshToken, construct_redirect_uri
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions, RevocationOptions
from mcp.shared.auth import OAuthToken

port, seconds = int(sys.argv[1]), int(sys.argv[2])
here = f"http://127.0.0.1:{port}"


class People:
    def __init__(self):
        self.clients, self.codes, self.refreshes, self.tokens = {}, {}, {}, {}

    async def get_client(self, client_id):
        return self.clients.get(client_id)

    async def register_client(self, client_info):
        self.clients[client_info.client_id] = client_info

    async def authorize(self, client, params):
        code = secrets.token_urlsafe()
        self.codes[code] = AuthorizationCode(
            code=code,
            scopes=params.scopes or [],
            expires_at=time.time() + 60,
            client_id=client.client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=params.resource,
        )
        return construct_redirect_uri(str(params.redirect_uri), code=code, state=params.state)

    async def load_authorization_code(self, client, authorization_code):
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(self, client, authorization_code):
        del self.codes[authorization_code.code]
        return self.give(client.client_id, authorization_code.scopes, authorization_code.resource)

    async def load_refresh_token(self, client, refresh_token):
        return self.refreshes.get(refresh_token)

    async def exchange_refresh_token(self, client, refresh_token, scopes):
        del self.refreshes[refresh_token.token]
        return self.give(client.client_id, scopes, refresh_token.resource)

    async def load_access_token(self, token):
        return self.tokens.get(token)

    async def revoke_token(self, token):
        for kept in (self.refreshes, self.tokens):
            kept.pop(token.token, None)
        print("revoked", flush=True)

    def give(self, client_id, scopes, resource):
        access, refresh = secrets.token_urlsafe(), secrets.token_urlsafe()
        self.tokens[access] = AccessToken(
            token=access, client_id=client_id, scopes=scopes, expires_at=int(time.time()) + 60, resource=resource
        )
        self.refreshes[refresh] = RefreshToken(token=refresh, client_id=client_id, scopes=scopes, resource=resource)
        return OAuthToken(access_token=access, expires_in=seconds, refresh_token=refresh, scope=" ".join(scopes))


server = MCPServer(
    "guarded",
    auth_server_provider=People(),
    auth=AuthSettings(
        issuer_url=here,
        resource_server_url=f"{here}/mcp",
        validate_token_resource=True,
        required_scopes=["garden"],
        client_registration_options=ClientRegistrationOptions(
            enabled=True, valid_scopes=["garden"], default_scopes=["garden"]
        ),
        revocation_options=RevocationOptions(enabled=True),
    ),
)


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


server.run(transport="streamable-http", port=port)
