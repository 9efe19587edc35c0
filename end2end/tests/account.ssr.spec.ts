// The account page, with JavaScript switched off.

import { expect, screens, test } from '../fixtures.ts';
import { Account } from '../pages/account.ts';
import { SettingsPage } from '../pages/settings-page.ts';
import { SignIn } from '../pages/sign-in.ts';

test('a changed password is the one that opens the door', async ({ laptop, page, person }) => {
  const account = new Account(laptop);
  await account.open();
  await account.changePassword('not this one', 'a brand new password');
  await expect(account.problem).toBeVisible();
  await account.changePassword(person.password, 'a brand new password');
  await expect(account.passwordDone).toContainText('The password is changed');

  const form = new SignIn(page);
  await form.open();
  await form.signIn(person);
  await expect(form.problem).toBeVisible();
  await form.signIn({ name: person.name, password: 'a brand new password' });
  await expect(page).toHaveURL('/');
});

test('a token is shown once, opens the interface, and does not after it is revoked', async ({ laptop, request }) => {
  const account = new Account(laptop);
  await account.open();
  await account.createToken('backup script', 'Do what you can do');
  const token = (await account.newToken.textContent())!;
  await expect(account.token('backup script')).toContainText('Never');
  await laptop.reload();
  await expect(account.newToken).toHaveCount(0);
  expect(await laptop.content()).not.toContain(token);

  const list = () => request.get('/api/agents/list', { headers: { authorization: `Bearer ${token}` } });
  expect((await list()).status()).toBe(200);
  await account.revokeToken('backup script');
  await expect(account.token('backup script')).toHaveCount(0);
  expect((await list()).status()).toBe(401);
});

test('a token for models opens them and nothing else', async ({ laptop, request }) => {
  const account = new Account(laptop);
  await account.open();
  await account.createToken('chat program', 'Call models', '2.50');
  const token = (await account.newToken.textContent())!;
  await expect(account.token('chat program')).toContainText('$2.50');
  await account.limitToken('chat program', '4');
  await expect(account.token('chat program')).toContainText('$4.00');
  const headers = { authorization: `Bearer ${token}` };
  expect((await request.get('/v1/models', { headers })).status()).toBe(200);
  expect((await request.get('/api/agents/list', { headers })).status()).toBe(401);
});

test('a token says whose words its program passes on', async ({ laptop }) => {
  const account = new Account(laptop);
  await account.open();
  await account.createToken('mail bot', 'Call models and agents', '', 'Words of others');
  await expect(account.token('mail bot')).toContainText('Call models and agents, passing on words of others');
  await account.createToken('my script');
  await expect(account.token('my script')).not.toContainText('passing on');
});

test('conversations are kept for as long as their person says', async ({ laptop }) => {
  await new Account(laptop).open();
  const section = laptop.getByRole('region', { name: 'Old conversations' });
  const kept = section.getByRole('combobox', { name: 'Delete those that nobody uses' });
  await expect(kept).toHaveValue('');
  await kept.selectOption('After 90 days');
  await section.getByRole('button', { name: 'Save' }).click();
  await expect(section.getByRole('status')).toHaveText('That is how long they are kept from now on.');
  await expect(kept).toHaveValue('90');
  if (process.env.PICTURES) await screens(laptop, 'old-conversations');
});

test('all settings stand in one list, which says how some of them are and is asked for words', async ({ laptop }) => {
  const settings = new SettingsPage(laptop);
  await settings.open();
  await expect(settings.row('Providers')).toContainText('No provider yet');
  await expect(settings.row('Second factor')).toContainText('Off');
  await settings.field.fill('language');
  await settings.field.press('Enter');
  await expect(settings.settings).toHaveText([/^Appearance/]);
  await settings.setting('Appearance').click();
  await expect(laptop).toHaveURL('/account#appearance');
  await laptop.goto('/settings/hub');
  await expect(laptop.getByRole('heading', { name: 'There is nothing here' })).toBeVisible();
});
