// Sub-agents on a laptop and a phone at once: made, seen at work, spoken to, stopped, and what came of them.

import { axe, createAgent, expect, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { DelegationsPage } from '../pages/delegations-page.ts';

const TOOLS = ['agent_spawn', 'agent_ask', 'agent_wait', 'agent_list', 'read'];

const spawn = (label: string, task: string) => ({ tool: 'agent_spawn', input: { label, task } });

test('sub-agents are seen at work, spoken to and stopped, and their answers come back', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada', 'hub', TOOLS);
  const [onLaptop, onPhone] = [new AgentPage(laptop), new DelegationsPage(phone)];
  await onPhone.open();
  await expect(onPhone.none).toBeVisible();
  await screens(phone, 'delegations-empty');

  const gated = [[{ text: 'Ferns gate like shade.', gate: 'gate' }]];
  const turns = [
    [spawn('Moss', 'Find out what moss likes.'), spawn('Ferns', `turns: ${JSON.stringify(gated)}`)],
    [{ tool: 'agent_wait', input: { ids: '{ids}' } }],
    [{ text: 'Both are done.' }],
  ];
  await onLaptop.open(id);
  await onLaptop.say(`turns: ${JSON.stringify(turns)}`);
  await onPhone.open();
  await expect(onPhone.row('Ada › Moss')).toContainText('Done');
  await expect(onPhone.row('Ada › Ferns')).toContainText('At work');
  await expect(onPhone.row('Ada › Ferns')).toContainText('Asked byAda');
  await expect(onPhone.row('Ada › Ferns')).toContainText('Begun in a conversation with Ada');
  await axe(phone);
  await screens(phone, 'delegations');
  await expect(onPhone.row('Ada › Ferns')).toContainText('It says: Ferns', { timeout: 10_000 });
  // Where it was asked, it is seen at work while the call waits.
  const atWork = laptop.locator('[data-at-work] .asked-agent').filter({ hasText: 'Ada › Ferns' });
  await expect(atWork).toContainText('It says: Ferns');
  await expect(atWork.getByRole('link', { name: 'Ada › Ferns' })).toHaveAttribute('href', /^\/agents\/.+\/conversations\/.+/);
  await axe(laptop);
  await screens(laptop, 'agents-at-work');

  await endpoint.openGate();
  await expect(onPhone.row('Ada › Ferns')).toContainText('Done', { timeout: 10_000 });
  await expect(onLaptop.messages.last()).toHaveText('Both are done.');
  await onLaptop.log.locator('.tool > summary').filter({ hasText: /Wait(s|ed) for other agents/ }).click();
  await expect(laptop.locator('.asked-agent').filter({ hasText: 'Ferns gate like shade.' })).toBeVisible();
  await screens(laptop, 'asked-agents');
  await laptop.locator('.asked-agent').getByRole('link', { name: 'Ada › Moss' }).last().click();
  await expect(laptop.getByRole('heading', { level: 1, name: 'Ada › Moss' })).toBeVisible();
  await expect(onLaptop.messages.first()).toContainText('Ada: Find out what moss likes.');
  await screens(laptop, 'sub-agent');
});

test('one that takes too long for its person is stopped', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada', 'hub', TOOLS);
  const [onLaptop, onPhone] = [new AgentPage(laptop), new DelegationsPage(phone)];
  const gated = [[{ text: 'Ferns gate like shade.', gate: 'gate' }]];
  const turns = [[spawn('Ferns', `turns: ${JSON.stringify(gated)}`)], [{ text: 'It is at work.' }]];
  await onLaptop.open(id);
  await onLaptop.say(`turns: ${JSON.stringify(turns)}`);
  await onPhone.open(id);
  await expect(onPhone.row('Ada › Ferns')).toContainText('At work');
  await onPhone.stop('Ada › Ferns');
  await expect(onPhone.row('Ada › Ferns')).toContainText('Stopped', { timeout: 10_000 });
  await expect(onLaptop.messages.last()).toContainText('It came to nothing.');
});

test('all that came of one word is stopped where one of it is seen', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada', 'hub', TOOLS);
  const [onLaptop, onPhone] = [new AgentPage(laptop), new DelegationsPage(phone)];
  const task = `turns: ${JSON.stringify([[{ text: 'Ferns gate like shade.', gate: 'gate' }]])}`;
  const turns = [[spawn('Moss', task), spawn('Ferns', task)], [{ text: 'Both are at work.' }]];
  await onLaptop.open(id);
  await onLaptop.say(`turns: ${JSON.stringify(turns)}`);
  await onPhone.open();
  await expect(onPhone.row('Ada › Moss')).toContainText('At work');
  await onPhone.stopAll('Ada › Moss');
  for (const name of ['Ada › Moss', 'Ada › Ferns']) await expect(onPhone.row(name)).toContainText('Stopped', { timeout: 10_000 });
});
