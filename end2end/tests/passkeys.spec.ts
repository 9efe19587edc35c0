// Passkeys, with a virtual device in Chromium: made on the account page, used on the sign-in page.

import { join } from 'node:path';
import type { BrowserContextOptions } from '@playwright/test';
import { expect, Hub, Person, test as base } from '../fixtures.ts';
import { Account } from '../pages/account.ts';
import { Device, Passkeys } from '../pages/passkeys.ts';
import { SecondFactor } from '../pages/second-factor.ts';
import { SignIn } from '../pages/sign-in.ts';

// Browsers make passkeys only for names, so this hub has one.
const test = base.extend<object, { named: Hub }>({
  named: [
    async ({}, use, worker) => {
      const log = join(worker.project.outputDir, `hub-named-${worker.workerIndex}.log`);
      const named = await Hub.start(log, { name: 'localhost' });
      await Person.join(named);
      await use(named);
      await named.end();
    },
    { scope: 'worker' },
  ],
});

const SIZES: Record<string, BrowserContextOptions> = {
  'a laptop': { viewport: { width: 1440, height: 900 } },
  'a phone': { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

for (const [size, options] of Object.entries(SIZES)) {
  test(`on ${size}, a passkey is made, signs in past password and code, and is removed`, async ({ browser, named }) => {
    const person = await Person.join(named);
    const context = await browser.newContext({ ...options, baseURL: named.url });
    const page = await person.signIn(context);
    const device = await Device.of(page);
    await device.touched(true);
    await new SecondFactor(page).setUp(person.password);
    const account = new Account(page);
    await account.open();
    const passkeys = new Passkeys(page);
    await passkeys.make('My phone', 'not this one');
    await expect(passkeys.problem).toContainText('password is wrong');
    await passkeys.make('My phone', person.password);
    await expect(passkeys.kept).toContainText('The passkey is kept');
    await expect(passkeys.kept).toBeInViewport();
    await expect(passkeys.passkey('My phone')).toContainText('Never');
    // The same device makes no second one.
    await passkeys.make('Again', person.password);
    await expect(passkeys.problem).toContainText('has a passkey of yours');

    await device.touched(false);
    await account.signOut();
    await page.waitForURL('/sign-in');
    const form = new SignIn(page);
    await expect(form.passkey).toBeVisible();
    await expect(form.name).toHaveAttribute('autocomplete', 'username webauthn');
    await device.touched(true);
    await form.passkey.click();
    await page.waitForURL('/');
    await account.open();
    await expect(passkeys.passkey('My phone')).not.toContainText('Never');
    await passkeys.remove('My phone');
    await expect(passkeys.passkey('My phone')).toHaveCount(0);

    await device.touched(false);
    await account.signOut();
    await page.waitForURL('/sign-in');
    await device.touched(true);
    // The hub has none any more, so the page offers none.
    await expect(form.passkey).toBeHidden();
    await context.close();
  });
}

test('a browser that lists passkeys offers them in the name field, and a copy is found out', async ({ browser, named }) => {
  const person = await Person.join(named);
  const context = await browser.newContext({ baseURL: named.url });
  const page = await person.signIn(context);
  const device = await Device.of(page);
  await device.touched(true);
  const account = new Account(page);
  const passkeys = new Passkeys(page);
  await account.open();
  await passkeys.make('Key', person.password);
  await expect(passkeys.kept).toBeVisible();
  const [before] = await device.credentials();
  // The device has a finger on it and one passkey: the browser's list answers by itself.
  await account.signOut();
  await page.waitForURL('/');

  await device.touched(false);
  await account.open();
  await account.signOut();
  await page.waitForURL('/sign-in');
  // Nothing asks the device before the copy is in it: an answer that nobody waits for would raise its counter.
  await page.goto('/healthz');
  await device.empty();
  await device.put(before);
  await device.touched(true);
  const form = new SignIn(page);
  await form.open();
  await expect(form.passkeyProblem).toContainText('there may be a copy');
  await device.touched(false);
  await form.signIn(person);
  await page.waitForURL('/');
  await context.close();
});

test('a device that does not check who uses it makes none, and another address says where they work', async ({ browser, named }) => {
  const person = await Person.join(named);
  const context = await browser.newContext({ baseURL: named.url });
  const page = await person.signIn(context);
  const device = await Device.of(page);
  await device.touched(true);
  await device.knows(false);
  const account = new Account(page);
  const passkeys = new Passkeys(page);
  await account.open();
  await passkeys.make('Key', person.password);
  await expect(passkeys.problem).toContainText('Nothing was chosen');
  await context.close();

  const numbered = named.url.replace('localhost', '127.0.0.1');
  const other = await browser.newContext({ baseURL: numbered });
  if (named.hasOneName) {
    expect((await other.request.get('/sign-in')).status()).toBe(421);
  } else {
    const tab = await person.signIn(other);
    await new Account(tab).open();
    await expect(new Passkeys(tab).section).toContainText(`Passkeys work under ${named.url} only`);
  }
  await other.close();
});
