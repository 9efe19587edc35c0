"""How much of the main text of saved pages the hub reads, and how much beside it, against trafilatura in one run.

`python reading.py FOLDER ENGINE`: in FOLDER a folder for each page with `source.html` and `expected.html`, as in the test
set of mozilla/readability; ENGINE is `target/debug/hub-engine` or the program. Needs trafilatura and lxml_html_clean.
"""

import collections
import json
import pathlib
import re
import statistics
import subprocess
import sys

import lxml.html
import trafilatura

URL = "http://fakehost/test/page.html"
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
WORD = re.compile(r"\w+")


def words(text):
    return collections.Counter(WORD.findall(text.lower()))


def expected(page):
    return words(lxml.html.fromstring((page / "expected.html").read_bytes().decode()).text_content())


def ours(engine, html):
    work = json.dumps({"Readable": {"html": html, "url": URL}}).encode()
    done = subprocess.run([engine, "engine"], input=work, capture_output=True, check=True, env={}, cwd="/")
    text = json.loads(done.stdout)["markdown"]
    # A picture of a link is within it.
    for _ in range(2):
        text = LINK.sub(r"\1", text)
    return words(text)


def theirs(html):
    return words(trafilatura.extract(html, url=URL, include_comments=False) or "")


def judged(found, wanted):
    both = (found & wanted).total()
    return both / wanted.total(), 1 - both / max(found.total(), 1)


def main(folder, engine):
    engine = str(pathlib.Path(engine).resolve())
    pages = sorted(page.parent for page in pathlib.Path(folder).glob("*/expected.html"))
    rows = []
    for page in pages:
        wanted = expected(page)
        if not wanted:
            continue
        html = (page / "source.html").read_bytes().decode(errors="replace")
        rows.append((page.name, judged(ours(engine, html), wanted), judged(theirs(html), wanted)))
    print("| page | recall | noise | recall, trafilatura | noise, trafilatura |\n|---|---|---|---|---|")
    for name, one, other in rows:
        print(f"| {name} | {one[0]:.3f} | {one[1]:.3f} | {other[0]:.3f} | {other[1]:.3f} |")
    for name, measure in [("mean", statistics.mean), ("median", statistics.median)]:
        told = [measure(row[who][what] for row in rows) for who in (1, 2) for what in (0, 1)]
        print(f"| **{name} of {len(rows)}** | " + " | ".join(f"{value:.3f}" for value in told) + " |")


main(*sys.argv[1:])
