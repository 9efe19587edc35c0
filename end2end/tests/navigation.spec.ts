// Every page that is nobody's but the person's own is two taps away, on the phone as well, and every setting one more.

import { axe, createAgent, expect, isWhole, screens, test } from '../fixtures.ts';
import { ask, post } from '../fixtures/api.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { hydrated } from '../pages/page.ts';
import { RulesPage } from '../pages/rules-page.ts';
import { Schedules } from '../pages/schedules.ts';
import { SettingsPage } from '../pages/settings-page.ts';
import type { Locator, Page } from '@playwright/test';

const PLACES = [
  ['New agent', 'New agent'],
  ['Console', 'Console'],
  ['Schedules', 'Schedules'],
  ['Pipelines', 'Pipelines'],
  ['Teams', 'Teams'],
  ['Delegations', 'Delegations'],
  ['Topics', 'Topics'],
  ['Workspaces', 'Workspaces'],
  ['Shared with you', 'Shared with you'],
  ['Gallery', 'Gallery'],
  ['Usage', 'Usage'],
  ['Settings', 'Settings'],
] as const;
const SETTINGS = [
  ['Account', 'Account'],
  ['Appearance', 'Account'],
  ['Notifications', 'What you hear of'],
  ['Second factor', 'Second factor'],
  ['Move settings', 'Move settings'],
  ['Import conversations', 'Import conversations'],
  ['Providers', 'Providers'],
  ['Models', 'Models'],
  ['Usage', 'Usage'],
  ['Memory', 'Memory'],
  ['Context', 'Context'],
  ['Skills', 'Skills'],
  ['MCP servers', 'MCP servers'],
  ['Peers', 'Peers'],
  ['External jobs', 'External jobs'],
  ['Web search', 'Web search'],
  ['Audit', 'Audit'],
  ['Calls of tools', 'Calls'],
] as const;
const OF_ADMINISTRATORS = [
  ['Admin', 'Admin'],
  ['Groups', 'Groups'],
  ['Status', 'Status of the hub'],
  ['Audit of everybody', 'Audit'],
  ['Calls of everybody', 'Calls'],
] as const;

const bar = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const menu = (page: Page) => page.getByRole('navigation', { name: 'Places' }).getByRole('button', { name: 'Menu' });

async function reach(page: Page, name: string, title: string): Promise<void> {
  await menu(page).click();
  await bar(page).getByRole('link', { name, exact: true }).click();
  await expect(page).toHaveTitle(new RegExp(title));
  await expect(bar(page)).toBeHidden();
  await fits(page);
}

/** From the overview that is open, and back to it. */
async function visit(page: Page, name: string, title: string, back: Locator): Promise<void> {
  const [overview, named] = [page.url(), await page.title()];
  await new SettingsPage(page).setting(name).click();
  await expect(page).toHaveTitle(new RegExp(title));
  await fits(page);
  await back.click();
  await expect(page).toHaveURL(overview);
  await expect(page).toHaveTitle(named);
}

async function fits(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
}

test('a person reaches each place of theirs in two taps on the phone', async ({ phone }) => {
  await phone.goto('/');
  for (const [name, title] of PLACES) await reach(phone, name, title);
  const places = phone.getByRole('navigation', { name: 'Places' });
  await places.getByRole('link', { name: 'Notifications' }).click();
  await expect(phone).toHaveTitle(/Notifications/);
  await places.getByRole('link', { name: 'Agents' }).click();
  await expect(phone).toHaveURL('/');
});

test('a person reaches each of their settings in three taps on the phone, and from each the others', async ({ phone }) => {
  await phone.goto('/');
  await reach(phone, 'Settings', 'Settings');
  const settings = new SettingsPage(phone);
  await expect(settings.settings).toHaveCount(SETTINGS.length);
  for (const [name, title] of SETTINGS) await visit(phone, name, title, settings.back);
  await menu(phone).click();
  await expect(bar(phone).getByRole('link', { name: 'Settings', exact: true })).toBeVisible();
  await expect(bar(phone).getByRole('link', { name: 'The hub' })).toHaveCount(0);
  await bar(phone).getByRole('link', { name: /^Account/ }).click();
  await expect(phone).toHaveTitle(/Account/);
});

test('an administrator does too, and the bar keeps to the width of the phone', async ({ admin }) => {
  await admin.setViewportSize({ width: 390, height: 844 });
  await admin.goto('/');
  await reach(admin, 'The hub', 'The hub');
  const settings = new SettingsPage(admin);
  await expect(settings.settings).toHaveCount(OF_ADMINISTRATORS.length);
  for (const [name, title] of OF_ADMINISTRATORS) await visit(admin, name, title, settings.backToTheHub);
  await axe(admin);
  await menu(admin).click();
  if (process.env.PICTURES) await admin.screenshot({ path: 'screenshots/menu-390.png' });
  await axe(admin);
});

