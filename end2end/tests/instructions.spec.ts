// What an agent changes in its own instructions: asked for, seen in the conversation, and brought back.

import { axe, createAgent, expect, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { InstructionsPage } from '../pages/instructions-page.ts';

test('what an agent wrote into its instructions is shown as a difference and taken back', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern', 'hub', ['update_self']);
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const told = `You are a gardener. ${'You water what is dry, and leave alone what is not. '.repeat(8)}`;
  const update = (action: string, text: string) => [{ tool: 'update_self', input: { action, text } }];
  for (const turn of [update('replace', told), update('append', 'Answer in French.')]) {
    await agent.say(`turns: ${JSON.stringify([turn, [{ text: 'Done.' }]])}`);
    await agent.approval.getByRole('button', { name: 'Allow once' }).click();
    await expect(agent.approval).toHaveCount(0);
    await expect(agent.messages.last()).toHaveText('Done.');
  }
  const change = agent.log.locator('.tool').filter({ hasText: '"append"' });
  await change.locator('summary').click();
  await expect(change.locator('.diff-line[data-kind="added"]')).toHaveText(['+', '+Answer in French.']);
  await expect(change).toContainText('It counts from the next run on.');
  await axe(laptop);
  await screens(laptop, 'instructions-change');

  const instructions = new InstructionsPage(phone);
  await instructions.open(id);
  await expect(instructions.versions).toHaveCount(3);
  await axe(phone);
  await screens(phone, 'instructions');
  await instructions.restore(2);
  await expect(instructions.versions).toHaveCount(4);
  await expect(instructions.versions.first()).toContainText('You');
  await change.getByRole('link', { name: 'All versions of its instructions' }).click();
  await expect(new InstructionsPage(laptop).shown(3)).toContainText('Answer in French.');
});
