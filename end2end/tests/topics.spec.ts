// Topics: a person lets agents hear one, publishes, and sees who heard what.

import { axe, createAgent, expect, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';

test('a person subscribes agents, publishes, and sees what was said', async ({ laptop, phone, endpoint }) => {
  const ada = await createAgent(laptop, endpoint, 'Ada', 'hub', ['publish_topic']);
  await createAgent(laptop, endpoint, 'Bo');
  const main = laptop.getByRole('main');
  await laptop.goto('/topics');
  await expect(main.getByText('No topic yet.')).toBeVisible();
  await screens(laptop, 'topics-empty');
  for (const condition of ['run this', '']) {
    await main.getByLabel('Agent', { exact: true }).selectOption('Bo');
    await main.locator('#subscribe-topic').fill('garden/rain');
    await main.getByLabel('Only if').fill(condition);
    await main.getByRole('button', { name: 'Subscribe' }).click();
    if (condition) await expect(main.getByRole('alert')).toBeVisible();
  }
  const topic = main.getByRole('listitem').filter({ has: laptop.getByRole('heading', { name: 'garden/rain' }) });
  await expect(topic.getByRole('link', { name: 'Bo' })).toBeVisible();
  await main.locator('#publish-topic').fill('garden/rain');
  await main.getByLabel('Text', { exact: true }).fill('It rains.');
  await main.getByRole('button', { name: 'Publish' }).click();
  await expect(topic).toContainText('It rains.');
  await expect(topic).toContainText('1 agent was told');

  const agent = new AgentPage(laptop);
  await agent.open(ada);
  const input = { topic: 'garden/rain', text: 'It stops.' };
  await agent.say(`turns: ${JSON.stringify([[{ tool: 'publish_topic', input }], [{ text: 'Told.' }]])}`);
  await expect(agent.messages.last()).toHaveText('Told.');

  await phone.goto('/topics');
  await expect(phone.getByRole('main')).toContainText('It stops.');
  await axe(phone);
  await screens(phone, 'topics');
  await laptop.goto('/topics');
  await screens(laptop, 'topics');
  await laptop.getByRole('button', { name: 'End the subscription of Bo to garden/rain' }).click();
  await expect(laptop.getByText('Nobody hears it now.')).toBeVisible();
});
