// Topics: a person lets agents hear one, publishes, and sees who heard what.

import type { Page } from '@playwright/test';
import { axe, createAgent, expect, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';

/** Has the page think that its person sees it, or does not. */
const seen = (page: Page, isSeen: boolean) =>
  page.evaluate((isHidden) => {
    Object.defineProperty(document, 'hidden', { get: () => isHidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, !isSeen);

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

  let told = 0;
  phone.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => (told += Number(String(payload).includes('"noun":"topics"'))));
  });
  await phone.goto('/topics');
  await expect(phone.getByRole('main')).toContainText('It stops.');
  await axe(phone);
  await screens(phone, 'topics');
  await laptop.goto('/topics');
  await screens(laptop, 'topics');
  await laptop.getByRole('button', { name: 'End the subscription of Bo to garden/rain' }).click();
  for (const page of [laptop, phone]) await expect(page.getByText('Nobody hears it now.')).toBeVisible();

  // A page that nobody sees asks for nothing, and shows what there is once it is seen.
  const asked: string[] = [];
  phone.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await seen(phone, false);
  for (const name of ['garden/sun', 'garden/wind']) {
    const before = told;
    await main.getByLabel('Agent', { exact: true }).selectOption('Bo');
    await main.locator('#subscribe-topic').fill(name);
    await main.getByRole('button', { name: 'Subscribe' }).click();
    await expect(main.getByRole('heading', { name })).toBeVisible();
    await expect.poll(() => told).toBeGreaterThan(before);
  }
  expect(asked).not.toContain('/api/topics/list');
  await seen(phone, true);
  await expect(phone.getByRole('heading', { name: 'garden/wind' })).toBeVisible();
  expect(asked).toContain('/api/topics/list');
});
