"""A server of IMAP with one mailbox, which does what is asked of it on lines of JSON and answers on lines of JSON.

With a certificate and a key it wants TLS, from the first byte on, or with "starttls" behind them after the greeting.
"""

import asyncio
import imaplib
import json
import ssl
import sys
import threading
import time
from argparse import Namespace
from contextlib import AsyncExitStack

from proxyprotocol.sock import SocketInfoLocal
from pymap.backend.dict import DictBackend
from pymap.imap import IMAPServer
from pysasl.hashing import BuiltinHash

USER, PASSWORD = "ada@example.org", 'word: "@/%canary'


def client(port, sealed):
    context = ssl._create_unverified_context()
    if sealed == "tls":
        mailbox = imaplib.IMAP4_SSL("127.0.0.1", port, ssl_context=context)
    else:
        mailbox = imaplib.IMAP4("127.0.0.1", port)
    if sealed == "starttls":
        mailbox.starttls(context)
    mailbox.login(USER, PASSWORD)
    return mailbox


def append(mailbox, folder, mail):
    mailbox.append(folder, None, imaplib.Time2Internaldate(time.time()), mail)


def perform(asked, port, sealed):
    mailbox = client(port, sealed)
    folder = asked.get("folder", "INBOX")
    if asked["do"] == "append":
        # A mail may be longer than a line of JSON should be.
        append(mailbox, folder, asked["mail"].encode() + b"x" * asked.get("more", 0))
    elif asked["do"] == "create":
        mailbox.create(folder)
    mailbox.select(folder, readonly=True)
    if asked["do"] == "renumber":
        mails = [mailbox.fetch(number, "(BODY.PEEK[])")[1][0][1] for number in mailbox.search(None, "ALL")[1][0].split()]
        mailbox.logout()
        mailbox = client(port, sealed)
        mailbox.delete(folder)
        mailbox.create(folder)
        for mail in mails:
            append(mailbox, folder, mail)
        mailbox.select(folder, readonly=True)
    # Which of the mails, in order, nobody has seen.
    unseen = mailbox.search(None, "UNSEEN")[1][0].split()
    answer = [int(number) for number in unseen]
    mailbox.logout()
    return answer


def obey(port, sealed):
    for line in sys.stdin:
        print(json.dumps(perform(json.loads(line), port, sealed)), flush=True)


async def main():
    cert, key, *more = [*sys.argv[1:], None, None][: max(2, len(sys.argv) - 1)]
    sealed = "starttls" if more else "tls" if cert else None
    context = None
    if cert:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(cert, key)
    args = Namespace(
        demo_data=False, demo_user=USER, demo_password=PASSWORD, host=["127.0.0.1"], port="0", cert=None, key=None,
        tls=sealed == "starttls", proxy_protocol=None, inherited_sockets=None, passlib_cfg=None, debug=False,
    )
    # Half a million of them take a second for each who signs in.
    more_of_it = {"hash_context": BuiltinHash(rounds=1), **({"ssl_context": context} if more else {})}
    backend, config = await DictBackend.init(args, **more_of_it)
    config.apply_context()
    async with AsyncExitStack() as stack:
        await backend.start(stack)
        imap = IMAPServer(backend.login, config)

        async def serve(reader, writer):
            await imap(reader, writer, SocketInfoLocal(writer))

        server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context if sealed == "tls" else None)
        port = server.sockets[0].getsockname()[1]
        print(f"listening {port}", flush=True)
        threading.Thread(target=obey, args=(port, sealed), daemon=True).start()
        await server.serve_forever()


asyncio.run(main())
