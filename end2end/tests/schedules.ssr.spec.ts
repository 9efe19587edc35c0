// Schedules without JavaScript: every form can be sent.

import { createAgent, expect, test } from '../fixtures.ts';
import { Schedules } from '../pages/schedules.ts';

test('a schedule can be made, paused, changed and deleted', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const schedules = new Schedules(laptop);
  await schedules.open(id);
  await schedules.add('Morning', 'Say <b>what</b> the day brings.', 'Every Monday', '08:00');
  await expect(schedules.row('Morning')).toContainText('Every Monday at 08:00 (UTC)');
  await expect(schedules.row('Morning')).toContainText('Say <b>what</b> the day brings.');
  await schedules.press('Pause', 'Morning');
  await expect(schedules.row('Morning')).toContainText('Paused');
  const one = await schedules.edit('Morning');
  await one.limits.set('One day', '2');
  await expect(one.limits.field('One day')).toHaveValue('2');
  await one.what.getByLabel('Time', { exact: true }).fill('09:15');
  await one.save();
  await expect(schedules.row('Morning')).toContainText('Every Monday at 09:15 (UTC)');
  await expect(schedules.row('Morning')).toContainText('at most $2.00 a day');
  await (await schedules.edit('Morning')).delete();
  await expect(schedules.none).toBeVisible();
});

test('what makes no sense is said, and the words are still there', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const schedules = new Schedules(laptop);
  await schedules.open(id);
  await schedules.form.getByLabel('By a cron expression').check();
  await schedules.form.getByLabel('Name').fill('Never');
  await schedules.form.getByLabel('What it is told').fill('Anything.');
  await schedules.form.getByLabel(/^Minute, hour/).fill('0 0 30 2 *');
  await schedules.form.getByRole('button', { name: 'Add schedule' }).click();
  await expect(laptop.getByRole('alert')).toContainText('That time has passed, or never comes.');
});

test('a schedule gets an address and a secret, takes what is delivered, and says what came of it', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const schedules = new Schedules(laptop);
  await schedules.open(id);
  await schedules.form.getByLabel('Name').fill('Orders');
  await schedules.form.getByLabel('What it is told').fill('An order came.');
  await schedules.form.getByLabel('When something is delivered to its address').check();
  await expect(schedules.form.getByLabel('Time zone')).toBeHidden();
  await schedules.form.getByRole('button', { name: 'Add schedule' }).click();
  await expect(schedules.row('Orders')).toContainText('When something comes');
  const one = await schedules.edit('Orders');
  await one.webhook.getByRole('button', { name: 'Make a secret' }).click();
  const values = one.webhook.locator('.secret-value');
  await expect(values).toHaveCount(2);
  const [address = '', secret = ''] = await values.allTextContents();
  const headers = { 'X-Webhook-Secret': secret };
  expect((await laptop.request.post(address, { headers, data: 'Two ferns.' })).status()).toBe(202);
  await expect(async () => {
    await laptop.reload();
    await expect(one.history.getByRole('row')).toContainText(['Due', /Delivered.*done.*\$0/], { timeout: 500 });
  }).toPass();
  await expect(one.webhook).not.toContainText(secret);
  await expect(one.preview).toContainText("your person's schedule is due: Orders");
});

test('a mailbox is entered and kept without its password being entered again', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const schedules = new Schedules(laptop);
  await schedules.open(id);
  await schedules.mailbox('Post', '127.0.0.1:9', 'word-canary');
  await schedules.form.getByRole('button', { name: 'Add schedule' }).click();
  const one = await schedules.edit('Post');
  await one.what.getByLabel('Folder').fill('Agents');
  await one.save();
  await expect(schedules.row('Post')).toContainText('127.0.0.1:9 (Agents)');
});
