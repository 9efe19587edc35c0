// Signing in, accounts and what keeps them, in the states a person meets them in: they break no accessibility rule. See
// axe.spec.ts.

import { join } from 'node:path';
import { expect, Hub, look, Person, test } from '../fixtures.ts';
import { Account } from '../pages/account.ts';
import { Admin, AuditPage } from '../pages/admin.ts';
import { CodeStep } from '../pages/code-step.ts';
import { Device, Passkeys } from '../pages/passkeys.ts';
import { SecondFactor } from '../pages/second-factor.ts';
import { SignIn } from '../pages/sign-in.ts';

test('before sign-in', async ({ browser }, info) => {
  const hub = await Hub.start(join(info.project.outputDir, 'hub-entry.log'));
  const context = await browser.newContext({ baseURL: hub.url });
  const page = await context.newPage();
  await page.goto(await hub.setupLink());
  await look(page, 'setup');

  const form = new SignIn(page);
  await form.open();
  await form.signIn({ name: 'Nobody', password: 'not this one' });
  await expect(form.problem).toBeVisible();
  await look(page, 'sign-in');

  await hub.cli(['user', 'add', 'Rosalind', '--password-stdin'], 'a long enough password');
  await page.goto('/sign-up');
  await look(page, 'sign-up-closed');
  await page.goto('/sign-up?invite=x');
  await look(page, 'sign-up');
  await page.goto('/reset/x');
  await look(page, 'reset-over');
  await page.goto('/unsubscribe/x/x');
  await look(page, 'unsubscribe');
  await context.close();
  await hub.end();
});

test('the account of an administrator, and what they run', async ({ admin: page, person }) => {
  const account = new Account(page);
  await account.open();
  await account.createToken('backup script');
  await expect(account.newToken).toBeVisible();
  await account.token('backup script').getByText('Change').click();
  await look(page, 'account');
  const people = new Admin(page);
  await people.open();
  await people.invite();
  await expect(people.invitation).toBeVisible();
  await look(page, 'admin');
  const one = await people.openPerson(person.name);
  await one.resetPassword();
  await look(page, 'person');
  const audit = new AuditPage(page, '/admin/audit');
  await audit.open();
  await look(page, 'audit');
  await page.goto('/admin/calls');
  await expect(page.getByRole('heading', { name: 'What was called' })).toBeVisible();
  await look(page, 'admin-calls');
  await page.goto('/admin/status');
  await expect(page.getByRole('row', { name: /^Schema \d{4}$/ })).toBeVisible();
  await look(page, 'admin-status');
  await page.goto('/models?model=claude-sonnet-4-5');
  await expect(page.getByRole('heading', { name: 'Entered here' })).toBeVisible();
  await look(page, 'models');
});

test('a second factor, from nothing to the code at sign-in', async ({ laptop, browser, hub, person }) => {
  const factor = new SecondFactor(laptop);
  await factor.open();
  await look(laptop, 'factor-off');
  await factor.start(person.password);
  await expect(factor.picture).toBeVisible();
  await look(laptop, 'factor-scan');
  await factor.confirm((await factor.scan()).next());
  await expect(factor.codes).toBeVisible();
  await look(laptop, 'factor-on');
  await new Account(laptop).open();
  await look(laptop, 'account-factor');
  const context = await browser.newContext({ baseURL: hub.url });
  const page = await context.newPage();
  const form = new SignIn(page);
  await form.open();
  await form.signIn(person);
  await page.waitForURL('/sign-in/code');
  await new CodeStep(page).enter('000000');
  await expect(new CodeStep(page).problem).toBeVisible();
  await look(page, 'code');
  await page.getByRole('link', { name: 'Use a recovery code instead' }).click();
  await page.waitForURL(/with=recovery/);
  await look(page, 'code-recovery');
  await context.clearCookies();
  await page.goto('/sign-in/code');
  await look(page, 'code-over');
  await context.close();
});

test('passkeys, where they work and where they do not', async ({ browser }, info) => {
  const hub = await Hub.start(join(info.project.outputDir, 'hub-passkeys.log'), { name: 'localhost' });
  const person = await Person.join(hub);
  const context = await browser.newContext({ baseURL: hub.url });
  const page = await person.signIn(context);
  const device = await Device.of(page);
  await device.touched(true);
  const [account, passkeys] = [new Account(page), new Passkeys(page)];
  await account.open();
  await passkeys.make('Phone', person.password);
  await expect(passkeys.kept).toBeVisible();
  await passkeys.make('Phone', person.password);
  await expect(passkeys.problem).toBeVisible();
  await look(page, 'passkeys');
  await device.touched(false);
  await account.signOut();
  const form = new SignIn(page);
  await expect(form.passkey).toBeVisible();
  await look(page, 'sign-in-passkey');
  const elsewhere = hub.url.replace('localhost', '127.0.0.1');
  const there = await page.goto(`${elsewhere}/sign-in`);
  if (hub.hasOneName) {
    expect(there!.status()).toBe(421);
  } else {
    await expect(page.getByText('Passkeys work under')).toBeVisible();
    await look(page, 'sign-in-elsewhere');
    await form.signIn(person);
    await page.waitForURL((url) => url.pathname === '/');
    await page.goto(`${elsewhere}/account`);
    await expect(passkeys.section).toContainText('only');
    await look(page, 'passkeys-elsewhere');
  }
  await context.close();
  await hub.end();
});
