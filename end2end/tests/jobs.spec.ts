// Commands in the background: seen on every device while they run, with what they said last, and stopped there.

import { axe, createAgent, expect, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';

test('a command in the background is seen on every device, and stopped on any', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern', 'browser', ['terminal']);
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const other = new AgentPage(phone);
  await other.open(id);
  const command = 'echo "watching the ferns"; echo seed > seeds.txt; while read line; do echo "planted $line"; done';
  const turns = [
    [{ tool: 'terminal', input: { command, background: true } }],
    [{ text: 'It runs.' }],
  ];
  await agent.say(`turns: ${JSON.stringify(turns)}`);
  await expect(agent.approval).toContainText('watching the ferns');
  await agent.approval.getByRole('button', { name: 'Allow once' }).click();
  await expect(agent.messages.last()).toHaveText('It runs.');

  for (const page of [laptop, phone]) {
    const card = page.getByRole('main').getByRole('group', { name: 'In the background' });
    await expect(card).toContainText('In the background: echo');
    await card.locator('summary').click();
    await expect(card.getByLabel('Last lines of job 1')).toHaveText('watching the ferns');
  }
  await axe(laptop);
  await screens(laptop, 'jobs');
  await phone.getByRole('main').getByRole('button', { name: 'Stop job 1' }).click();
  for (const page of [laptop, phone]) {
    await expect(page.getByRole('main').getByRole('group', { name: 'In the background' })).toContainText('Job 1 was stopped by the person');
    await expect(page.getByRole('main').getByRole('button', { name: 'Stop job 1' })).toBeHidden();
  }
  await agent.say(`turns: ${JSON.stringify([[{ tool: 'terminal', input: { action: 'output', job: 1 } }], [{ text: 'It was stopped.' }]])}`);
  await expect(agent.messages.last()).toHaveText('It was stopped.');
  const call = agent.log.locator('.tool').filter({ hasText: 'terminal' }).last();
  await call.locator('summary').click();
  await expect(call).toContainText('It did not come to its end: it was stopped by the person');
  await expect(call).toContainText('seeds.txt');
});
