// What is remembered of a person: kept by one agent, known to another, seen and corrected on a page.

import { readFile } from 'node:fs/promises';
import { axe, createAgent, type Endpoint, expect, Person, screens, test } from '../fixtures.ts';
import { post } from '../fixtures/api.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { MemoryPage } from '../pages/memory-page.ts';

test('what one agent keeps stands in the prompt of another, until its person forgets it', async ({ laptop, phone, endpoint }) => {
  const fern = await createAgent(laptop, endpoint, 'Fern', 'hub', ['memory']);
  const moss = await createAgent(laptop, endpoint, 'Moss', 'browser', ['memory']);
  const agent = new AgentPage(laptop);
  await agent.open(fern);
  const keep = (text: string) => [{ tool: 'memory', input: { action: 'write', text, kind: 'preference', tags: ['tea'], importance: 5 } }];
  await agent.say(`turns: ${JSON.stringify([keep('Ada drinks green tea in the morning.'), [{ text: 'I will remember.' }]])}`);
  await expect(agent.messages.last()).toHaveText('I will remember.');

  const memory = new MemoryPage(phone);
  await memory.open();
  const kept = memory.memory('Ada drinks green tea in the morning.');
  await expect(kept).toContainText('By Fern, in a conversation');
  await expect(kept).toContainText('Preference');
  await screens(phone, 'memory');

  await agent.open(moss);
  await agent.say('Tea or coffee?');
  await expect.poll(() => told(endpoint, 'Tea or coffee?')).toContain('] Ada drinks green tea in the morning.');
  // The page tells of it by itself, and the answer leads to what it knew.
  await expect(kept).toContainText('In one answer: Moss');
  await expect(agent.messages).toHaveCount(2);
  await memory.open();
  await kept.getByRole('link', { name: 'Moss' }).click();
  await expect(phone.locator('#at')).toBeVisible();
  await memory.open();
  await agent.log.getByRole('link', { name: 'What it remembered' }).first().click();
  const knew = new MemoryPage(laptop);
  await expect(knew.section('What this answer knew')).toHaveText([/green tea/]);
  await screens(laptop, 'memory-of-answer');
  await knew.open();
  await knew.text.fill('Half written');
  await memory.add('Ada likes ferns.');
  await expect(knew.memory('Ada likes ferns.')).toBeVisible();
  await expect(knew.text).toHaveValue('Half written');
  await agent.open(moss);

  await memory.forget('Ada drinks green tea in the morning.');
  await expect(memory.section('Forgotten')).toHaveCount(1);
  await agent.say('And now?');
  await expect.poll(() => told(endpoint, 'And now?')).toContain('You are Moss');
  expect(await told(endpoint, 'And now?')).not.toContain('green tea');
  await memory.bringBack('Ada drinks green tea in the morning.');
  await expect(memory.section('Remembered')).toHaveCount(2);
});

test('"Remember this" brings what was said to the form, and words find it', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern', 'hub', ['memory']);
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.say('My sister Mia lives in Lisbon.');
  await expect(agent.messages).toHaveCount(2);
  await agent.log.getByRole('link', { name: 'Remember this' }).first().click();
  const memory = new MemoryPage(laptop);
  await expect(memory.text).toHaveValue('My sister Mia lives in Lisbon.');
  await memory.add('My sister Mia lives in Lisbon.', 'Always good to know');
  await expect(memory.section('Remembered')).toHaveText([/By you, from a conversation/]);
  await memory.add('Answer in short sentences.');
  await expect(memory.section('Remembered')).toHaveCount(2);
  await post(laptop, 'workspaces/create', [['name', 'Garden']]);
  await memory.open();
  await memory.change('Answer in short sentences.', 'Answer in long sentences.', 'Garden');
  await expect(memory.memory('long sentences')).toContainText('told to agents of Garden');
  await expect(memory.memory('long sentences')).toBeVisible();
  await memory.search('sisters lisbon');
  await expect(memory.section('Found')).toHaveCount(1);
  await memory.memory('Lisbon').getByRole('link', { name: 'a conversation' }).click();
  await expect(laptop.getByText('My sister Mia lives in Lisbon.').first()).toBeVisible();

  // What was noted by itself after a conversation, and may not be true beside that, is asked about.
  await post(laptop, 'account/set_side_calls', [['memories', 'true']]);
  await agent.open(id);
  await agent.say(`She moved.\nmemories: ${JSON.stringify([{ text: 'My sister Mia lives in Porto.' }])}`);
  await laptop.goto('/');
  const needs = laptop.getByRole('list', { name: 'Needs you' });
  await expect(needs).toContainText('1 memory may not be true beside an older one.');
  await needs.getByRole('link', { name: 'Say which holds' }).click();
  await expect(memory.section('Which of these holds?')).toHaveText([/Porto.*Lisbon/s]);
  await screens(laptop, 'memory-disagreeing');
  await axe(laptop);
  await memory.settle('The newer one');
  await expect(memory.section('Which of these holds?')).toHaveCount(0);
  await expect(memory.section('Forgotten')).toHaveText([/Lisbon/]);
  const noted = memory.memory('My sister Mia lives in Porto.');
  await expect(noted).toContainText('Noted in the background, from what you told Fern in a conversation');
  await laptop.getByRole('link', { name: 'Switch that off' }).click();
  await expect(laptop.getByRole('checkbox', { name: /Remember what matters/ })).toBeChecked();
});

test('what changed before the page came to life is on it', async ({ laptop }) => {
  let arrive = () => {};
  const held = new Promise<void>((resolve) => (arrive = resolve));
  await laptop.route('**/split_*.wasm', async (route) => {
    await held;
    await route.continue();
  });
  const connected = laptop.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
  await laptop.goto('/memory', { waitUntil: 'commit' });
  await connected;
  await post(laptop, 'memories/create', [['text', 'Ada likes ferns.'], ['importance', '3']]);
  const memory = new MemoryPage(laptop);
  await expect(memory.memory('Ada likes ferns.')).toHaveCount(0);
  arrive();
  await expect(memory.memory('Ada likes ferns.')).toBeVisible();
});

test('what is remembered goes along as a file, and comes from one that was chosen or written', async ({ laptop, phone, hub }) => {
  const memory = new MemoryPage(laptop);
  await memory.open();
  await memory.import.fill('- Has a cat.\n- Lives in Köln.\n...');
  await memory.bringAlong();
  await expect(memory.imported).toContainText('2 added, 0 known already, 1 not kept.');
  await expect(memory.section('Remembered')).toHaveCount(2);
  await expect(memory.import).toHaveValue('');
  await screens(laptop, 'memory-import');

  const [download] = await Promise.all([laptop.waitForEvent('download'), memory.export.click()]);
  const file = await download.path();
  const other = await (await Person.join(hub)).signIn(await phone.context().browser()!.newContext({ baseURL: hub.url }));
  const theirs = new MemoryPage(other);
  await theirs.open();
  await theirs.file.setInputFiles({ name: 'memories.json', mimeType: 'application/json', buffer: await readFile(file) });
  await expect(theirs.import).toHaveValue(/vivarium\.memories/);
  await theirs.bringAlong();
  await expect(theirs.section('Remembered')).toHaveText([/Köln|cat/, /Köln|cat/]);
  await axe(other);
  await other.context().close();
});

/** The system prompt of the request that carried this message. */
async function told(endpoint: Endpoint, message: string): Promise<string> {
  const asked = (await endpoint.requests()).find(({ body }) => JSON.stringify(body?.messages?.at(-1) ?? '').includes(message));
  return JSON.stringify(asked?.body.system ?? '');
}
