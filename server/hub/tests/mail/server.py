"""A server for mail that tells of each mail on a line of JSON. With a certificate and a key it wants TLS and a password.

An address that begins with "full" is refused for now the first time, one that begins with "nobody" for good.
"""

import asyncio
import json
import ssl
import sys
from email import message_from_bytes, policy

from aiosmtpd.smtp import SMTP, AuthResult


class Handler:
    def __init__(self):
        self.seen = set()

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody"):
            return "550 nobody of this name, whatever password-canary says"
        if address.startswith("full") and address not in self.seen:
            self.seen.add(address)
            return "452 come again"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        message = message_from_bytes(envelope.content, policy=policy.default)
        print(json.dumps({
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "sealed": session.ssl is not None,
            "headers": {name.lower(): str(value) for name, value in message.items()},
            "text": message.get_content(),
        }), flush=True)
        return "250 OK"


def authenticate(server, session, envelope, mechanism, data):
    good = (data.login, data.password) == (b"hub@example.org", b"word: @/%canary")
    return AuthResult(success=good, handled=False)


async def main():
    how = {"hostname": "mail.test"}
    if len(sys.argv) > 2:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*sys.argv[1:3])
        how |= {"tls_context": context, "require_starttls": True, "auth_required": True, "authenticator": authenticate}
    handler = Handler()
    server = await asyncio.get_running_loop().create_server(lambda: SMTP(handler, **how), "127.0.0.1", 0)
    print(f"listening {server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


asyncio.run(main())
