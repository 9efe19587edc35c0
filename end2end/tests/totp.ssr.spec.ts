// The second factor, with JavaScript switched off.

import { expect, test } from '../fixtures.ts';
import { Account } from '../pages/account.ts';
import { Admin, AuditPage } from '../pages/admin.ts';
import { CodeStep } from '../pages/code-step.ts';
import { SecondFactor } from '../pages/second-factor.ts';
import { SignIn } from '../pages/sign-in.ts';

test('with a second factor the password alone opens nothing, and a code counts once', async ({ laptop, page, browser, person, hub }) => {
  const account = new Account(laptop);
  await account.open();
  await expect(account.secondFactor).toContainText('Off.');
  const factor = new SecondFactor(laptop);
  await factor.open();
  await factor.start('not this one');
  await expect(factor.problem).toContainText('password is wrong');
  await factor.start(person.password);
  await expect(factor.picture).toBeVisible();
  const app = await factor.scan();
  await factor.confirm('000000');
  await expect(factor.problem).toContainText('not the code');
  // What the app was given is still the same after a mistake.
  expect((await factor.key.textContent())!.length).toBeGreaterThan(30);
  await factor.confirm(app.next());
  await expect(factor.state).toContainText('10 recovery codes are left');
  expect(new Set(await factor.recoveryCodes()).size).toBe(10);
  await laptop.reload();
  await expect(factor.codes).toHaveCount(0);

  const form = new SignIn(page);
  await form.open();
  await form.signIn(person);
  await expect(page).toHaveURL('/sign-in/code');
  await page.goto('/');
  await expect(page).toHaveURL('/sign-in');
  await page.goto('/sign-in/code');
  const step = new CodeStep(page);
  await expect(step.code).toHaveAttribute('autocomplete', 'one-time-code');
  await expect(step.code).toHaveAttribute('inputmode', 'numeric');
  await step.enter('000000');
  await expect(step.problem).toContainText('code is wrong');
  const code = app.next();
  // By keyboard alone.
  await step.code.focus();
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/');

  const other = await browser.newContext({ baseURL: hub.url });
  const tab = await other.newPage();
  const again = new SignIn(tab);
  await again.open();
  await again.signIn(person);
  await new CodeStep(tab).enter(code);
  await expect(new CodeStep(tab).problem).toContainText('used already');
  await other.close();

  // What was open before stayed open.
  await account.open();
  await expect(account.secondFactor).toContainText('On since');
});

test('a recovery code signs in once, and new ones and turning it off take password and code', async ({ phone, page, person }) => {
  const factor = new SecondFactor(phone);
  const { codes } = await factor.setUp(person.password);
  const form = new SignIn(page);
  const step = new CodeStep(page);
  for (const [code, url] of [[codes[0], '/'], [codes[0], '/sign-in/code?with=recovery']] as const) {
    await page.context().clearCookies();
    await form.open();
    await form.signIn(person);
    await step.withRecoveryCode(code.toUpperCase());
    await expect(page).toHaveURL((found) => (found.pathname + found.search).startsWith(url));
  }
  await expect(step.problem).toContainText('used already');

  await factor.open();
  await expect(factor.state).toContainText('9 recovery codes are left');
  await factor.renew(person.password, codes[0]);
  await expect(factor.problem).toContainText('used already');
  await factor.renew(person.password, codes[1]);
  const renewed = await factor.recoveryCodes();
  expect(renewed).not.toContain(codes[2]);
  await factor.stop('not this one', renewed[0]);
  await expect(factor.problem).toContainText('password is wrong');
  await factor.stop(person.password, renewed[0]);
  await expect(factor.off).toBeVisible();
  await page.context().clearCookies();
  await form.open();
  await form.signIn(person);
  await expect(page).toHaveURL('/');
});

test('who lost it gets in again by an administrator, and by who owns the machine', async ({ admin, laptop, page, person, hub }) => {
  const factor = new SecondFactor(laptop);
  await factor.setUp(person.password);
  const people = new Admin(admin);
  const one = await people.openPerson(person.name);
  await one.dropSecondFactor();
  await expect(one.factorDropped).toBeVisible();
  const form = new SignIn(page);
  await form.open();
  await form.signIn(person);
  await expect(page).toHaveURL('/');
  const audit = new AuditPage(laptop, '/account/audit');
  await audit.open();
  await expect(audit.lines.filter({ hasText: 'Second factor turned off' }).first()).toBeVisible();

  await factor.setUp(person.password);
  const said = await hub.cli(['account', 'drop-second-factor', person.name]);
  expect(said).toContain('with the password alone');
  const link = (await hub.cli(['account', 'reset-password', person.name])).trim();
  expect(link).toContain(`${hub.url}/reset/`);
  await page.context().clearCookies();
  await page.goto(link);
  await page.getByLabel('New password').fill('a brand new password');
  await page.getByRole('button', { name: 'Save the password' }).click();
  await form.signIn({ name: person.name, password: 'a brand new password' });
  await expect(page).toHaveURL('/');
});