test('at twice the size on a laptop, and on the narrowest phone, every main page is whole', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'An agent whose name is as long as names can well be');
  await ask(laptop, id, 'script: markdown');
  const own = ['', '/conversations', '/edit', '/files', '/context', '/rules', '/schedules', '/budget'].map((path) => `/agents/${id}${path}`);
  const others = ['/', '/agents/new', '/settings', '/providers', '/account', '/memory', '/skills', '/mcp-servers', '/usage', '/notifications', '/schedules', '/pipelines/new', '/gallery', '/console', '/search?q=said'];
  for (const path of [...own, ...others]) {
    await laptop.goto(path);
    await expect(laptop.getByRole('heading', { level: 1 })).toBeVisible();
    // 1440 × 900 at 200 %, and 1280 × 1024 at 400 %, which is as wide as a small phone.
    for (const size of [{ width: 720, height: 450 }, { width: 320, height: 568 }]) {
      await isWhole(laptop, size);
      if (path !== `/agents/${id}`) continue;
      // What is said stays readable above what is written.
      const agent = new AgentPage(laptop);
      await expect.soft(agent.composer).toBeInViewport({ ratio: 1 });
      expect.soft(await agent.log.evaluate((log) => log.clientHeight), 'the height of the conversation').toBeGreaterThan(80);
    }
  }
});

test('a setting is found by words of what it is, and beside its page stand the others', async ({ laptop }) => {
  const settings = new SettingsPage(laptop);
  await settings.open();
  await settings.field.fill('nothing like it');
  await expect(settings.nothing).toBeVisible();
  await settings.field.fill('remembered conversation');
  await expect(settings.settings).toHaveText([/^Memory/]);
  await settings.field.press('Enter');
  await expect(laptop).toHaveURL('/memory');
  await expect(settings.other('Memory')).toHaveAttribute('aria-current', 'page');
  await expect(bar(laptop).getByRole('link', { name: 'Settings', exact: true })).toHaveAttribute('aria-current', 'true');
  await expect(settings.other('Status')).toHaveCount(0);
  await settings.other('Skills').click();
  await expect(laptop).toHaveTitle(/Skills/);
  await expect(settings.other('Skills')).toHaveAttribute('aria-current', 'page');
  await laptop.getByRole('link', { name: 'Vivarium', exact: true }).click();
  await expect(settings.beside).toHaveCount(0);
});

test('the side bar shows agents, what they were told last, and who waits', async ({ laptop, phone, endpoint }) => {
  const fern = await createAgent(laptop, endpoint, 'Fern');
  const page = new AgentPage(laptop);
  await page.open(fern);
  await page.say('Hello');
  await expect(page.messages.last()).toHaveText('You said: Hello');
  const here = bar(laptop).getByRole('link', { name: 'Hello' });
  await expect(here).toBeVisible();

  await phone.goto('/usage');
  await hydrated(phone);
  await menu(phone).click();
  const all = (page: Page) => bar(page).getByRole('group', { name: 'Agents' });
  await expect(all(phone).getByRole('link', { name: /^Fern/ })).toBeVisible();
  await phone.keyboard.press('Escape');
  await expect(bar(phone)).toBeHidden();
  const [moss, lichen] = [await createAgent(laptop, endpoint, 'Moss'), await createAgent(laptop, endpoint, 'Lichen')];
  const rules = new RulesPage(laptop);
  await rules.open(fern);
  await rules.add('Ask me before', 'state');
  await expect(rules.rows).toHaveText([/Ask before state/]);
  await page.open(fern);
  await page.say('turns: [[{"tool":"state","input":{"action":"set","key":"season","value":"dry"}}],[{"text":"Done."}]]');
  const needing = bar(laptop).getByRole('group', { name: 'Needs you' }).getByRole('listitem');
  await expect(needing).toHaveText(['Fern waits for you']);
  // Who was stopped stands with who waits, before who has only answered.
  await ask(laptop, lichen, 'Hello');
  await expect(needing).toHaveText(['Fern waits for you', 'Lichen has a new answer']);
  await ask(laptop, moss, 'script: cut');
  await expect(needing.filter({ hasText: 'Moss stopped by an error' })).toHaveCount(1);
  await expect(needing.last()).toHaveText('Lichen has a new answer');
  await screens(laptop, 'side-bar');
  await needing.last().getByRole('link').click();
  await expect(laptop).toHaveTitle('Lichen · Vivarium');
  await expect(needing).toHaveCount(2);
  await all(laptop).getByRole('link', { name: /^Moss/ }).click();
  await expect(laptop).toHaveTitle('Moss · Vivarium');
  await laptop.goto('/');
  await expect(laptop.getByRole('list', { name: 'Needs you' })).toContainText('Moss was stopped by an error.');
});

