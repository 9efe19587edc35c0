// Accounts where script adds something to the forms.

import { expect, Person, test } from '../fixtures.ts';
import { Account } from '../pages/account.ts';
import { SignIn } from '../pages/sign-in.ts';

test('the pages before sign-in fetch no WebAssembly, and no script but that of passkeys', async ({ page, hub }) => {
  await Person.join(hub);
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  for (const path of ['/sign-in', '/sign-up', '/setup/x']) {
    await page.goto(path, { waitUntil: 'load' });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  expect(fetched).toContain('/pkg/vivarium.css');
  expect(fetched.filter((path) => /\.(js|wasm)$/.test(path))).toEqual(['/passkeys.js']);
});

test('a token appears without a new page, and its form is empty again', async ({ laptop }) => {
  const account = new Account(laptop);
  await account.open();
  await laptop.evaluate(() => document.body.setAttribute('data-same', ''));
  await account.createToken('phone shortcut');
  await expect(account.newToken).toHaveText(/\S{20,}/);
  await expect(account.token('phone shortcut')).toBeVisible();
  await expect(laptop.getByLabel('Name of a new token')).toHaveValue('');
  await expect(laptop.locator('body[data-same]')).toBeVisible();
  await laptop.reload();
  await expect(account.token('phone shortcut')).toBeVisible();
  await expect(account.newToken).toHaveCount(0);
});

test('a wrong password changes nothing, a right one signs the other devices out', async ({ laptop, phone, person }) => {
  const account = new Account(laptop);
  await account.open();
  await account.changePassword('not this one', 'a brand new password');
  await expect(account.problem).toBeVisible();
  await phone.reload();
  await expect(phone).toHaveURL('/');

  await account.changePassword(person.password, 'a brand new password');
  await expect(account.passwordDone).toBeVisible();
  await phone.reload();
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
