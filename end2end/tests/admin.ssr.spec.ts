// What administrators do, with JavaScript switched off.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, Hub, Person, screens, test } from '../fixtures.ts';
import { Account } from '../pages/account.ts';
import { Admin, AuditPage } from '../pages/admin.ts';
import { SignIn } from '../pages/sign-in.ts';

test('an administrator changes a role, shuts a person out and lets them in, and the audit has it all', async ({
  admin,
  laptop,
  person,
}) => {
  const people = new Admin(admin);
  await people.find(person.name);
  await expect(people.person(person.name)).toContainText('Member');
  const page = await people.openPerson(person.name);
  await page.setRole(/^Guest/);
  await expect(page.roleSet).toHaveText('The role is set.');
  const account = new Account(laptop);
  await account.open();
  await expect(laptop.getByRole('heading', { name: 'Devices', exact: true })).toBeVisible();
  await expect(laptop.getByRole('heading', { name: 'API tokens' })).toHaveCount(0);
  await expect(laptop.getByRole('link', { name: 'Admin' })).toHaveCount(0);
  await laptop.goto('/admin');
  await expect(laptop.getByRole('alert')).toContainText('Only an administrator');

  await page.disable();
  await expect(page.enable).toBeVisible();
  await laptop.goto('/account');
  await expect(laptop).toHaveURL('/sign-in');
  const signIn = new SignIn(laptop);
  await signIn.signIn(person);
  await expect(signIn.problem).toContainText('disabled');
  await page.enable.click();
  await signIn.open();
  await signIn.signIn(person);
  await expect(laptop).toHaveURL('/account');

  const audit = new AuditPage(admin, '/admin/audit');
  await audit.open();
  await expect(audit.state).toContainText('whole since');
  await audit.search(person.name, 'Account disabled');
  await expect(audit.lines).toHaveCount(2);
  await expect(audit.lines.last()).toContainText(`for ${person.name}`);
  await expect(audit.lines.last()).toContainText('127.0.0.1');
  const own = new AuditPage(laptop, '/account/audit');
  await own.open();
  await expect(own.lines.filter({ hasText: 'Role set: guest' })).toHaveCount(1);
  await expect(own.lines.filter({ hasText: 'Role set: guest' })).not.toContainText('127.0.0.1');
  await own.search('', 'Signed in');
  await expect(own.lines.filter({ hasText: 'Refused' })).toHaveCount(1);
});

test('who forgot the password gets a link from an administrator, which works once', async ({ admin, laptop, person }) => {
  const people = new Admin(admin);
  const page = await people.openPerson(person.name);
  const link = await page.resetPassword();
  await laptop.context().clearCookies();
  await laptop.goto(link);
  await laptop.getByLabel('New password').fill('a brand new password');
  await laptop.getByRole('button', { name: 'Save the password' }).click();
  await expect(laptop.getByText('Your new password is saved.')).toBeVisible();
  const signIn = new SignIn(laptop);
  await signIn.signIn(person);
  await expect(signIn.problem).toBeVisible();
  await signIn.signIn({ name: person.name, password: 'a brand new password' });
  await expect(laptop).toHaveURL('/');
  await laptop.context().clearCookies();
  await laptop.goto(link);
  await expect(laptop.getByRole('heading', { name: 'This link is over' })).toBeVisible();
});

test('an account is removed by who types its name', async ({ admin, laptop, person }) => {
  const people = new Admin(admin);
  const page = await people.openPerson(person.name);
  await page.remove('somebody');
  await expect(page.problem).toContainText('as it is shown');
  await page.remove(person.name);
  await expect(admin.getByText('The account is removed.')).toBeVisible();
  await expect(people.person(person.name)).toHaveCount(0);
  await laptop.goto('/account');
  await expect(laptop).toHaveURL('/sign-in');
});

test('who deletes their own account with their password is gone, and is told so', async ({ laptop, person }) => {
  const account = new Account(laptop);
  await account.open();
  await account.erase('not this one');
  await expect(account.problem).toContainText('password is wrong');
  await account.erase(person.password);
  await expect(laptop).toHaveURL('/sign-in?done=erased');
  await expect(laptop.getByText('Your account is deleted')).toBeVisible();
  const signIn = new SignIn(laptop);
  await signIn.signIn(person);
  await expect(signIn.problem).toBeVisible();
});

test('an administrator has the hub log more for a while, and what is usual again', async ({ admin }) => {
  await admin.goto('/admin/status');
  const log = admin.getByRole('region', { name: 'Log' });
  await expect(log).toContainText('What is usual');
  await log.getByLabel('What to log').fill('hyper=trace');
  await log.getByRole('button', { name: 'Log this' }).click();
  await expect(admin.getByText('hyper can be logged with info at most')).toBeVisible();
  await admin.goto('/admin/status');
  await log.getByLabel('What to log').fill('hub::models=debug,warn');
  await log.getByLabel('For how long').selectOption('an hour');
  await log.getByRole('button', { name: 'Log this' }).click();
  await expect(log).toContainText('hub::models=debug,warn');
  await expect(log).toContainText('Until');
  await screens(admin, 'status-log');
  await log.getByRole('button', { name: 'Log what is usual now' }).click();
  await expect(log).toContainText('What is usual');
  await expect(log).not.toContainText('hub::models=debug,warn');
});

test('an administrator has a backup made now, and the status says how it went', async ({ browser }, info) => {
  const folder = info.outputPath('backups');
  const hub = await Hub.start(join(info.project.outputDir, 'hub-backups.log'), { settings: { VIVARIUM_BACKUP_DIR: folder } });
  const context = await browser.newContext({ baseURL: hub.url, javaScriptEnabled: false, viewport: { width: 1440, height: 900 } });
  const admin = await (await Person.join(hub, '--admin')).signIn(context);
  // The first one comes by itself.
  const made = async (): Promise<number> => (await readdir(folder)).filter((name) => name.endsWith('.backup')).length;
  const isDone = async (): Promise<boolean> => {
    const { backups } = (await (await admin.request.get('/api/hub/status')).json()) as { backups: Record<string, unknown> };
    return Boolean(backups.newest_at) && !backups.under_way_since;
  };
  await expect.poll(isDone).toBe(true);
  expect(await made()).toBe(1);
  await admin.goto('/admin/status');
  const backups = admin.getByRole('region', { name: 'Backups' });
  await backups.getByRole('button', { name: 'Back up now' }).click();
  await expect(backups.getByText('The backup was made.')).toBeVisible();
  await expect(backups).toContainText('Well');
  expect(await made()).toBe(2);
  await admin.goto('/admin/audit');
  await expect(admin.getByRole('main')).toContainText('Backup begun');
  await context.close();
  await hub.end();
});
