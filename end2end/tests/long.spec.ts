// A conversation that is longer than its page: it opens at its end, follows the reply until a hand leads away,
// and pages back.

import type { Page } from '@playwright/test';
import { createAgent, expect, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { ConversationsPage } from '../pages/conversations-page.ts';
import { ImportPage } from '../pages/imports.ts';
import { RulesPage } from '../pages/rules-page.ts';

/** Lines that fill a screen. */
const TALL = Array.from({ length: 60 }, (_, line) => `Line ${line}.`).join('\n\n');

/** An agent with whom so much was said, each time a message and its echo. */
async function long(page: Page, endpoint: Parameters<typeof createAgent>[1], times: number): Promise<string> {
  const agent = await createAgent(page, endpoint, 'Ada', 'hub');
  for (let time = 0; time < times; time += 1) await say(page, agent, `Fern ${time}.`);
  return agent;
}

async function say(page: Page, agent: string, text: string): Promise<void> {
  const answer = await page.request.post('/api/agents/ask', { data: { agent, text }, headers: { origin: new URL(page.url()).origin } });
  expect(answer.status()).toBe(200);
}

test('a long conversation opens at its end, and earlier messages come a part at a time', async ({ laptop, phone, endpoint }) => {
  const agent = await long(laptop, endpoint, 80);
  const said = Array.from({ length: 80 }, (_, time) => `Fern ${time}.`);
  const both = () => said.flatMap((text) => [new RegExp(`^${text.replace(/[.?]/, '\\$&')}`), `You said: ${text}`]);
  for (const browser of [laptop, phone]) {
    const page = new AgentPage(browser);
    await page.open(agent);
    await expect(page.messages.last()).toBeInViewport();
    await expect(page.messages.last()).toHaveText(`You said: ${said.at(-1)}`);
    await expect(page.messages.filter({ hasText: 'Fern 0.' })).toHaveCount(0);
    while (await page.earlier.count() > 0) await page.scrollBack();
    await expect(page.messages).toHaveText(both());
    expect(new URL(browser.url()).pathname).toBe(`/agents/${agent}`);
    await page.say('And now?');
    said.push('And now?');
    await expect(page.messages).toHaveText(both());
  }
});

test('earlier messages come above what is read, which stays where it is', async ({ laptop, endpoint }) => {
  const agent = await long(laptop, endpoint, 60);
  const page = new AgentPage(laptop);
  await page.open(agent);
  const first = page.messages.first();
  const words = /Fern \d+\./.exec((await first.textContent())!)![0];
  const read = page.messages.filter({ hasText: words }).first();
  await page.scrollBack();
  await expect(first).not.toContainText(words);
  await expect(read).toBeInViewport();
});

test('who comes back to the end of a long conversation holds what is near, and pages back again', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const said = Array.from({ length: 400 }, (_, at) => ({
    uuid: `${at}`,
    sender: at % 2 ? 'assistant' : 'human',
    text: `Number ${at}.`,
    files: [],
    created_at: new Date(Date.UTC(2025, 0, 1, 0, 0, at)).toISOString(),
  }));
  const from = new ImportPage(laptop);
  await from.open();
  await from.look('conversations.json', JSON.stringify([{ uuid: 'a', name: 'About ferns', chat_messages: said }]));
  await from.bringInto('Ada');
  await expect(from.imported).toContainText('1 conversation');
  const list = new ConversationsPage(laptop);
  await list.open(agent);
  await list.row('About ferns').getByRole('link', { name: 'About ferns' }).click();
  const page = new AgentPage(laptop);
  await page.isReady();
  await expect(page.messages.last()).toContainText('Number 399.');
  while (await page.earlier.count() > 0) await page.scrollBack();
  await expect(page.messages).toHaveCount(400);

  await page.latest.click();
  await expect(page.messages).not.toHaveCount(400);
  expect(await page.messages.count()).toBeLessThan(200);
  await expect(page.messages.last()).toBeInViewport();
  while (await page.earlier.count() > 0) await page.scrollBack();
  await expect(page.messages).toHaveCount(400);
});

