// Another model for one conversation.

import { createAgent, expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';

test('a conversation goes on with another model, and back with the agent\'s own', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const own = await agent.model.innerText();
  await agent.say('Ferns');
  await expect(agent.messages.last()).toContainText('You said: Ferns');
  await agent.model.click();
  await agent.modelField.fill('claude-haiku-4-5');
  await laptop.getByRole('button', { name: 'Use this model' }).click();
  await expect(agent.model).toHaveText('claude-haiku-4-5');
  await laptop.keyboard.press('Escape');
  await agent.say('Mosses');
  await expect(agent.messages.last()).toContainText('You said: Mosses');
  const models = async (): Promise<unknown[]> => (await endpoint.requests()).map((request) => (request.body as { model: string }).model);
  expect((await models()).slice(-2)).toEqual([own, 'claude-haiku-4-5']);

  const there = new AgentPage(phone);
  await there.open(id);
  await expect(there.model).toHaveText('claude-haiku-4-5');
  await there.model.tap();
  await phone.getByRole('button', { name: `As the agent: ${own}` }).tap();
  await expect(there.model).toHaveText(own);
});
