// Answering what an agent asks, and ticking what there is to do, with JavaScript switched off.

import { createAgent, expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { Dashboard } from '../pages/dashboard.ts';

const TOOLS = ['ask_user', 'todo'];
const OPTIONS = [{ label: 'Green' }, { label: 'Blue', description: 'As the sea.' }];

test('the form answers on the page and on the wall, and what does not fit is said', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada', 'hub', TOOLS);
  const [onLaptop, onPhone] = [new AgentPage(laptop), new AgentPage(phone)];
  await laptop.goto(`/agents/${id}`);
  const input = { question: 'Which colour?', kind: 'choice', other: true, options: OPTIONS };
  await onLaptop.say(`turns: ${JSON.stringify([[{ tool: 'ask_user', input }], [{ text: 'Done.' }]])}`);
  await expect(async () => {
    await laptop.reload();
    await expect(onLaptop.approval).toBeVisible({ timeout: 100 });
  }).toPass();
  await phone.goto('/');
  const { needsYou } = new Dashboard(phone);
  await expect(needsYou).toContainText('Which colour?');
  await onLaptop.approval.getByRole('radio', { name: 'Other' }).check();
  await onLaptop.approval.getByRole('button', { name: 'Answer' }).click();
  await expect(laptop.getByRole('alert')).toContainText('Choose one of the answers.');
  await onLaptop.approval.getByRole('radio', { name: 'Other' }).check();
  await onLaptop.approval.getByRole('textbox', { name: 'Other, in your own words' }).fill('Red');
  await onLaptop.approval.getByRole('button', { name: 'Answer' }).click();
  await expect(onLaptop.notice('Answered \u201cRed\u201d, on')).toBeVisible();
  await needsYou.getByRole('radio', { name: 'Blue' }).check();
  await needsYou.getByRole('button', { name: 'Answer' }).click();
  await expect(phone.getByRole('alert')).toContainText('This was answered already, on');
  await phone.goto(`/agents/${id}`);
  await expect(onPhone.notice('Answered \u201cRed\u201d, on')).toBeVisible();
});

test('tasks are ticked, struck and added', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada', 'hub', TOOLS);
  const page = new AgentPage(laptop);
  await laptop.goto(`/agents/${id}`);
  const input = { action: 'replace', tasks: [{ text: 'Rake' }, { text: 'Sow' }] };
  await page.say(`turns: ${JSON.stringify([[{ tool: 'todo', input }], [{ text: 'Done.' }]])}`);
  await expect(async () => {
    await laptop.reload();
    await expect(page.todo).toContainText('0 of 2 done', { timeout: 100 });
  }).toPass();
  await page.todo.getByText('0 of 2 done').click();
  await page.todo.getByRole('checkbox', { name: 'Rake' }).click();
  await page.todo.getByText('1 of 2 done').click();
  await page.todo.getByRole('button', { name: 'Strike: Sow' }).click();
  await page.todo.getByText('2 of 2 done').click();
  await page.todo.getByRole('textbox', { name: 'A task to add' }).fill('Water');
  await page.todo.getByRole('button', { name: 'Add' }).click();
  await expect(page.todo).toContainText('2 of 3 done');
});

test('a secret is entered where it says where it goes, and forgotten on the settings page', async ({ laptop, endpoint, hub }) => {
  const id = await createAgent(laptop, endpoint, 'Ada', 'hub', TOOLS);
  await laptop.request.post('/api/agents/set_network', { headers: { Origin: hub.url }, data: { id, policy: 'public' } });
  const page = new AgentPage(laptop);
  await laptop.goto(`/agents/${id}`);
  const input = { question: 'What opens it?', kind: 'secret', name: 'moss', host: 'moss.example' };
  await page.say(`turns: ${JSON.stringify([[{ tool: 'ask_user', input }], [{ text: 'Done.' }]])}`);
  await expect(async () => {
    await laptop.reload();
    await expect(page.approval).toBeVisible({ timeout: 100 });
  }).toPass();
  await expect(page.approval).toContainText('It is only ever sent to https://moss.example');
  await page.approval.getByLabel('Your answer, a secret').fill('moss-secret-0123456789');
  await page.approval.getByRole('button', { name: 'Answer' }).click();
  await expect(page.notice('Answered with a secret, on')).toBeVisible();
  expect(await laptop.content()).not.toContain('0123456789');
  await laptop.goto(`/agents/${id}/edit`);
  const secrets = laptop.getByRole('region', { name: 'Its secrets' });
  await expect(secrets).toContainText('https://moss.example');
  expect(await laptop.content()).not.toContain('0123456789');
  await secrets.getByRole('button', { name: 'Forget: moss' }).click();
  await expect(secrets).toContainText('It has none.');
});
