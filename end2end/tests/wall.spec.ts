// The wall and the side bar while agents are at work, on several devices: nothing goes from under the hand, and what
// is done on one of them is on the others.

import { axe, Cable, createAgent, expect, test } from '../fixtures.ts';
import { post } from '../fixtures/api.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { Dashboard } from '../pages/dashboard.ts';
import { NotificationsPage } from '../pages/notifications.ts';
import { hydrated } from '../pages/page.ts';
import type { Page } from '@playwright/test';

const bar = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const beside = (page: Page) => bar(page).getByRole('group', { name: 'Agents' }).getByRole('listitem');
const names = (page: Page) => page.locator('.wall .card-name > a');

test('a card and a row of the side bar stay where they are while another agent works', async ({ laptop, phone, endpoint }) => {
  const first = await createAgent(laptop, endpoint, 'Ada');
  const dashboard = new Dashboard(laptop);
  await createAgent(laptop, endpoint, 'Bo');
  await dashboard.open();
  await hydrated(laptop);
  await expect(names(laptop)).toHaveText(['Bo', 'Ada']);
  const pause = dashboard.card('Bo').getByRole('button', { name: 'Pause Bo' });
  await pause.focus();
  await post(phone, 'agents/send', [['agent', first], ['text', 'Hello']]);
  await expect(dashboard.card('Ada').locator('.card-line')).toHaveText('You said: Hello');
  await expect(names(laptop)).toHaveText(['Bo', 'Ada']);
  await expect(beside(laptop)).toHaveText([/Bo/, /Ada/]);
  await expect(pause).toBeFocused();
  await pause.press('Enter');
  await expect(dashboard.card('Bo').getByRole('button', { name: 'Resume Bo' })).toBeFocused();
  await expect(dashboard.card('Ada').getByRole('button', { name: 'Pause Ada' })).toBeVisible();

  // Whoever opens the page then has the last active one first.
  await laptop.reload();
  await expect(names(laptop)).toHaveText(['Ada', 'Bo']);
});

test('an agent that was made, renamed or deleted on one device is so on the other', async ({ laptop, phone, endpoint }) => {
  const dashboard = new Dashboard(laptop);
  await dashboard.open();
  await hydrated(laptop);
  await expect(dashboard.invitation).toBeVisible();
  const id = await createAgent(phone, endpoint, 'Fern');
  await expect(names(laptop)).toHaveText(['Fern']);
  await expect(beside(laptop)).toHaveText([/Fern/]);
  await createAgent(phone, endpoint, 'Moss');
  await expect(names(laptop)).toHaveText(['Moss', 'Fern']);
  await post(phone, 'agents/edit', [['id', id], ['name', 'Ivy'], ['colour', '#3a7d44'], ['home', 'hub']]);
  await expect(names(laptop)).toHaveText(['Moss', 'Ivy']);
  await expect(beside(laptop)).toHaveText([/Moss/, /Ivy/]);
  await post(phone, 'agents/delete', [['id', id]]);
  await expect(names(laptop)).toHaveText(['Moss']);
  await expect(beside(laptop)).toHaveText([/Moss/]);
});

test('what changed while a page had no connection is there once it has one again', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern');
  const cable = await Cable.under(laptop);
  await new Dashboard(laptop).open();
  await hydrated(laptop);
  await expect(laptop.locator('.connection')).toHaveAttribute('data-state', 'live');
  await cable.pull();
  await expect(laptop.locator('.connection')).toHaveAttribute('data-state', 'offline');
  await createAgent(phone, endpoint, 'Moss');
  await post(phone, 'agents/delete', [['id', id]]);
  await cable.plugIn();
  await expect(names(laptop)).toHaveText(['Moss']);
  await expect(beside(laptop)).toHaveText([/Moss/]);
});

