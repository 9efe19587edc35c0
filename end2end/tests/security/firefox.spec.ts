// S1 in an engine that does not know `Connection-Allowlist`: workers, and with them the loop, reach
// nothing there either, and what gets out of the skin frame is what `docs/security/vectors.md` says.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../../fixtures.ts';
import { experiment } from '../../security/experiment.ts';
import type { Findings } from '../../security/findings.ts';
import { startFirefox } from '../../security/firefox.ts';
import { PLACES, SEALED, UNPROTECTED } from '../../security/places.ts';

const DOCUMENT = join(import.meta.dirname, '../../../docs/security/vectors.md');

let findings: Findings;

test.beforeAll(async ({ hub }) => {
  findings = await experiment(hub.url, startFirefox, [...UNPROTECTED, ...SEALED]);
});

for (const place of SEALED) {
  test(`every vector runs in Firefox: ${PLACES[place].name}`, () => {
    expect(findings.tried(place).length).toBeGreaterThan(15);
    expect(findings.notRun(place)).toEqual([]);
  });
}

test('many vectors get out of what nothing protects in Firefox', () => {
  expect(findings.leaks('page').length).toBeGreaterThan(50);
  expect(findings.leaks('pageWorker').length).toBeGreaterThan(10);
  expect(findings.leaks('loopControl').length).toBeGreaterThan(10);
});

for (const place of ['skinWorker', 'loopWorker'] as const) {
  test(`no vector gets out in Firefox: ${PLACES[place].name}`, () => {
    expect(findings.leaks(place)).toEqual([]);
  });
}

test('only WebRTC of frames in the page gets out of the skin in Firefox, as the document says', async () => {
  const known = ['WebRTC of a srcdoc iframe', 'WebRTC of a srcdoc iframe, TURN', 'WebRTC of a srcdoc iframe, ICE candidate'];
  expect(findings.leaks('skin').filter((name) => !known.includes(name))).toEqual([]);
  const text = await readFile(DOCUMENT, 'utf8');
  const section = text.split('## In Firefox')[1]!.split('\n## ')[0]!;
  expect(known.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});
