"""The bare limit of a durable append: the statements that the hub runs to set a key of an agent's state,
over one connection with the hub's settings and nothing around it.

    raw.py MIGRATIONS DATABASE APPENDS BATCH     prints appends in a second
"""

import json
import sqlite3
import sys
import time
from pathlib import Path

migrations, database, appends, batch = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
db = sqlite3.connect(database, isolation_level=None)
for pragma in ["journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000", "cache_size=-2000", "foreign_keys=ON"]:
    db.execute(f"PRAGMA {pragma}")
for migration in sorted(Path(migrations).glob("*.sql")):
    db.executescript(migration.read_text())
agent, user = "0" * 32, "1" * 32
db.execute("INSERT INTO users VALUES (?, 'ada', 'ada', '', 'admin', 0, 0)", [user])
db.execute(
    """INSERT INTO agents (id, user_id, name, colour, instructions, model, tools, max_output_tokens, home,
                           created_at, updated_at)
       VALUES (?, ?, 'Ada', '#3a7d44', '', '', '[]', 4096, 'hub', 0, 0)""",
    [agent, user],
)


def append(value):
    at = time.time_ns() // 1_000_000
    db.execute("SELECT 1 FROM agents WHERE id = ? AND user_id = ?", [agent, user]).fetchone()
    db.execute(
        """SELECT COUNT(*), CAST(COALESCE(SUM(LENGTH(CAST(key AS BLOB)) + LENGTH(CAST(value AS BLOB))), 0) AS BIGINT)
           FROM agent_state WHERE agent_id = ? AND key <> 'count'""",
        [agent],
    ).fetchone()
    db.execute(
        """INSERT INTO agent_state (agent_id, key, value) VALUES (?, 'count', ?)
           ON CONFLICT (agent_id, key) DO UPDATE SET value = excluded.value""",
        [agent, str(value)],
    )
    (seq,) = db.execute(
        "UPDATE agents SET last_seq = last_seq + 1, updated_at = ? WHERE id = ? RETURNING last_seq", [at, agent]
    ).fetchone()
    body = json.dumps({"type": "state", "key": "count", "value": value})
    db.execute(
        """INSERT INTO entries (agent_id, seq, at, conversation_id, run_id, ordinal, kind, body)
           VALUES (?, ?, ?, NULL, NULL, NULL, 'state', ?)""",
        [agent, seq, at, body],
    )


began = time.perf_counter()
for first in range(0, appends, batch):
    db.execute("BEGIN IMMEDIATE")
    for value in range(first, min(first + batch, appends)):
        append(value)
    db.execute("COMMIT")
print(appends / (time.perf_counter() - began))
