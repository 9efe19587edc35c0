// What agents are told around what a person says: off until it is turned on, seen word for word, the same on every
// device, and told with the next message.

import { axe, createAgent, type Endpoint, expect, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { Calendar } from '../fixtures/calendar.ts';
import { PersonContextPage } from '../pages/person-context-page.ts';

test('what a person turns on is told with their next message, and what they turn off no more', async ({ laptop, phone, endpoint }) => {
  // Each source is turned on and off, on two devices.
  test.slow();
  const fern = await createAgent(laptop, endpoint, 'Fern', 'hub', ['set_context']);
  const moss = await createAgent(laptop, endpoint, 'Moss', 'browser', []);
  const agent = new AgentPage(laptop);
  await agent.open(fern);
  await agent.say('Nothing is on.');
  await expect(agent.messages.last()).toContainText('You said: Nothing is on.');
  expect(await told(endpoint, 'Nothing is on.')).not.toContain('[context:');

  const page = new PersonContextPage(phone);
  await page.open();
  await page.enter('Local time');
  await expect(page.source('Local time')).toContainText('(UTC');
  await page.enter('Place', 'Vienna');
  await expect(page.source('Place')).toContainText('Vienna');
  await page.turnOn('Device');
  await expect(page.source('Device')).toContainText('A phone or tablet');
  await page.turnOn('Activity');
  await expect(page.source('Activity')).toContainText('Looks at the page Context.');
  await page.turnOn('Keys');
  await page.note('garden', 'dry');
  await expect(page.keys).toHaveText([/garden: dry/]);
  await screens(phone, 'person-context');
  await axe(phone);

  // The laptop shows the same by itself.
  const same = new PersonContextPage(laptop);
  await same.open();
  await expect(same.source('Device')).toContainText('A computer');
  await expect(page.source('Device')).toContainText('A computer');
  await same.keyValue.fill('Half written');
  await page.note('mood', 'calm');
  await expect(same.keys).toHaveCount(2);
  await expect(same.keyValue).toHaveValue('Half written');
  await screens(laptop, 'person-context-full');

  for (const [id, name] of [[fern, 'Fern'], [moss, 'Moss']] as const) {
    await agent.open(id);
    await expect(page.source('Activity')).toContainText(`Looks at the agent ${name}.`);
    await agent.say(`Where am I, ${name}?`);
    await expect.poll(() => told(endpoint, `Where am I, ${name}?`)).toContain('[context: local time]');
    const sent = await told(endpoint, `Where am I, ${name}?`);
    for (const words of ['[context: device]', '> Vienna', `> Looks at the agent ${name}.`, '> garden: dry']) {
      expect(sent).toContain(words);
    }
  }

  // What an agent notes stands on the page, and is removed there.
  await agent.open(fern);
  const note = [[{ tool: 'set_context', input: { name: 'task', value: 'water the moss' } }], [{ text: 'Noted.' }]];
  await agent.say(`turns: ${JSON.stringify(note)}`);
  await expect(page.keys.filter({ hasText: 'task: water the moss' })).toContainText('By Fern');
  await expect(agent.messages.last()).toHaveText('Noted.');
  await phone.getByRole('button', { name: 'Remove: task' }).click();
  await expect(page.keys).toHaveCount(2);
  await page.turnOff('Place');
  await expect(page.source('Place')).toContainText('Off');
  // A message that comes into a run joins it, and is told nothing anew.
  await expect(agent.stop).toBeHidden();
  await agent.say('And now?');
  await expect.poll(() => told(endpoint, 'And now?')).toContain('does not share this any more');
});

test('an agent hears the others where its person lets it, and what they delete nobody hears', async ({ laptop, phone, endpoint }) => {
  const fern = await createAgent(laptop, endpoint, 'Fern', 'hub', []);
  const moss = await createAgent(laptop, endpoint, 'Moss', 'hub', []);
  const page = new PersonContextPage(phone);
  await page.open();
  await page.letHear('Moss');
  await expect(phone.getByText('The first 200 characters of answers.')).toBeVisible();
  const agent = new AgentPage(laptop);
  await agent.open(fern);
  for (const text of ['The moss is dry.', 'The fern is wet.']) {
    await agent.say(`turns: ${JSON.stringify([[{ text }]])}`);
    await expect(agent.messages.last()).toHaveText(text);
  }
  await expect(page.said).toHaveText([/The fern is wet\./, /The moss is dry\./]);
  await phone.getByRole('button', { name: 'Delete what Fern said: The moss is dry.' }).click();
  await expect(page.said).toHaveCount(1);
  await screens(phone, 'person-context-said');
  await axe(phone);
  await agent.open(moss);
  await agent.say('What is new?');
  await expect.poll(() => told(endpoint, 'What is new?')).toContain('The fern is wet.');
  expect(await told(endpoint, 'What is new?')).not.toContain('The moss is dry.');
  await phone.getByRole('button', { name: 'Clear all' }).click();
  await expect(page.said).toHaveCount(0);
});

test('a device finds where it is on a press, to about a kilometre', async ({ laptop }) => {
  await laptop.context().grantPermissions(['geolocation']);
  await laptop.context().setGeolocation({ latitude: 48.20891, longitude: 16.37212 });
  const page = new PersonContextPage(laptop);
  await page.open();
  await page.find();
  await expect(page.source('Place')).toContainText('Near 48.21, 16.37');
});

test('a calendar that a person subscribes to is told for two days, and its address is shown to nobody', async ({ laptop, phone, endpoint }) => {
  const calendar = await Calendar.start();
  const fern = await createAgent(laptop, endpoint, 'Fern', 'hub', []);
  const page = new PersonContextPage(phone);
  await page.open();
  await page.enter('Local time');
  await expect(page.source('Local time')).toContainText('(UTC');
  await page.enter('Calendar', `${calendar.origin}/nothing.ics`);
  await expect(page.problem).toContainText('There is no calendar at this address.');
  await page.open();
  await page.enter('Calendar', `${calendar.origin}/secret-7.ics`);
  await expect(page.source('Calendar')).toContainText('Water the moss (Greenhouse)');
  await expect(page.source('Calendar')).toContainText(`From ${calendar.origin}.`);
  expect(await phone.content()).not.toContain('secret-7');
  await screens(phone, 'person-context-calendar');
  await axe(phone);
  const same = new PersonContextPage(laptop);
  await same.open();
  await expect(same.source('Calendar')).toContainText('all day: Garden fair');
  await screens(laptop, 'person-context-calendar-laptop');
  const agent = new AgentPage(laptop);
  await agent.open(fern);
  await agent.say('What is next?');
  await expect.poll(() => told(endpoint, 'What is next?')).toContain('[context: calendar]');
  const sent = await told(endpoint, 'What is next?');
  expect(sent).toContain('all day: Garden fair');
  expect(sent).not.toContain('secret-7');
  await calendar.end();
});

/** The last message of the request that carried these words. */
async function told(endpoint: Endpoint, words: string): Promise<string> {
  const asked = (await endpoint.requests()).find(({ body }) => JSON.stringify(body?.messages?.at(-1) ?? '').includes(words));
  return JSON.stringify(asked?.body.messages.at(-1) ?? '');
}
