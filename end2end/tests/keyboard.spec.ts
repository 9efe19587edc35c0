// The journeys of every day with a keyboard and nothing else: nothing is pressed with a pointer, where the focus is can
// be seen, and it is never lost.

import { createAgent, expect, Keys, test } from '../fixtures.ts';
import { ask, post } from '../fixtures/api.ts';
import { Account } from '../pages/account.ts';
import { AgentForm } from '../pages/agent-form.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { ConversationsPage } from '../pages/conversations-page.ts';
import { hydrated } from '../pages/page.ts';
import { Palette } from '../pages/palette.ts';
import { providerAt, Providers } from '../pages/providers.ts';
import { SearchPage } from '../pages/search-page.ts';
import { SettingsPage } from '../pages/settings-page.ts';
import { SignIn } from '../pages/sign-in.ts';

test('from signing in to a message that is sent again, nothing is pressed with a pointer', async ({ page, person, endpoint }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const keys = new Keys(page);
  const entry = new SignIn(page);
  await entry.open();
  await keys.to(entry.name);
  await keys.write(person.name);
  await keys.to(entry.password);
  await keys.write(person.password);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === '/');
  await hydrated(page);

  await keys.use(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings', exact: true }));
  await expect(page).toHaveTitle(/Settings/);
  await keys.use(new SettingsPage(page).setting('Providers'));
  await expect(page).toHaveTitle(/Providers/);
  const [providers, brook] = [new Providers(page), providerAt(endpoint)];
  await keys.to(providers.form.getByLabel('Name', { exact: true }));
  await keys.write(brook.name);
  await keys.to(providers.form.getByRole('textbox', { name: /^Base URL/ }));
  await keys.write(brook.baseUrl);
  await keys.to(providers.form.getByLabel('Key', { exact: true }));
  await keys.write(brook.key);
  await keys.use(providers.form.getByRole('button', { name: 'Save' }));
  await providers.provider(brook.name).waitFor();
  await keys.isKept();

  await keys.goTo('new agent');
  await expect(page).toHaveTitle(/New agent/);
  const form = new AgentForm(page);
  await keys.to(form.name);
  await keys.write('Ada');
  await keys.use(page.getByRole('button', { name: 'Create agent' }));
  await page.waitForURL(/\/agents\/(?!new)[^/]+$/);
  const agent = new AgentPage(page);
  await agent.isReady();
  await keys.to(agent.composer);
  await keys.write(`turns: ${JSON.stringify([[{ tool: 'datetime', input: {} }], [{ text: 'It is noon.' }]])}`);
  await page.keyboard.press('Enter');
  await expect(agent.messages.last()).toHaveText('It is noon.');
  await expect(agent.again).toBeVisible();
  await expect(agent.composer).toBeFocused();

  await keys.use(agent.messages.last().getByRole('button', { name: 'Copy this message' }), 'Shift+Tab');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('It is noon.');
  await expect(agent.log.getByRole('button', { name: 'Copied' })).toBeFocused();
  const call = agent.log.locator('details.tool');
  await keys.use(call.locator('summary'), 'Shift+Tab');
  await expect(call.getByText('Output', { exact: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(call.getByText('Output', { exact: true })).toBeHidden();
  await expect(call.locator('summary')).toBeFocused();

  const edit = agent.messages.first().getByRole('button', { name: 'Edit this message' });
  await keys.use(edit, 'Shift+Tab');
  await expect(agent.editor).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(agent.editor).toHaveCount(0);
  await expect(edit).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(agent.editor).toBeFocused();
  await keys.write('Ferns');
  await page.keyboard.press('Enter');
  await expect(agent.messages).toContainText(['Ferns', 'You said: Ferns']);
  await keys.isKept();
  expect([...keys.unseen], 'where the focus is cannot be seen').toEqual([]);
});

test('from an answer to a question to signing out, and what is deleted on the way comes back', async ({ laptop, endpoint }) => {
  const [ada, grace] = [await createAgent(laptop, endpoint, 'Ada'), await createAgent(laptop, endpoint, 'Grace')];
  await post(laptop, 'policy/add', [['agent', ada], ['tool', 'state'], ['verdict', 'ask']]);
  for (const text of ['Stones', 'Ferns and mosses']) {
    await post(laptop, 'conversations/create', [['agent', grace]]);
    await ask(laptop, grace, text);
  }
  await laptop.emulateMedia({ reducedMotion: 'reduce' });
  const [keys, agent, palette] = [new Keys(laptop), new AgentPage(laptop), new Palette(laptop)];
  await agent.open(ada);
  await keys.to(agent.composer);
  const input = { action: 'set', key: 'season', value: 'moss' };
  await keys.write(`turns: ${JSON.stringify([[{ tool: 'state', input }], [{ text: 'Done.' }]])}`);
  await laptop.keyboard.press('Enter');
  const allow = agent.approval.getByRole('button', { name: 'Allow once' });
  await keys.to(allow, 'Shift+Tab');
  await expect(allow).toBeEnabled();
  await laptop.keyboard.press('Enter');
  await expect(agent.messages.last()).toHaveText('Done.');
  // What the answer became has the focus then, and it is no button.
  const answered = agent.items.filter({ hasText: 'Allowed once' });
  await expect(answered).toBeFocused();

  await laptop.keyboard.press('Control+k');
  await expect(palette.field).toBeFocused();
  await laptop.keyboard.press('Escape');
  await expect(palette.dialog).toBeHidden();
  await expect(answered).toBeFocused();
  await keys.goTo('mosses');
  await expect(agent.messages.first()).toContainText('Ferns and mosses');
  await keys.isKept();

  await agent.isReady();
  await keys.use(agent.allConversations);
  const list = new ConversationsPage(laptop);
  await expect(list.names).toHaveText(['Ferns and mosses', 'Stones']);
  const change = laptop.getByLabel('Change Ferns and mosses');
  await keys.use(change);
  const remove = list.row('Ferns and mosses').getByRole('button', { name: 'Delete' });
  await keys.to(remove);
  await laptop.keyboard.press('Escape');
  await expect(remove).toBeHidden();
  await expect(change).toBeFocused();
  await laptop.keyboard.press('Enter');
  await keys.use(remove);
  await expect(list.names).toHaveText(['Stones']);
  // A second press would do nothing to the row that stands there now.
  await expect(list.row('Stones')).toBeFocused();
  const deleted = laptop.getByRole('link', { name: 'Deleted', exact: true });
  await keys.use(deleted, 'Shift+Tab');
  await keys.use(laptop.getByRole('button', { name: 'Restore Ferns and mosses' }));
  await expect(list.rows).toHaveCount(0);
  await keys.isKept();

  await keys.goTo('gentian');
  const search = new SearchPage(laptop);
  // The list of conversations has such a field too.
  await expect(laptop).toHaveTitle(/^Search: gentian/);
  await keys.to(search.field);
  await keys.write('mosses');
  await laptop.keyboard.press('Enter');
  await laptop.waitForURL(/\/search\?q=mosses/);
  await hydrated(laptop);
  await keys.use(search.hits.first().getByRole('link'));
  await expect(search.found).toBeInViewport();
  await expect(search.found).toBeFocused();

  await keys.goTo('account');
  const account = new Account(laptop);
  await keys.use(account.leave);
  await expect(laptop).toHaveURL(/\/sign-in/);
  expect([...keys.unseen], 'where the focus is cannot be seen').toEqual([]);
});

test('the contents of a long page lead to a part of it, and the keyboard goes on from there', async ({ laptop }) => {
  await new Account(laptop).open();
  const keys = new Keys(laptop);
  const contents = laptop.getByRole('navigation', { name: 'On this page' });
  await keys.use(contents.locator('summary'));
  await keys.use(contents.getByRole('link', { name: 'API tokens' }));
  await expect(laptop).toHaveURL('/account#tokens');
  await laptop.keyboard.press('Tab');
  await expect(laptop.getByRole('region', { name: 'API tokens' }).locator(':focus')).toHaveCount(1);
});
