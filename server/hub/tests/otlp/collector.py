"""A collector of OpenTelemetry that others made: it takes what is sent to it, and passes it on to the address that is
named. Says where it listens, and then becomes that program."""

import importlib.util
import os
import socket
import sys


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


port = free_port()
program = os.path.join(importlib.util.find_spec("rotel").submodule_search_locations[0], "rotel-agent")
print(f"listening {port}", flush=True)
# Nobody reads what it says from here on.
os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
os.execv(
    program,
    [
        program,
        "start",
        f"--otlp-http-endpoint=127.0.0.1:{port}",
        f"--otlp-grpc-endpoint=127.0.0.1:{free_port()}",
        "--exporter=otlp",
        "--otlp-exporter-protocol=http",
        f"--otlp-exporter-endpoint={sys.argv[1]}",
        "--batch-timeout=100ms",
    ],
)
