// The interface in another language, and as its person wants to see it.

import { createAgent, expect, test } from '../fixtures.ts';
import { Account } from '../pages/account.ts';
import { hydrated } from '../pages/page.ts';
import { SignIn } from '../pages/sign-in.ts';

test('what a person chooses is spoken on all their devices, also once scripts run and where something is refused', async ({ laptop, phone }) => {
  const account = new Account(laptop);
  await account.open();
  await account.choose({ Language: 'Deutsch' });
  await expect(laptop.locator('html')).toHaveAttribute('lang', 'de');
  await expect(laptop.getByRole('status').filter({ hasText: 'So sieht es von jetzt an aus.' })).toBeVisible();

  // The phone hears of it with its next document; what scripts draw there is German as well.
  await phone.goto('/account');
  await expect(phone.locator('html[data-hydrated]')).toHaveAttribute('lang', 'de');
  const password = phone.getByRole('region', { name: 'Passwort' });
  await password.getByLabel('Jetziges Passwort').fill('not this one');
  await password.getByLabel('Neues Passwort').fill('another long password');
  await password.getByRole('button', { name: 'Passwort ändern' }).click();
  await expect(phone.getByRole('alert')).toContainText('Das aktuelle Passwort ist falsch.');
  await phone.goto('/providers');
  await phone.locator('html[data-hydrated]').waitFor();
  await phone.goto('/');
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Was soll hier leben?');

  await laptop.getByLabel('Sprache').selectOption('English');
  await laptop.getByRole('button', { name: 'Speichern' }).first().click();
  await expect(laptop.getByRole('region', { name: 'Appearance' }).getByRole('status')).toBeVisible();
});

test('who is not signed in is spoken to in the language of their browser', async ({ browser, hub }) => {
  const context = await browser.newContext({ baseURL: hub.url, locale: 'de-AT' });
  const page = await context.newPage();
  await new SignIn(page).open();
  await expect(page.getByRole('button', { name: 'Anmelden' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await context.close();
});

test('a point in time is told in the language and the zone of its reader', async ({ browser, person, hub }) => {
  const context = await browser.newContext({ baseURL: hub.url, timezoneId: 'Asia/Tokyo' });
  const page = await person.enter(context, hub);
  const account = new Account(page);
  await account.open();
  await hydrated(page);
  const seen = page.locator('time').first();
  await expect(seen).toHaveAttribute('title', /^\d+ [A-Z][a-z]+ \d{4}, \d\d:\d\d GMT\+9$/);
  await account.choose({ Language: 'Deutsch' });
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await hydrated(page);
  await expect(seen).toHaveAttribute('title', /^\d+\. \S+ \d{4}, \d\d:\d\d GMT\+9$/);
  await context.close();
});

test('colours, contrast and size of text are kept for one device', async ({ laptop, phone }) => {
  const account = new Account(laptop);
  await account.open();
  await account.choose({ Colours: 'Dark', Contrast: 'More', 'Size of text': 'Largest' });
  await expect(laptop.locator('body')).toHaveCSS('color-scheme', 'dark');
  await laptop.goto('/');
  const root = laptop.locator('html');
  await expect(root).toHaveCSS('font-size', '21px');
  await expect(root).toHaveCSS('color-scheme', 'dark');
  await expect(root).toHaveAttribute('data-contrast', 'more');

  await phone.goto('/');
  await expect(phone.locator('html')).toHaveCSS('color-scheme', 'light dark');
});

test('with the largest text an agent fits beside its page on a narrow screen', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const account = new Account(laptop);
  await account.open();
  await account.choose({ 'Size of text': 'Largest' });
  for (const width of [720, 780, 840]) {
    await laptop.setViewportSize({ width, height: 900 });
    await laptop.goto(`/agents/${agent}`);
    await hydrated(laptop);
    const inside = laptop.locator('.agent > section');
    for (const one of await inside.all()) {
      const box = await one.boundingBox();
      if (box) expect(box.x + box.width, `${width}`).toBeLessThanOrEqual(width + 0.5);
    }
  }
});
