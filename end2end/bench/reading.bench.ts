// P19: what the browser's main thread works on a reply that streams, and how a conversation of ten thousand
// messages opens. `LEPTOS_SITE_ROOT` and `VIVARIUM_BIN` name a build; the figures that are published are of the release.

import type { CDPSession, Page } from '@playwright/test';
import { createAgent, expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { ConversationsPage } from '../pages/conversations-page.ts';
import { ImportPage } from '../pages/imports.ts';
import { tell } from './figure.ts';

/** A part of a reply, of a kilobyte: a heading, emphasis, code and a list. */
const PART = [
  '## What a fern wants\n\n',
  'A *fern* on the balcony wants **shade**, and `water` in the evening; the [moss](https://moss.example/) below it wants less. '.repeat(5),
  '\n\n```js\nfor (const pot of pots) await pot.water({ litres: 0.2 });\n```\n\n',
  '- The first pot stands in the sun.\n- The second one does not.\n- The third is empty.\n\n',
].join('');
const MESSAGES = 10_000;

/** Seconds that the main thread has worked so far, by what it did. */
async function work(cdp: CDPSession): Promise<Record<string, number>> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

async function post(page: Page, path: string, data: object): Promise<void> {
  const answer = await page.request.post(path, { data, headers: { origin: new URL(page.url()).origin } });
  expect(answer.ok(), await answer.text()).toBe(true);
}

for (const [kilobytes, pace] of [[20, 0], [10, 1], [20, 1], [40, 1]] as const) {
  const name = `P19 ${kilobytes} KB, a piece ${pace ? `every ${pace} ms` : 'as soon as it is sent'}`;
  test(`${name}: a reply, four characters at a time`, async ({ laptop, endpoint }) => {
    test.setTimeout(120_000);
    const agent = await createAgent(laptop, endpoint, 'Ada', 'hub');
    const page = new AgentPage(laptop);
    await page.open(agent);
    const cdp = await laptop.context().newCDPSession(laptop);
    await cdp.send('Performance.enable');
    const reply = PART.repeat(Math.ceil((kilobytes * 1000) / PART.length)).slice(0, kilobytes * 1000);
    const [all, scripts, layout]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < 5; round += 1) {
      const turns = [[{ text: `Round ${round}.`, letters: 4 }, { text: `GATE\n\n${reply}\n\nThe end of ${round}.`, letters: 4, pace_ms: pace, gate: 'GATE' }]];
      await post(laptop, '/api/agents/send', { agent, text: `turns: ${JSON.stringify(turns)}` });
      await expect(page.log).toContainText(`Round ${round}.`);
      await expect(page.streaming).toHaveCount(1);
      const before = await work(cdp);
      await endpoint.openGate();
      await expect(page.messages.last()).toContainText(`The end of ${round}.`, { timeout: 60_000 });
      const after = await work(cdp);
      const took = (name: string) => (after[name]! - before[name]!) * 1000;
      all.push(took('TaskDuration'));
      scripts.push(took('ScriptDuration'));
      layout.push(took('LayoutDuration') + took('RecalcStyleDuration'));
    }
    tell(`${name}: main thread`, 'ms', all);
    tell(`${name}: scripts`, 'ms', scripts);
    tell(`${name}: style and layout`, 'ms', layout);
  });
}

test('P19: a conversation of ten thousand messages opens', async ({ laptop, endpoint }) => {
  test.setTimeout(300_000);
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const said = Array.from({ length: MESSAGES }, (_, at) => ({
    uuid: `${at}`,
    sender: at % 2 ? 'assistant' : 'human',
    text: `${at % 2 ? 'They do' : 'Do ferns like shade'}, number ${at}.`,
    files: [],
    created_at: new Date(Date.UTC(2025, 0, 1, 0, 0, at)).toISOString(),
  }));
  const from = new ImportPage(laptop);
  await from.open();
  await from.look('conversations.json', JSON.stringify([{ uuid: 'a', name: 'About ferns', chat_messages: said }]));
  await from.bringInto('Ada');
  await expect(from.imported).toContainText('1 conversation', { timeout: 120_000 });
  const list = new ConversationsPage(laptop);
  const page = new AgentPage(laptop);
  const [pressed, loaded, nodes]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < 10; round += 1) {
    await list.open(agent);
    await laptop.evaluate(watchEnd, `number ${MESSAGES - 1}.`);
    await list.row('About ferns').getByRole('link', { name: 'About ferns' }).click();
    await laptop.waitForFunction(() => 'shownAfter' in window);
    pressed.push(await laptop.evaluate(() => (window as any).shownAfter));
    await laptop.reload();
    await expect(page.messages.last()).toContainText(`number ${MESSAGES - 1}.`);
    loaded.push(await laptop.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]!.startTime));
    nodes.push(await laptop.evaluate(() => document.querySelectorAll('*').length));
  }
  tell('P19 opened by a press', 'ms', pressed);
  tell('P19 opened by its address, until it is painted', 'ms', loaded);
  tell('P19 elements', '', nodes);
});

/** Notes how long after the next press these words are painted. */
function watchEnd(words: string): void {
  let pressed = 0;
  addEventListener('click', () => (pressed = performance.now()), { capture: true, once: true });
  const look = () => {
    const isThere = pressed > 0 && document.querySelector('[role=log]')?.textContent?.includes(words);
    if (isThere) requestAnimationFrame(() => Object.assign(window, { shownAfter: performance.now() - pressed }));
    else requestAnimationFrame(look);
  };
  look();
}
