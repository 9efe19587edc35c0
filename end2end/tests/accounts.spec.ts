// Accounts where script adds something to the forms.

import { createAgent, expect, Person, test } from '../fixtures.ts';
import { Account } from '../pages/account.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { SignIn } from '../pages/sign-in.ts';

test('the pages before sign-in fetch no WebAssembly, and no script but that of passkeys', async ({ page, hub }) => {
  await Person.join(hub);
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  for (const path of ['/sign-in', '/sign-up', '/setup/x']) {
    await page.goto(path, { waitUntil: 'load' });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  const files = fetched.map((path) => path.replace(/^\/b\/[^/]+/, ''));
  expect(files).toContain('/pkg/vivarium.css');
  expect(files.filter((path) => /\.(js|wasm)$/.test(path))).toEqual(['/passkeys.js']);
});

test('a token appears without a new page, and its form is empty again', async ({ laptop }) => {
  const account = new Account(laptop);
  await account.open();
  await laptop.evaluate(() => document.body.setAttribute('data-same', ''));
  await account.createToken('phone shortcut');
  await expect(account.newToken).toHaveText(/\S{20,}/);
  // The list that has it is drawn anew, and the buttons with it.
  await expect(account.token('phone shortcut')).toBeVisible();
  await laptop.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await laptop.getByRole('button', { name: 'Copy the token' }).click();
  await expect(laptop.getByRole('button', { name: 'Copied the token' })).toBeVisible();
  expect(await laptop.evaluate(() => navigator.clipboard.readText())).toBe(await account.newToken.textContent());
  await expect(laptop.getByLabel('Name of a new token')).toHaveValue('');
  await expect(laptop.locator('body[data-same]')).toBeVisible();
  await laptop.reload();
  await expect(account.token('phone shortcut')).toBeVisible();
  await expect(account.newToken).toHaveCount(0);
});

test('what is half written stays where it is, whatever another form of the page does', async ({ laptop }) => {
  const account = new Account(laptop);
  await account.open();
  await account.createToken('first');
  await laptop.getByLabel('Current password').fill('half a pass');
  await account.token('first').getByText('Change').click();
  const month = account.token('first').getByLabel('Dollars that first may spend in a month');
  await month.fill('0.2');
  const revoke = await laptop.getByRole('button', { name: 'Revoke first' }).elementHandle();

  await account.createToken('second');
  await expect(account.token('second')).toBeVisible();
  await expect(month).toHaveValue('0.2');
  await expect(account.token('second').getByLabel('Dollars that second may')).toBeHidden();
  // The button that somebody may be about to press is the one that it was.
  expect(await revoke?.evaluate((button) => button.isConnected && button.getAttribute('aria-label'))).toBe('Revoke first');

  await laptop.getByLabel('Name of a new token').fill('third, half wr');
  await account.revokeToken('second');
  await expect(account.token('second')).toHaveCount(0);
  await expect(laptop.getByLabel('Name of a new token')).toHaveValue('third, half wr');
  await expect(month).toHaveValue('0.2');
  await expect(laptop.getByLabel('Current password')).toHaveValue('half a pass');
});

test('a wrong password changes nothing, a right one signs the other devices out', async ({ laptop, phone, person }) => {
  const account = new Account(laptop);
  await account.open();
  await account.changePassword('not this one', 'a brand new password');
  await expect(account.problem).toBeVisible();
  await phone.goto('/');
  await expect(phone).toHaveURL('/');

  await account.changePassword(person.password, 'a brand new password');
  await expect(account.passwordDone).toBeVisible();
  await expect(phone).toHaveURL('/sign-in');
  await laptop.reload();
  await expect(laptop).toHaveURL(/\/account/);
});

test('whoever signs out leaves nothing that the back button brings back', async ({ laptop, person }) => {
  const account = new Account(laptop);
  await account.open();
  await account.signOut();
  await expect(laptop).toHaveURL('/sign-in');
  await laptop.goBack();
  await expect(laptop.getByText(`Account of ${person.name}`)).toHaveCount(0);
  await expect(new SignIn(laptop).password).toBeVisible();
});

test('a session that ended while a page was open leads back to it', async ({ phone, endpoint, hub, person }) => {
  const agent = await createAgent(phone, endpoint, 'Ada');
  await new AgentPage(phone).open(agent);
  await phone.context().clearCookies();
  await hub.kill9();
  await hub.restart();
  await expect(phone).toHaveURL('/sign-in');
  await new SignIn(phone).signIn(person);
  await expect(phone).toHaveURL(`/agents/${agent}`);
});
