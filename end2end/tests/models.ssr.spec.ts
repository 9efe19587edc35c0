// What is known of models, with JavaScript switched off.

import { expect, test } from '../fixtures.ts';
import { SignIn } from '../pages/sign-in.ts';

test('everybody looks a model up, and an administrator enters what is not known', async ({ laptop, browser, hub, person }) => {
  await laptop.goto('/models');
  await laptop.getByRole('region', { name: 'What is known' }).getByLabel('Model').fill('llama-of-my-own');
  await laptop.getByRole('button', { name: 'Look up' }).click();
  await expect(laptop.getByRole('row', { name: /llama-of-my-own/ })).toContainText('Unknown');

  await hub.cli(['user', 'add', `${person.name}-admin`, '--admin', '--password-stdin'], person.password);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const signIn = new SignIn(page);
  await signIn.open();
  await signIn.signIn({ name: `${person.name}-admin`, password: person.password });
  await page.waitForURL('/');
  await page.goto('/models');
  const form = page.locator('form').filter({ has: page.getByRole('button', { name: 'Enter' }) });
  await form.getByLabel('Model').fill('llama-of-my-own');
  await form.getByLabel('Context').fill('65536');
  await form.getByLabel('Price of a million tokens in').fill('0.25');
  await form.getByLabel('Price of a million tokens out').fill('2');
  await form.getByRole('button', { name: 'Enter' }).click();
  const row = page.getByRole('row', { name: /llama-of-my-own/ });
  await expect(row).toContainText('65');
  await expect(row).toContainText('$0.25 a million');

  await laptop.reload();
  await expect(laptop.getByRole('row', { name: /llama-of-my-own/ }).first()).toContainText('$2.00 a million');
  await page.getByRole('button', { name: 'Delete what was entered of llama-of-my-own' }).click();
  await expect(page.getByText('Nothing yet.')).toBeVisible();
  await context.close();
});
