"""The SDK's client of A2A, at work: prints as JSON what it saw. Its arguments are address, token, agent and message."""

import asyncio
import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue
from threading import Thread

import httpx
from a2a.client import A2ACardResolver, ClientConfig, create_client
from a2a.types.a2a_pb2 import (
    CancelTaskRequest,
    DeleteTaskPushNotificationConfigRequest,
    GetTaskPushNotificationConfigRequest,
    GetTaskRequest,
    ListTaskPushNotificationConfigsRequest,
    ListTasksRequest,
    Message,
    Part,
    Role,
    SendMessageConfiguration,
    SendMessageRequest,
    SubscribeToTaskRequest,
    TaskPushNotificationConfig,
)
from a2a.utils.signing import InvalidSignaturesError, create_signature_verifier
from google.protobuf.json_format import MessageToDict
from jwt import PyJWK

url, token, agent, message = sys.argv[1:]


def said(text, number, **more):
    return Message(message_id=f"m-{number}", role=Role.ROLE_USER, parts=[Part(text=text)], **more)


async def updates(stream):
    return [MessageToDict(update) for update in [update async for update in stream]]


class Receiver(BaseHTTPRequestHandler):
    """Where the hub tells how a task goes on."""

    heard = Queue()

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.end_headers()
        self.heard.put({"word": self.headers["X-A2A-Notification-Token"], "told": body})

    def log_message(self, *_):
        pass


async def pushes(client, task, receiver):
    """Has the task told of there, and looks at what is kept of that."""
    url = f"http://127.0.0.1:{receiver.server_port}/"
    seen = {"url": url}

    async def listed():
        answer = await client.list_task_push_notification_configs(ListTaskPushNotificationConfigsRequest(task_id=task))
        return [config.id for config in answer.configs]

    for name in ["spare", "told"]:
        wanted = TaskPushNotificationConfig(id=name, task_id=task, url=url, token="push-word")
        seen["created"] = MessageToDict(await client.create_task_push_notification_config(wanted))
    spare = {"task_id": task, "id": "spare"}
    await client.delete_task_push_notification_config(DeleteTaskPushNotificationConfigRequest(**spare))
    try:
        await client.get_task_push_notification_config(GetTaskPushNotificationConfigRequest(**spare))
    except Exception as error:
        seen["missing"] = type(error).__name__
    told = GetTaskPushNotificationConfigRequest(task_id=task, id="told")
    seen["got"] = MessageToDict(await client.get_task_push_notification_config(told))
    seen["listed"] = await listed()
    return seen, listed


async def signature(http, base):
    """What becomes of the card as it is served, and of one that was changed."""
    keys = {}

    def key(kid, jku):
        return PyJWK(keys[jku, kid])

    verify = create_signature_verifier(key, ["ES256"])
    address = f"{url}/.well-known/jwks.json"
    for one in (await http.get(address)).json()["keys"]:
        keys[address, one["kid"]] = one
    card = await A2ACardResolver(http, base).get_agent_card()
    seen = []
    for description in [card.description, "Somebody else."]:
        card.description = description
        try:
            verify(card)
            seen.append("holds")
        except InvalidSignaturesError:
            seen.append("does not hold")
    return seen


async def main():
    receiver = HTTPServer(("127.0.0.1", 0), Receiver)
    Thread(target=receiver.serve_forever, daemon=True).start()
    seen = {}
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(headers=headers, timeout=60) as http:
        base = f"{url}/a2a/{agent}"
        client = await create_client(base, client_config=ClientConfig(httpx_client=http, streaming=True))
        whole = await create_client(base, client_config=ClientConfig(httpx_client=http, streaming=False))
        seen["streamed"] = await updates(client.send_message(SendMessageRequest(message=said(message, 1))))
        seen["signature"] = await signature(http, base)
        task = seen["streamed"][0]["task"]
        in_context = said("And then?", 2, context_id=task["contextId"])
        seen["whole"] = await updates(whole.send_message(SendMessageRequest(message=in_context)))
        seen["got"] = MessageToDict(await client.get_task(GetTaskRequest(id=task["id"])))
        seen["listed"] = MessageToDict(await client.list_tasks(ListTasksRequest(page_size=1)))
        hangs = SendMessageRequest(
            message=said('turns: [[{"text":"some words"},"hang"]]', 3),
            configuration=SendMessageConfiguration(return_immediately=True),
        )
        begun = (await updates(whole.send_message(hangs)))[0]["task"]
        seen["begun"] = begun

        async def follows():
            return await updates(client.subscribe(SubscribeToTaskRequest(id=begun["id"])))

        following = [asyncio.create_task(follows()) for _ in range(2)]
        await asyncio.sleep(0)
        seen["pushes"], listed = await pushes(client, begun["id"], receiver)
        seen["cancelled"] = MessageToDict(await client.cancel_task(CancelTaskRequest(id=begun["id"])))
        for follower in following:
            try:
                await follower
            except Exception as error:  # Who comes after the end is told so.
                seen["late"] = type(error).__name__
        seen["pushes"]["pushed"] = await asyncio.to_thread(Receiver.heard.get, timeout=60)
        while await listed():
            await asyncio.sleep(0.1)
        seen["pushes"]["left"] = []
        refusals = {}
        for name, asking in {
            "unknown": client.get_task(GetTaskRequest(id="nowhere")),
            "over": client.cancel_task(CancelTaskRequest(id=begun["id"])),
        }.items():
            try:
                await asking
            except Exception as error:
                refusals[name] = type(error).__name__
        seen["refusals"] = refusals
    print(json.dumps(seen))


asyncio.run(main())