test('the bell counts what was not read on any device', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern');
  const { bell } = new NotificationsPage(laptop);
  await laptop.goto('/usage');
  await hydrated(laptop);
  await post(phone, 'agents/send', [['agent', id], ['text', 'Hello']]);
  await expect(bell).toContainText('1 new');
  await post(phone, 'notifications/read_all', []);
  await expect(bell).not.toContainText('new');
});

test('the model of a conversation is the same on every device', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern');
  const page = new AgentPage(laptop);
  await page.open(id);
  await page.say('Hello');
  await expect(page.messages.last()).toHaveText('You said: Hello');
  await expect(laptop).toHaveURL(new RegExp(`/agents/${id}`));
  const answer = await phone.request.get(`/api/agents/page?id=${id}`);
  const { conversation } = await answer.json();
  await post(phone, 'conversations/set_model', [['id', conversation.id], ['model', 'another-model']]);
  await expect(laptop.locator('.model-menu-button')).toHaveText('another-model');
});

test('the cards are sorted and filtered as the person wants them on this device', async ({ laptop, endpoint }) => {
  const dashboard = new Dashboard(laptop);
  for (const name of ['Moss', 'Fern', 'Ivy']) await createAgent(laptop, endpoint, name);
  await dashboard.open();
  await hydrated(laptop);
  await expect(names(laptop)).toHaveText(['Ivy', 'Fern', 'Moss']);
  await laptop.getByRole('combobox', { name: 'Order' }).selectOption('By name');
  await expect(names(laptop)).toHaveText(['Fern', 'Ivy', 'Moss']);
  await laptop.reload();
  await expect(names(laptop)).toHaveText(['Fern', 'Ivy', 'Moss']);
  await expect(laptop.getByRole('combobox', { name: 'Order' })).toHaveValue('name');
  const filter = laptop.getByRole('searchbox', { name: 'Filter agents' });
  await filter.fill('os');
  await expect(names(laptop)).toHaveText(['Moss']);
  await filter.fill('nobody');
  await expect(laptop.getByText('No agent fits these words.')).toBeVisible();
  await filter.fill('');
  await expect(names(laptop)).toHaveCount(3);
});

test('the cards stand in groups where the person wants some, and go from one to the next', async ({ laptop, endpoint }) => {
  const moss = await createAgent(laptop, endpoint, 'Moss');
  await createAgent(laptop, endpoint, 'Fern', 'browser');
  const dashboard = new Dashboard(laptop);
  await dashboard.open();
  await hydrated(laptop);
  const groups = laptop.getByRole('combobox', { name: 'Groups' });
  await groups.selectOption('Groups by where they run');
  await expect(dashboard.part('On the hub')).toHaveText(['Moss']);
  await expect(dashboard.part('In the browser')).toHaveText(['Fern']);
  await groups.selectOption('Groups by state');
  await expect(dashboard.part('Resting')).toHaveText(['Fern', 'Moss']);
  await laptop.reload();
  await expect(groups).toHaveValue('state');
  await expect(dashboard.part('Resting')).toHaveText(['Fern', 'Moss']);

  await post(laptop, 'agents/send', [['agent', moss], ['text', 'script: hang']]);
  await expect(dashboard.part('At work')).toHaveText(['Moss']);
  await expect(dashboard.part('Resting')).toHaveText(['Fern']);
  await axe(laptop);
  // Under the hand it stays, whatever its agent does.
  const pause = dashboard.card('Moss').getByRole('button', { name: 'Pause Moss' });
  await pause.focus();
  await post(laptop, 'agents/stop', [['agent', moss]]);
  await expect(dashboard.card('Moss').locator('.card-label > .dot')).toHaveAttribute('data-status', 'idle');
  await expect(pause).toBeFocused();
  await expect(dashboard.part('At work')).toHaveText(['Moss']);
  await groups.focus();
  await expect(dashboard.part('Resting')).toHaveText(['Fern', 'Moss']);
  await groups.selectOption('No groups');
  await expect(names(laptop)).toHaveText(['Fern', 'Moss']);
  await expect(laptop.getByRole('region', { name: 'Resting' })).toHaveCount(0);
});
