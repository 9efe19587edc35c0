// Coming in and going out, with JavaScript switched off.

import { join } from 'node:path';
import { expect, Hub, test } from '../fixtures.ts';
import { Account } from '../pages/account.ts';
import { Admin } from '../pages/admin.ts';
import { Dashboard } from '../pages/dashboard.ts';
import { SignIn } from '../pages/sign-in.ts';

const admin = { name: 'Rosalind', password: 'a long enough password' };

test('the set-up link makes one administrator, who invites one person', async ({ browser }, info) => {
  const hub = await Hub.start(join(info.project.outputDir, 'hub-set-up.log'));
  const context = await browser.newContext({ baseURL: hub.url });
  const page = await context.newPage();
  const entry = new SignIn(page);

  await entry.open();
  await expect(page.getByText('Nobody has an account yet.')).toBeVisible();
  const link = await hub.setupLink();
  await entry.makeAccount(link, { ...admin, password: 'short' });
  await expect(entry.password).toHaveJSProperty('validity.tooShort', true);
  await entry.makeAccount(link, admin);
  await expect(new Dashboard(page).invitation).toBeVisible();

  const people = new Admin(page);
  await people.open();
  await people.invite();
  const invitation = (await people.invitation.textContent())!;
  await page.reload();
  await expect(people.invitation).toHaveCount(0);

  const other = await browser.newContext({ baseURL: hub.url });
  const guest = await other.newPage();
  await guest.goto(link);
  await expect(guest.getByRole('heading', { name: 'This hub is set up' })).toBeVisible();
  await guest.goto('/sign-up');
  await expect(guest.getByRole('heading', { name: 'You need an invitation' })).toBeVisible();

  await new SignIn(guest).makeAccount(invitation, { name: 'Barbara', password: 'another long password' });
  await expect(new Dashboard(guest).invitation).toBeVisible();
  await guest.goto('/admin');
  await expect(guest.getByRole('alert')).toContainText('Only an administrator');

  const third = await browser.newContext({ baseURL: hub.url });
  const late = await third.newPage();
  await new SignIn(late).makeAccount(invitation, { name: 'Nettie', password: 'yet another password' });
  await expect(new SignIn(late).problem).toBeVisible();
  await expect(late).not.toHaveURL(hub.url + '/');

  for (const each of [context, other, third]) await each.close();
  await hub.end();
});

test('a person signs in with the right password only, and out again', async ({ page, person }) => {
  const form = new SignIn(page);
  await form.open();
  await expect(page.getByText('Vivarium', { exact: true })).toBeVisible();
  await form.signIn({ ...person, password: 'not this one' });
  await expect(form.problem).toBeVisible();
  await expect(form.name).toHaveValue(person.name);

  await form.signIn(person);
  await expect(page).toHaveURL('/');
  await page.goto('/sign-in');
  await expect(page).toHaveURL('/');

  const account = new Account(page);
  await account.open();
  await account.signOut();
  await expect(page).toHaveURL('/sign-in');
  await page.goto('/account');
  await expect(page).toHaveURL('/sign-in');
});

test('whoever has to sign in comes to the page that they wanted, and to none elsewhere', async ({ page, person }) => {
  const entry = new SignIn(page);
  const wanted = '/search?q=moss%20%26%20fern';
  await page.goto(wanted);
  await expect(page).toHaveURL('/sign-in');
  await entry.signIn(person);
  await expect(page).toHaveURL(wanted);
  await page.goto('/');
  await expect(page).toHaveURL('/');

  for (const elsewhere of ['//example.org', '/\\example.org', 'https://example.org']) {
    await page.context().clearCookies();
    await page.goto(wanted);
    const kept = (await page.context().cookies()).find(({ name }) => name.endsWith('-on-the-way'))!;
    await page.context().addCookies([{ ...kept, value: Buffer.from(elsewhere).toString('base64url') }]);
    await entry.signIn(person);
    await expect(page).toHaveURL('/');
  }
});
