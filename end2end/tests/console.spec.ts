// The console on a laptop and a phone at once: several spoken to together, their answers side by side, who asks whom,
// and the end of what they do.

import { axe, createAgent, expect, screens, test } from '../fixtures.ts';
import { post } from '../fixtures/api.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { ConsolePage } from '../pages/console-page.ts';

const TOOLS = ['agent_ask', 'agent_spawn', 'agent_wait', 'agent_list'];

test('several are told the same, and answer side by side on both devices', async ({ laptop, phone, endpoint }) => {
  const console = new ConsolePage(laptop);
  await console.open();
  await expect(console.main.getByRole('heading', { name: 'You have no agent yet' })).toBeVisible();
  await screens(laptop, 'console-empty');

  for (const name of ['Ada', 'Bo', 'Cy']) await createAgent(laptop, endpoint, name, 'hub', TOOLS);
  const onPhone = new ConsolePage(phone);
  await onPhone.open();
  await console.open();
  await expect(console.rows).toHaveCount(3);
  await expect(console.main).toContainText('0 of 3 at work');
  await console.say('Hello');
  await expect(console.main.getByRole('alert')).toContainText('Choose the agents that you say it to.');

  await console.pick('Ada').check();
  await console.pick('Bo').check();
  await expect(console.main).toContainText('2 agents are chosen.');
  await console.say('Water the ferns.');
  for (const name of ['Ada', 'Bo']) {
    await expect(console.answer(name)).toContainText('You said: Water the ferns.');
    await expect(console.pick(name)).toBeChecked();
  }
  await expect(console.answer('Cy')).toHaveCount(0);
  await expect(console.text).toHaveValue('');
  await expect(onPhone.rows.filter({ hasText: 'Ada' })).toContainText('You said: Water the ferns.');

  // What is half written stays, whatever comes.
  await console.text.fill('And then');
  await onPhone.pick('Ada').check();
  await onPhone.say('Trim the moss.');
  await expect(onPhone.answer('Ada')).toContainText('You said: Trim the moss.');
  await expect(console.answer('Ada')).toContainText('You said: Trim the moss.');
  await expect(console.text).toHaveValue('And then');
  await laptop.getByRole('link', { name: 'Take the answer of Bo away' }).click();
  await expect(console.answer('Bo')).toHaveCount(0);
  await expect(console.answer('Ada')).toBeVisible();
});

test('what an agent says while it goes on stands beside the others before it is done', async ({ laptop, endpoint }) => {
  await createAgent(laptop, endpoint, 'Ada', 'hub');
  const console = new ConsolePage(laptop);
  await console.open();
  await console.pick('Ada').check();
  await console.say(`turns: ${JSON.stringify([[{ text: 'gate One moment', gate: 'gate' }, 'hang']])}`);
  await expect(console.answer('Ada')).toContainText('It is at work.');
  await endpoint.openGate();
  await expect(console.answer('Ada')).toContainText('One moment');
  await expect(console.main).toContainText('1 of 1 at work');
});

test('who asks whom is a picture and a table, and those that are chosen are stopped', async ({ laptop, phone, endpoint }) => {
  const make = (name: string) => createAgent(laptop, endpoint, name, 'hub', TOOLS);
  const [ada, bo] = [await make('Ada'), await make('Bo')];
  for (const name of ['Cy', 'Dee']) await make(name);
  const ask = (name: string, text: string) => ({ tool: 'agent_ask', input: { agents: [name], text, wait_seconds: 20 } });
  const agent = new AgentPage(laptop);
  for (const [who, id, calls] of [
    ['Ada', ada, [ask('Bo', 'Water the ferns.'), { tool: 'agent_spawn', input: { label: 'Moss', task: 'Grow.' } }]],
    ['Bo', bo, [ask('Cy', 'Where is the can?'), ask('Ada', 'Done.')]],
  ] as const) {
    await agent.open(id);
    await agent.say(`turns: ${JSON.stringify([calls, [{ text: `${who} has asked.` }]])}`);
    // What came of a sub-agent may be told after it.
    await expect(agent.log.getByText(`${who} has asked.`, { exact: true })).toBeVisible();
  }

  const [console, onPhone] = [new ConsolePage(laptop), new ConsolePage(phone)];
  await console.open();
  await onPhone.open();
  for (const page of [console, onPhone]) {
    await expect(page.flows.getByRole('row').filter({ hasText: 'Its sub-agents' })).toContainText('Ada');
    await expect(page.flows.getByRole('row')).toHaveCount(5);
    await expect(page.log.filter({ hasText: 'Where is the can?' })).toContainText('Done');
  }
  await expect(console.flows.locator('.console-node')).toHaveCount(4);
  await expect(console.flows.locator('.console-arrow')).toHaveCount(4);

  for (const name of ['Cy', 'Dee']) await console.pick(name).check();
  await console.say('script: hang');
  await expect(console.main).toContainText('2 of 4 at work');
  await expect(console.answer('Dee')).toContainText('One moment');
  await axe(laptop);
  await axe(phone);
  await screens(laptop, 'console');
  await screens(phone, 'console');
  await console.pick('Dee').uncheck();
  await laptop.getByRole('button', { name: 'Stop those that are chosen' }).click();
  await expect(console.main).toContainText('1 agent was stopped.');
  await expect(console.main).toContainText('1 of 4 at work');
  await phone.getByRole('button', { name: 'Stop everybody' }).click();
  await expect(phone.getByRole('main')).toContainText('1 agent was stopped.');
  await expect(console.main).toContainText('0 of 4 at work');

  // A row that comes leaves the others the elements that they are.
  const other = console.flows.getByRole('row').filter({ hasText: 'Its sub-agents' });
  await other.evaluate((row) => row.setAttribute('data-kept', ''));
  const asks = JSON.stringify([[ask('Dee', 'Hello.')], [{ text: 'Bo has asked Dee.' }]]);
  await post(phone, 'agents/send', [['agent', bo], ['text', `turns: ${asks}`]]);
  await expect(console.flows.getByRole('row').filter({ hasText: 'Dee' })).toBeVisible();
  await expect(other).toHaveAttribute('data-kept', '');
});
