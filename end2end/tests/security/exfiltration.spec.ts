// S1: no way out of a worker or of the skin frame. The vectors arrive as an agent's own scripts would,
// in the frame documents and under the headers that the hub serves. `docs/security/vectors.md` keeps the
// table that this makes.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../../fixtures.ts';
import { startChromium } from '../../security/chromium.ts';
import { experiment } from '../../security/experiment.ts';
import type { Findings } from '../../security/findings.ts';
import { PLACES, SEALED, UNPROTECTED, fires, type PlaceKey } from '../../security/places.ts';
import { VECTORS } from '../../security/vectors.ts';

const DOCUMENT = join(import.meta.dirname, '../../../docs/security/vectors.md');

let findings: Findings;

test.beforeAll(async ({ hub }, info) => {
  test.setTimeout(420_000);
  findings = await experiment(hub.url, startChromium, Object.keys(PLACES) as PlaceKey[]);
  await mkdir(info.project.outputDir, { recursive: true });
  await writeFile(join(info.project.outputDir, 'vectors.md'), findings.table());
});

for (const place of Object.keys(PLACES) as PlaceKey[]) {
  test(`every vector runs: ${PLACES[place].name}`, () => {
    expect(findings.tried(place).length).toBeGreaterThan(15);
    expect(findings.notRun(place)).toEqual([]);
  });
}

for (const place of UNPROTECTED) {
  test(`what nothing stops gets out: ${PLACES[place].name}`, () => {
    const out = findings.leaks(place);
    const due = findings.tried(place).filter((vector) => fires(vector, PLACES[place]));
    expect(due.map(({ name }) => name).filter((name) => !out.includes(name))).toEqual([]);
  });
}

test('most vectors can get out of an unprotected page', () => {
  expect(VECTORS.filter((vector) => fires(vector, PLACES.page)).length).toBeGreaterThan(60);
});

for (const place of SEALED) {
  test(`no vector gets out: ${PLACES[place].name}`, () => {
    expect(findings.leaks(place)).toEqual([]);
  });
}

test('no packet at all leaves a browser that shows sealed frames only', () => {
  expect(findings.sealed).toEqual({ packets: 0, arrivals: [] });
});

test('without the allow-list WebRTC and name lookups get out', () => {
  const lost = ['WebRTC of a srcdoc iframe', 'WebRTC of a srcdoc iframe, TURN', 'link dns-prefetch', 'link preconnect'];
  expect(findings.leaks('noAllowList')).toEqual(expect.arrayContaining(lost));
});

test("without the frame's policy requests get out, where there is no allow-list", () => {
  const lost = ['fetch', 'WebSocket', 'Image()', 'script src', 'CSS url()', 'form GET', 'nested blob worker and fetch'];
  expect(findings.leaks('noPolicy')).toEqual(expect.arrayContaining(lost));
  expect(findings.leaks('noAllowList')).not.toContain('fetch');
});

for (const name of ['location.href', 'meta refresh', 'a.click()']) {
  test(`without the shell's frame-src ${name} makes its request, where there is no allow-list`, () => {
    expect(findings.seen(name, 'noFrameSource')).toContain('request');
    expect(findings.seen(name, 'noAllowList')).not.toContain('request');
  });
}

test('the allow-list alone would hold every vector', () => {
  expect(findings.leaks('allowListAlone')).toEqual([]);
});

test('the document lists every vector', async () => {
  const text = await readFile(DOCUMENT, 'utf8');
  expect(VECTORS.map(({ name }) => name).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});
