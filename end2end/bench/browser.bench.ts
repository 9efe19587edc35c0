// What a person waits for in the browser, measured inside the shell: P20, P22, and eight agents that
// stream at once.

import type { Page } from '@playwright/test';
import { createAgent, expect, test } from '../fixtures.ts';
import { read } from '../fixtures/api.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { tell } from './figure.ts';

/** Notes when Enter is pressed and when the loop asks the hub for something for the first time. */
function watchLoop(): void {
  const marks = { pressed: 0, asked: [] as number[] };
  Object.assign(window, { marks });
  addEventListener('keydown', (event) => event.key === 'Enter' && (marks.pressed = performance.now()), true);
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (data) {
    const isFirst = marks.pressed > 0 && typeof data === 'string' && data.startsWith('{"type":"run"');
    if (isFirst) marks.asked.push(performance.now() - marks.pressed);
    if (isFirst) marks.pressed = 0;
    send.call(this, data);
  };
}

async function lastStart(page: Page): Promise<number> {
  return page.evaluate(() => (window as any).marks.asked.at(-1));
}

test('P20: from the press to the first word of the loop in the worker', async ({ laptop, endpoint }) => {
  await laptop.addInitScript(watchLoop);
  const [cold, warm]: [number[], number[]] = [[], []];
  for (let round = 0; round < 5; round += 1) {
    const page = new AgentPage(laptop);
    await page.open(await createAgent(laptop, endpoint, `Ada ${round}`, 'browser'));
    for (let turn = 0; turn < 5; turn += 1) {
      await page.composer.fill(`Hello ${turn}`);
      await page.composer.press('Enter');
      await expect(page.messages.last()).toHaveText(`You said: Hello ${turn}`);
      (turn === 0 ? cold : warm).push(await lastStart(laptop));
    }
  }
  tell('P20 cold', 'ms', cold);
  tell('P20 warm', 'ms', warm);
});

test('P22: from the hub to a tool in the page and back', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const page = new AgentPage(laptop);
  const took: number[] = [];
  laptop.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const { entry } = JSON.parse(String(payload));
      if (entry?.body.type === 'tool_finished') took.push(entry.body.millis);
    }),
  );
  await page.open(agent);
  await page.play('twenty-calls');
  await expect(page.messages.last()).toHaveText('All were asked.', { timeout: 20_000 });
  expect(took).toHaveLength(21);
  tell('P22', 'ms', took.slice(1));
});

test('eight agents stream at once in one tab', async ({ laptop, endpoint }) => {
  const agents: string[] = [];
  for (let n = 0; n < 8; n += 1) agents.push(await createAgent(laptop, endpoint, `Ada ${n}`, 'browser'));
  const page = new AgentPage(laptop);
  let tab = '';
  laptop.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const frame = JSON.parse(String(payload));
      if (frame.type === 'hello') tab = frame.tab;
    }),
  );
  await page.open(agents[0]!);
  const { origin } = new URL(laptop.url());
  await laptop.evaluate(() => {
    const stalls: number[] = [];
    Object.assign(window, { stalls });
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => stalls.push(entry.duration))).observe({ type: 'longtask' });
  });
  for (const agent of agents) {
    const answer = await laptop.request.post(`${origin}/api/agents/send`, {
      headers: { origin },
      data: { agent, text: 'script: quick', tab },
    });
    expect(answer.ok(), await answer.text()).toBe(true);
  }
  await expect(page.loops).toHaveCount(8);
  await expect(page.messages.last()).toContainText('200.', { timeout: 30_000 });
  const stalls = await laptop.evaluate(() => (window as any).stalls as number[]);
  tell(`Eight agents: stalls of 50 ms or more (${stalls.length})`, 'ms', stalls.length > 0 ? stalls : [0]);
});

test('a hundred agents on the console, ten of which talk', async ({ laptop, endpoint }) => {
  test.setTimeout(300_000);
  const agents: string[] = [];
  agents.push(await createAgent(laptop, endpoint, 'Ada 0'));
  const { origin } = new URL(laptop.url());
  const { provider, model, colour } = await read(laptop, 'agents/get', { id: agents[0]! });
  for (let n = 1; n < 100; n += 1) {
    const made = await laptop.request.post(`${origin}/api/agents/create`, {
      headers: { origin },
      data: { name: `Ada ${n}`, colour, provider, model, max_output_tokens: 1000 },
    });
    expect(made.ok(), await made.text()).toBe(true);
    agents.push((await made.json()).id);
  }
  await laptop.goto(`/console?beside=${agents.slice(0, 10).join('.')}`);
  await expect(laptop.locator('.console-agent')).toHaveCount(100);
  await laptop.evaluate(() => {
    const stalls: number[] = [];
    Object.assign(window, { stalls });
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => stalls.push(entry.duration))).observe({ type: 'longtask' });
  });
  const heap = () => laptop.evaluate(() => (performance as any).memory.usedJSHeapSize / 2 ** 20 as number);
  const heaps = [await heap()];
  for (let round = 0; round < 6; round += 1) {
    const answer = await laptop.request.post(`${origin}/api/console/say`, {
      headers: { origin },
      data: { agents: agents.slice(0, 10), text: 'script: quick' },
    });
    expect(answer.ok(), await answer.text()).toBe(true);
    await expect(laptop.getByText('10 of 100 at work')).toBeVisible();
    await expect(laptop.getByText('0 of 100 at work', { exact: true })).toBeVisible({ timeout: 60_000 });
    heaps.push(await heap());
  }
  const stalls = await laptop.evaluate(() => (window as any).stalls as number[]);
  tell(`A hundred agents on the console: stalls of 50 ms or more (${stalls.length})`, 'ms', stalls.length > 0 ? stalls : [0]);
  tell('A hundred agents on the console: memory of scripts after each round', 'MiB', heaps);
});
