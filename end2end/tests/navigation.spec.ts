// Every page that is nobody's but the person's own is two taps away, on the phone as well.

import { axe, createAgent, expect, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { hydrated } from '../pages/page.ts';
import { RulesPage } from '../pages/rules-page.ts';
import { Schedules } from '../pages/schedules.ts';
import type { Page } from '@playwright/test';

const IN_THE_BAR = [
  ['Agents', 'Agents'],
  ['Providers', 'Providers'],
  ['Account', 'Account'],
];
const UNDER_MORE = [
  ['Usage', 'Usage'],
  ['Schedules', 'Schedules'],
  ['Delegations', 'Delegations'],
  ['Pipelines', 'Pipelines'],
  ['Gallery', 'Gallery'],
  ['Models', 'Models'],
  ['Web search', 'Web search'],
  ['Skills', 'Skills'],
  ['MCP servers', 'MCP servers'],
  ['Audit', 'Audit'],
  ['Calls of tools', 'Calls'],
];
const OF_ADMINISTRATORS = [
  ['Groups', 'Groups'],
  ['Status of the hub', 'Status of the hub'],
  ['Audit of everybody', 'Audit'],
  ['Calls of everybody', 'Calls'],
];

async function reach(page: Page, name: string, title: string, more: boolean): Promise<void> {
  const bar = page.getByRole('navigation', { name: 'Main' });
  if (more) await bar.getByLabel('More').click();
  await bar.getByRole('link', { name, exact: true }).click();
  await expect(page).toHaveTitle(new RegExp(title));
  await expect(bar.getByRole('link', { name: 'Schedules', exact: true })).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
}

test('a person reaches each page of theirs in two taps on the phone', async ({ phone }) => {
  await phone.goto('/');
  for (const [name, title] of IN_THE_BAR) await reach(phone, name, title, false);
  for (const [name, title] of UNDER_MORE) await reach(phone, name, title, true);
});

test('an administrator does too, and the bar keeps to the width of the phone', async ({ admin }) => {
  await admin.setViewportSize({ width: 390, height: 844 });
  await admin.goto('/');
  await reach(admin, 'Admin', 'Admin', false);
  for (const [name, title] of [...UNDER_MORE, ...OF_ADMINISTRATORS]) await reach(admin, name, title, true);
  await admin.getByLabel('More').click();
  await axe(admin);
  if (process.env.PICTURES) await screens(admin, 'more');
});

test('Escape closes a menu and gives the focus back', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  await laptop.goto('/');
  await hydrated(laptop);
  const more = laptop.getByRole('navigation', { name: 'Main' }).locator('summary');
  await more.click();
  const link = laptop.getByRole('link', { name: 'Schedules', exact: true });
  await link.focus();
  await laptop.keyboard.press('Escape');
  await expect(link).toBeHidden();
  await expect(more).toBeFocused();
  const page = new AgentPage(laptop);
  await page.open(agent);
  await page.home.click();
  await laptop.keyboard.press('Escape');
  await expect(page.move('Bring home')).toBeHidden();
  await expect(page.home).toBeFocused();
});

test('a page that does not come leaves the way to the others', async ({ laptop }) => {
  await laptop.goto('/usage');
  await hydrated(laptop);
  await laptop.context().setOffline(true);
  const bar = laptop.getByRole('navigation', { name: 'Main' });
  await bar.getByRole('link', { name: 'Providers' }).click();
  await expect(laptop.getByRole('alert')).toContainText('The hub cannot be reached');
  await expect(bar.getByRole('link', { name: 'Usage' })).toBeVisible();
  await laptop.context().setOffline(false);
  await laptop.getByRole('link', { name: 'Try again' }).click();
  await expect(laptop.getByRole('heading', { name: 'Providers', level: 1 })).toBeVisible();
});

test('on a page at rest nothing moves for ever', async ({ laptop, endpoint }) => {
  const page = new AgentPage(laptop);
  await page.open(await createAgent(laptop, endpoint, 'Ada'));
  const moving = () => document.getAnimations().filter((each) => each.effect?.getComputedTiming().endTime === Infinity).length;
  expect(await laptop.evaluate(moving)).toBe(0);
});

test('what happens by itself is on one page', async ({ laptop, phone, endpoint }) => {
  await phone.goto('/schedules');
  await expect(phone.getByText('Nothing yet.')).toBeVisible();
  const id = await createAgent(laptop, endpoint, 'Ada');
  const schedules = new Schedules(laptop);
  await schedules.open(id);
  await schedules.add('Morning', 'Say what the day brings.', 'Every day', '08:00');
  await expect(schedules.row('Morning')).toBeVisible();
  await phone.reload();
  await expect(phone.getByRole('region', { name: 'Ada' })).toContainText(/Morning.*Every day at 08:00/);
  await axe(phone);
  if (process.env.PICTURES) await screens(phone, 'schedules-all');
  await phone.getByRole('link', { name: 'Morning' }).click();
  await expect(phone).toHaveURL(new RegExp(`/agents/${id}/schedules/`));
});

test('what is said after coming back to an agent is another message than what was said before', async ({ laptop, endpoint }) => {
  await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await laptop.goto('/');
  for (const [text, count] of [['Once', 2], ['Twice', 4]] as const) {
    await hydrated(laptop);
    await laptop.getByRole('link', { name: 'Ada' }).first().click();
    await agent.isReady();
    await agent.say(text);
    await expect(agent.messages.last()).toHaveText(`You said: ${text}`);
    await expect(agent.messages).toHaveCount(count);
    await laptop.getByRole('link', { name: 'All agents' }).click();
    await expect(laptop).toHaveURL('/');
  }
});

test('a page that was drawn again after an action can be left', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const rules = new RulesPage(laptop);
  await rules.open(id);
  await hydrated(laptop);
  for (const tool of ['state', 'storage']) {
    await rules.add('Ask me before', tool);
    await expect(rules.rows.first()).toContainText(tool);
  }
  await laptop.getByRole('link', { name: 'Back to Ada' }).click();
  const agent = new AgentPage(laptop);
  await agent.say('Hello');
  await expect(agent.messages.last()).toHaveText('You said: Hello');
  await expect(laptop).toHaveTitle('Ada · Vivarium');
});
