"""The bare limit of a durable append: the statements that the hub runs to set a key of an agent's state,
over one connection with the hub's settings and nothing around it.

    raw.py MIGRATIONS DATABASE APPENDS BATCH     prints appends in a second, and the microseconds of CPU of each
"""

import json
import sqlite3
import sys
import time
from pathlib import Path

migrations, database, appends, batch = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
db = sqlite3.connect(database, isolation_level=None, cached_statements=256)
for pragma in ["journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000", "cache_size=-2000", "foreign_keys=ON"]:
    db.execute(f"PRAGMA {pragma}")
for migration in sorted(Path(migrations).glob("*.sql")):
    db.executescript(migration.read_text())
agent, user = "0" * 32, "1" * 32
db.execute(
    "INSERT INTO users (id, name, login, password_hash, role, created_at) VALUES (?, 'ada', 'ada', '', 'admin', 0)",
    [user],
)
db.execute(
    """INSERT INTO agents (id, user_id, name, colour, instructions, model, tools, max_output_tokens, home,
                           created_at, updated_at)
       VALUES (?, ?, 'Ada', '#3a7d44', '', '', '[]', 4096, 'hub', 0, 0)""",
    [agent, user],
)


def look(at):
    """Whether the page may write, before the transaction."""
    db.execute("SELECT 1 FROM agents WHERE id = ? AND user_id = ?", [agent, user]).fetchone()
    db.execute("SELECT loop_settings FROM agents WHERE id = ?", [agent]).fetchone()
    db.execute(
        """SELECT id, agent_id, asker, tool, about, verdict, run_id, uses_left, until, made_at, approval_id, risk_at_most
           FROM policy_rules
           WHERE user_id = ?1 AND (agent_id IS NULL OR agent_id = ?2
                                   OR agent_id = (SELECT a.root_id FROM agents a WHERE a.id = ?2))
             AND (until IS NULL OR (until > ?3 AND made_at <= ?3)) AND (uses_left IS NULL OR uses_left > 0)
           ORDER BY place, made_at, id""",
        [user, agent, at],
    ).fetchall()


def append(value, at):
    (_, old) = db.execute(
        "SELECT value, seq FROM agent_state WHERE agent_id = ? AND key = 'count'", [agent]
    ).fetchone() or (None, None)
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
    db.execute("SELECT key, condition, message FROM agent_rules WHERE agent_id = ? AND key = 'count'", [agent]).fetchone()
    body = json.dumps({"type": "state", "key": "count", "value": value})
    (seq,) = db.execute(
        """UPDATE agents SET last_seq = last_seq + 1, updated_at = ?, log_bytes = log_bytes + ?
           WHERE id = ? RETURNING last_seq""",
        [at, len(body), agent],
    ).fetchone()
    db.execute(
        """INSERT INTO entries (agent_id, seq, at, conversation_id, run_id, ordinal, kind, body)
           VALUES (?, ?, ?, NULL, NULL, NULL, 'state', ?)""",
        [agent, seq, at, body],
    )
    db.execute("UPDATE agent_state SET seq = ? WHERE agent_id = ? AND key = 'count'", [seq, agent])
    if old is None:
        return
    body = json.dumps({"type": "state", "key": "count", "value": None, "superseded": True})
    db.execute(
        """UPDATE agents SET log_bytes = log_bytes + COALESCE(
               (SELECT ?3 - LENGTH(CAST(e.body AS BLOB)) FROM entries e
                WHERE e.agent_id = ?1 AND e.seq = ?2 AND e.kind = 'state' AND e.conversation_id IS NULL
                  AND e.run_id IS NULL), 0)
           WHERE id = ?1""",
        [agent, old, len(body)],
    )
    db.execute(
        """UPDATE entries SET body = ?3
           WHERE agent_id = ?1 AND seq = ?2 AND kind = 'state' AND conversation_id IS NULL AND run_id IS NULL""",
        [agent, old, body],
    )


began, worked = time.perf_counter(), time.process_time()
for first in range(0, appends, batch):
    values = range(first, min(first + batch, appends))
    for _ in values:
        look(time.time_ns() // 1_000_000)
    db.execute("BEGIN IMMEDIATE")
    for value in values:
        append(value, time.time_ns() // 1_000_000)
    db.execute("COMMIT")
print(appends / (time.perf_counter() - began), (time.process_time() - worked) * 1e6 / appends)
