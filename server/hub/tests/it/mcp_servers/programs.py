# A server that speaks over its input and output, and does whatever a test wants of it. It has no apostrophe in it.
import http.client, json, os, socket, sys

heard, watered = [], 0


def say(message):
    print(json.dumps(message), flush=True)


def read():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    message = json.loads(line)
    heard.append(message.get("method") or "answer")
    return message


def opened(path):
    try:
        return path if os.listdir(path) else None
    except NotADirectoryError:
        with open(path, "rb") as file:
            return path if file.read(1) else None
    except OSError:
        return None


def fetched(url):
    try:
        # Where a program finds its way out, if it has one.
        proxy = http.client.HTTPConnection("127.0.0.1", 3128, timeout=20)
        proxy.request("GET", url)
        answer = proxy.getresponse()
        return "%s%s" % ("" if answer.status == 200 else "not reached: ", answer.read().decode())
    except OSError as error:
        return "not reached: %s" % error


def connected(place):
    host, port = place.rsplit(":", 1)
    try:
        socket.create_connection((host, int(port)), timeout=5).close()
        return "reached"
    except OSError:
        return "not reached"


def ask():
    schema = {"type": "object", "properties": {"bed": {"type": "string"}}, "required": ["bed"]}
    params = {"message": "Which bed?", "requestedSchema": schema}
    say({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": params})


def asked_back():
    ask()
    while True:
        answer = read()
        if answer.get("id") == "q":
            return json.dumps(answer.get("result"))


def called(asked, name, given):
    global watered
    if name == "water":
        watered += 1
        say({"jsonrpc": "2.0", "id": 999999, "result": {"content": []}})
        print("This is no message.", flush=True)
        if kind == "modern":
            say({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
        return "Watered %d times." % watered
    if name == "key":
        return "The key is %s, the others are %s." % (os.environ.get("GARDEN_KEY"), sorted(os.environ))
    if name == "ask":
        return asked_back()
    if name == "heard":
        return " ".join(heard)
    if name == "files":
        return "opened: %s; here: %s" % ([path for path in given["paths"] if opened(path)], os.listdir("."))
    if name == "fetch":
        return fetched(given["url"])
    if name == "connect":
        return connected(given["place"])
    if name == "mute":
        ask()
    if name == "die":
        print("I fall. My key was %s." % os.environ.get("GARDEN_KEY"), file=sys.stderr, flush=True)
        os._exit(3)
    if name == "flood":
        while True:
            say({"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": "x" * 1000}})
    if name == "line":
        while True:
            sys.stdout.write("x" * 1000)
    return None


def refuse(asked, code):
    say({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": code, "message": "No."}})


def asked_in_place(given):
    if given.get("inputResponses"):
        return {"content": [{"type": "text", "text": json.dumps([given["inputResponses"], given["requestState"]])}]}
    schema = {"type": "object", "properties": {"bed": {"type": "string"}}, "required": ["bed"]}
    params = {"message": "Which bed?", "requestedSchema": schema}
    requests = {"bed": {"method": "elicitation/create", "params": params}}
    return {"resultType": "input_required", "inputRequests": requests, "requestState": "remembered"}


# Of which version it is: of today, one that says nothing to what it does not know, or one that ends then.
kind = sys.argv[1] if len(sys.argv) > 1 else ""
version = "2026-07-28"
names = ["water", "key", "ask", "heard", "files", "fetch", "connect", "die", "flood", "line", "mute"]
while True:
    asked = read()
    method, params, result = asked.get("method"), asked.get("params", {}), None
    if method == "server/discover" and kind == "ends":
        sys.exit(1)
    elif method == "server/discover" and kind == "modern":
        result = {"supportedVersions": [version], "capabilities": {"tools": {"listChanged": True}}}
    elif method == "server/discover" and kind != "still":
        refuse(asked, -32601)
    elif kind == "modern" and params.get("_meta", {}).get("io.modelcontextprotocol/protocolVersion") != version:
        if "id" in asked:
            refuse(asked, -32022)
    elif method == "initialize":
        info = {"name": "garden", "version": "1"}
        result = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": info}
    elif method == "tools/list":
        result = {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in names]}
    elif method == "tools/call" and kind == "modern" and params["name"] == "ask":
        result = asked_in_place(params)
    elif method == "tools/call":
        words = called(asked, params["name"], params.get("arguments", {}))
        result = words and {"content": [{"type": "text", "text": words}]}
    if result:
        say({"jsonrpc": "2.0", "id": asked["id"], "result": result})
