"""What the full text of databases finds, with nothing of the hub's: the words of a question, any of which may be there,
in the order of the database's own rank.

    plain.py [POSTGRES] < {"texts": [TEXT], "questions": [{"text": TEXT, "language": NAME}]}
    prints {"FTS5": [[TEXT]], "PostgreSQL": [[TEXT]]}, ten texts at most for each question

SQLite's is FTS5 with the stemmer that it has; PostgreSQL is told the language of each question.
"""

import json
import re
import sqlite3
import subprocess
import sys

MOST = 10
asked = json.load(sys.stdin)
texts, questions = asked["texts"], asked["questions"]


def words(question):
    return re.findall(r"\w+", question["text"])


def sqlite():
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE plain USING fts5(text, tokenize = 'porter unicode61')")
    db.executemany("INSERT INTO plain VALUES (?)", [[text] for text in texts])
    for question in questions:
        match = " OR ".join(f'"{word}"' for word in words(question))
        rows = db.execute("SELECT text FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT ?", [match, MOST])
        yield [text for (text,) in rows]


def postgres(url):
    def quoted(text):
        return "'" + text.replace("'", "''") + "'"

    script = ["CREATE TEMP TABLE plain (id BIGINT, text TEXT);"]
    script += [f"INSERT INTO plain VALUES ({at}, {quoted(text)});" for at, text in enumerate(texts)]
    for at, question in enumerate(questions):
        language, match = question["language"], quoted(" | ".join(words(question)))
        script.append(
            f"SELECT {at}, id FROM plain, to_tsquery('{language}', {match}) q, to_tsvector('{language}', text) w"
            f" WHERE w @@ q ORDER BY ts_rank(w, q) DESC, id LIMIT {MOST};"
        )
    command = ["psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", url]
    said = subprocess.run(command, input="\n".join(script), capture_output=True, text=True, check=True)
    found = [[] for _ in questions]
    for line in said.stdout.split():
        question, at = line.split("|")
        found[int(question)].append(texts[int(at)])
    return found


found = {"FTS5": list(sqlite())}
if len(sys.argv) > 1:
    found["PostgreSQL"] = postgres(sys.argv[1])
json.dump(found, sys.stdout)
