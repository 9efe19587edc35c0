// Every page that is nobody's but the person's own is two taps away, on the phone as well.

import { axe, createAgent, expect, screens, test } from '../fixtures.ts';
import { Schedules } from '../pages/schedules.ts';
import type { Page } from '@playwright/test';

const IN_THE_BAR = [
  ['Agents', 'Agents'],
  ['Providers', 'Providers'],
  ['Usage', 'Usage'],
  ['Account', 'Account'],
];
const UNDER_MORE = [
  ['Schedules', 'Schedules'],
  ['Gallery', 'Gallery'],
  ['Models', 'Models'],
  ['Audit', 'Audit'],
  ['Calls of tools', 'Calls'],
];
const OF_ADMINISTRATORS = [
  ['Groups', 'Groups'],
  ['Audit of everybody', 'Audit'],
  ['Calls of everybody', 'Calls'],
];

async function reach(page: Page, name: string, title: string, more: boolean): Promise<void> {
  const bar = page.getByRole('navigation', { name: 'Main' });
  if (more) await bar.getByLabel('More').click();
  await bar.getByRole('link', { name, exact: true }).click();
  await expect(page).toHaveTitle(new RegExp(title));
  await expect(bar.getByRole('link', { name: 'Schedules', exact: true })).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
}

test('a person reaches each page of theirs in two taps on the phone', async ({ phone }) => {
  await phone.goto('/');
  for (const [name, title] of IN_THE_BAR) await reach(phone, name, title, false);
  for (const [name, title] of UNDER_MORE) await reach(phone, name, title, true);
});

test('an administrator does too, and the bar keeps to the width of the phone', async ({ admin }) => {
  await admin.setViewportSize({ width: 390, height: 844 });
  await admin.goto('/');
  await reach(admin, 'Admin', 'Admin', false);
  for (const [name, title] of [...UNDER_MORE, ...OF_ADMINISTRATORS]) await reach(admin, name, title, true);
  await admin.getByLabel('More').click();
  await axe(admin);
  if (process.env.PICTURES) await screens(admin, 'more');
});

test('what happens by itself is on one page', async ({ laptop, phone, endpoint }) => {
  await phone.goto('/schedules');
  await expect(phone.getByText('Nothing yet.')).toBeVisible();
  const id = await createAgent(laptop, endpoint, 'Ada');
  const schedules = new Schedules(laptop);
  await schedules.open(id);
  await schedules.add('Morning', 'Say what the day brings.', 'Every day', '08:00');
  await expect(schedules.row('Morning')).toBeVisible();
  await phone.reload();
  await expect(phone.getByRole('region', { name: 'Ada' })).toContainText(/Morning.*Every day at 08:00/);
  await axe(phone);
  if (process.env.PICTURES) await screens(phone, 'schedules-all');
  await phone.getByRole('link', { name: 'Morning' }).click();
  await expect(phone).toHaveURL(new RegExp(`/agents/${id}/schedules/`));
});