test('the view stays at the end however much comes at once, until the person scrolls', async ({ laptop, phone, endpoint }) => {
  const agent = await long(laptop, endpoint, 20);
  const [here, there] = [new AgentPage(laptop), new AgentPage(phone)];
  await here.open(agent);
  await there.open(agent);
  await here.say(TALL);
  for (const page of [here, there]) {
    await expect(page.messages.last()).toContainText('You said: Line 0.');
    await expect(page.messages.last().getByText('Line 59.')).toBeInViewport();
  }
  await expect(here.latest).toHaveCount(0);

  const read = here.messages.filter({ hasText: 'You said: Fern 10.' });
  await here.log.hover();
  await expect(async () => {
    await laptop.mouse.wheel(0, -400);
    await expect(read).toBeInViewport({ timeout: 100 });
  }).toPass();
  const place = await read.boundingBox();
  await there.say(TALL);
  await expect(there.messages.last()).toContainText('You said: Line 0.');
  await expect(there.messages.last().getByText('Line 59.')).toBeInViewport();
  await expect(here.messages.filter({ hasText: 'Line 59.' })).toHaveCount(4);
  await expect(read).toBeInViewport();
  expect((await read.boundingBox())!.y).toBeCloseTo(place!.y, 0);
  await screens(laptop, 'long-away');

  await here.latest.click();
  await expect(here.messages.last().getByText('Line 59.')).toBeInViewport();
  await expect(here.latest).toHaveCount(0);
});

test('whoever reads further up is shown what they say themselves', async ({ laptop, endpoint }) => {
  const agent = await long(laptop, endpoint, 20);
  const page = new AgentPage(laptop);
  await page.open(agent);
  await page.log.hover();
  await laptop.mouse.wheel(0, -2_000);
  await expect(page.latest).toBeVisible();
  await page.say('Here I am');
  await expect(page.messages.last()).toHaveText('You said: Here I am');
  await expect(page.messages.last()).toBeInViewport();
});

test('a question appears in sight though a long reply stands above it', async ({ laptop, phone, endpoint }) => {
  const agent = await long(laptop, endpoint, 10);
  const rules = new RulesPage(laptop);
  await rules.open(agent);
  await rules.add('Ask me before', 'state');
  await expect(rules.rows).toHaveText([/Ask before state/]);
  const [here, there] = [new AgentPage(laptop), new AgentPage(phone)];
  await here.open(agent);
  await there.open(agent);
  const ask = { tool: 'state', input: { action: 'set', key: 'season', value: 'moss' } };
  await here.say(`turns: ${JSON.stringify([[{ text: TALL.replaceAll('\n', ' \n') }, ask], [{ text: 'The end.' }]])}`);
  for (const page of [here, there]) await expect(page.approval.getByRole('button', { name: 'Deny', exact: true })).toBeInViewport({ ratio: 1 });
  await there.approval.getByRole('button', { name: 'Allow once' }).click();
  for (const page of [here, there]) {
    await expect(page.messages.last()).toHaveText('The end.');
    await expect(page.messages.last()).toBeInViewport();
  }
});

test('what is out of sight is not laid out', async ({ laptop, endpoint }) => {
  const agent = await long(laptop, endpoint, 30);
  const page = new AgentPage(laptop);
  await page.open(agent);
  await expect(page.messages.last()).toBeInViewport();
  const laidOut = () => page.items.evaluateAll((items) => items.map((item) => item.firstElementChild!.checkVisibility({ contentVisibilityAuto: true })));
  await expect.poll(async () => (await laidOut()).at(-1)).toBe(true);
  expect((await laidOut())[0]).toBe(false);
  const contain = await page.log.evaluate((log) => getComputedStyle(log).contain);
  expect(contain).toBe('strict');
});
