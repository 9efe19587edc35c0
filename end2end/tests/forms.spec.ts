// What a press of a form's button does while the one before is on its way.

import type { Page } from '@playwright/test';
import { createAgent, expect, test } from '../fixtures.ts';
import { AgentForm } from '../pages/agent-form.ts';
import { AgentPage } from '../pages/agent-page.ts';

test('a form that is on its way is not sent a second time', async ({ laptop, endpoint }) => {
  await createAgent(laptop, endpoint, 'Ada');
  const form = new AgentForm(laptop);
  await form.open();
  await form.name.fill('Twin');
  const path = '/api/agents/create';
  const sent = count(laptop, path);
  const answer = await hold(laptop, path);
  const create = laptop.getByRole('button', { name: 'Create agent' });
  await create.click();
  await create.click();
  await create.press('Enter');
  answer();
  await laptop.waitForURL(/\/agents\/(?!new)[^/]+$/);
  expect(sent()).toBe(1);
});

test('another form of the same kind goes out meanwhile', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada', 'hub', ['todo']);
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const input = { action: 'replace', tasks: [{ text: 'Look at the moss' }] };
  await agent.say(`turns: ${JSON.stringify([[{ tool: 'todo', input }], [{ text: 'Done.' }]])}`);
  await agent.todo.locator('summary').click();
  const path = '/api/todo/add';
  const sent = count(laptop, path);
  const answer = await hold(laptop, path);
  const field = agent.todo.getByRole('textbox');
  for (const task of ['Water the fern', 'Water the moss']) {
    await field.fill(task);
    await field.press('Enter');
    await field.press('Enter');
  }
  await expect.poll(sent).toBe(2);
  answer();
  await expect(agent.tasks.filter({ hasText: 'Water the' })).toHaveCount(2);
});

/** How often the page has asked for this path. */
function count(page: Page, path: string): () => number {
  let times = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === path) times += 1;
  });
  return () => times;
}

/** Lets requests for this path go no further until the answer is called. */
async function hold(page: Page, path: string): Promise<() => void> {
  let go = () => {};
  const held = new Promise<void>((resolve) => (go = resolve));
  await page.route(`**${path}`, async (route) => {
    await held;
    await route.continue();
  });
  return () => go();
}

test('a new agent asks for a name and a model, and has the rest behind one word', async ({ phone }) => {
  const form = new AgentForm(phone);
  await form.open();
  for (const field of [form.name, form.instructions]) await expect(field).toBeVisible();
  await expect(phone.getByRole('link', { name: 'Add a provider' })).toHaveAttribute('href', '/providers#provider-form');
  await expect(form.home('hub')).toBeHidden();
  await form.unfoldMore();
  await expect(form.home('hub')).toBeVisible();
  await form.rounds.evaluate((field: HTMLInputElement) => (field.value = '99'));
  await form.name.fill('Fern');
  await phone.locator('details[data-more]').evaluate((fold: HTMLDetailsElement) => (fold.open = false));
  await phone.getByRole('button', { name: 'Create agent' }).click();
  await expect(form.rounds).toBeVisible();
});