test('Escape closes a menu and gives the focus back', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  await laptop.setViewportSize({ width: 1000, height: 800 });
  await laptop.goto('/');
  await hydrated(laptop);
  const link = bar(laptop).getByRole('link', { name: 'Schedules', exact: true });
  await expect(link).toBeHidden();
  if (process.env.PICTURES) await laptop.screenshot({ path: 'screenshots/rail-1000.png' });
  const opens = bar(laptop).getByRole('button', { name: 'Menu' });
  await opens.click();
  await link.focus();
  await laptop.keyboard.press('Escape');
  await expect(link).toBeHidden();
  await expect(opens).toBeFocused();
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
  await new SettingsPage(laptop).other('Providers').click();
  await expect(laptop.getByRole('alert')).toContainText('The hub cannot be reached');
  await expect(bar(laptop).getByRole('link', { name: 'Usage' })).toBeVisible();
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

test('one word of sixty letters makes no page wider than the smallest phone', async ({ phone, endpoint }) => {
  const id = await createAgent(phone, endpoint, 'Rindfleisch'.repeat(5).padEnd(60, 'n'));
  const own = ['edit', 'delete', 'files', 'schedules', 'rules', 'budget', 'share', 'conversations'].map((path) => `/agents/${id}/${path}`);
  for (const path of [...own, '/providers', '/schedules', '/console', '/topics', '/usage', '/account', '/memory', '/web-search']) {
    await phone.goto(path);
    for (const width of [390, 320]) await isWhole(phone, { width, height: 700 });
  }
});

test('a page of agents leads who has none to where one is made, and has no form without a choice', async ({ phone }) => {
  for (const path of ['/schedules', '/console', '/topics', '/pipelines/new']) {
    await phone.goto(path);
    const main = phone.getByRole('main');
    await expect(main.getByRole('heading', { name: 'You have no agent yet' })).toBeVisible();
    await expect(main.getByRole('link', { name: 'New agent' })).toHaveAttribute('href', '/agents/new');
    await expect(main.locator('form')).toHaveCount(0);
  }
});

test('what happens by itself is on one page', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const schedules = new Schedules(laptop);
  await schedules.open(id);
  await schedules.add('Morning', 'Say what the day brings.', 'Every day', '08:00');
  await expect(schedules.row('Morning')).toBeVisible();
  await phone.goto('/schedules');
  await expect(phone.getByRole('region', { name: 'Ada' })).toContainText(/Morning.*Every day at 08:00/);
  await axe(phone);
  await screens(phone, 'schedules-all');
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

test('on a phone a conversation tells of what waits, and opens the menu', async ({ laptop, phone, endpoint }) => {
  const [here, elsewhere] = [await createAgent(laptop, endpoint, 'Fern'), await createAgent(laptop, endpoint, 'Moss')];
  await new AgentPage(phone).open(here);
  const opens = phone.getByRole('main').getByRole('button', { name: /^Menu/ });
  await expect(opens).toHaveAccessibleName('Menu');
  await new AgentPage(laptop).open(here);
  await post(laptop, 'agents/send', [['agent', elsewhere], ['text', 'Hello']]);
  await expect(opens).toHaveAccessibleName('Menu, 1 to look at');
  await opens.click();
  await bar(phone).getByRole('link', { name: 'Usage', exact: true }).click();
  await expect(phone).toHaveTitle(/Usage/);
  await expect(bar(phone)).toBeHidden();
});

test('a hub that was updated asks for the page to be loaded again, with a button that does', async ({ phone }) => {
  let isOld = true;
  const device = { id: '', name: '', created_at: 0, last_seen_at: 0, current: true };
  await phone.routeWebSocket(/\/live$/, (socket) => {
    if (!isOld) return void socket.connectToServer();
    socket.onMessage(() => socket.send(JSON.stringify({ type: 'welcome', version: 1_000_000, device })));
  });
  await phone.goto('/');
  await hydrated(phone);
  const line = phone.locator('.connection');
  await expect(line).toContainText('The hub was updated: reload the page');
  isOld = false;
  await line.getByRole('button', { name: 'Reload' }).click();
  await expect(line).toHaveAttribute('data-state', 'live');
});

test('each page that is opened has the focus, and what is pressed in a row keeps it', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const main = laptop.locator('#main');
  await laptop.goto('/usage');
  await hydrated(laptop);
  await new SettingsPage(laptop).other('Memory').press('Enter');
  await expect(laptop).toHaveTitle(/Memory/);
  await expect(main).toBeFocused();

  const schedules = new Schedules(laptop);
  await schedules.open(id);
  await schedules.add('Morning', 'Say what the day brings.', 'Every day', '08:00');
  await laptop.getByRole('button', { name: 'Pause Morning' }).press('Enter');
  await expect(laptop.getByRole('button', { name: 'Resume Morning' })).toBeFocused();
});

test('a conversation is asked for while a mouse rests on its link, before it is pressed', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  await laptop.goto('/');
  await hydrated(laptop);
  const asked: string[] = [];
  laptop.on('request', (request) => {
    if (request.url().includes('/api/agents/page')) asked.push(request.url());
  });
  const link = laptop.locator(`a[href="/agents/${id}"]`).filter({ visible: true }).first();
  await link.hover();
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  await link.click();
  const page = new AgentPage(laptop);
  await page.isReady();
  await expect(page.composer).toBeVisible();
});
