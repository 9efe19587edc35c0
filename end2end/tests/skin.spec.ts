// An agent's page: drawn on one device, there on the other, and heard from both.

import type { Page } from '@playwright/test';
import { expect, createAgent, test, type Endpoint } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';

async function openBoth(laptop: Page, phone: Page, endpoint: Endpoint): Promise<[AgentPage, AgentPage]> {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const pages: [AgentPage, AgentPage] = [new AgentPage(laptop), new AgentPage(phone)];
  for (const page of pages) await page.open(agent);
  return pages;
}

test('what is drawn on the laptop is there on the phone, and a press there reaches both', async ({ laptop, phone, endpoint }) => {
  const pages = await openBoth(laptop, phone, endpoint);
  const [onLaptop, onPhone] = pages;
  await onLaptop.play('draw');
  await expect(onLaptop.skin('Ada').getByRole('heading', { name: 'A small garden' })).toBeVisible();
  await expect(onLaptop.messages.last()).toHaveText('The page is drawn. Press Go.');

  await onPhone.show('Page');
  await expect(onPhone.skin('Ada').getByRole('heading', { name: 'A small garden' })).toBeVisible();
  await onPhone.skin('Ada').getByRole('button', { name: 'Go' }).click();
  for (const page of pages) await expect(page.skin('Ada').locator('#count')).toHaveText('Pressed.');
  await onPhone.show('Conversation');
  for (const page of pages) await expect(page.messages.last()).toContainText(/The page told me:.*page event/s);
});

test('the page is there again after a reload', async ({ laptop, phone, endpoint }) => {
  const [onLaptop] = await openBoth(laptop, phone, endpoint);
  await onLaptop.play('draw');
  await expect(onLaptop.messages.last()).toHaveText('The page is drawn. Press Go.');
  await onLaptop.reload();
  await onLaptop.skin('Ada').getByRole('button', { name: 'Go' }).click();
  await expect(onLaptop.skin('Ada').locator('#count')).toHaveText('Pressed.');
});

test('flo.state is the same on both and outlives a reload', async ({ laptop, phone, endpoint }) => {
  const [onLaptop, onPhone] = await openBoth(laptop, phone, endpoint);
  await onLaptop.play('flo');
  await expect(onLaptop.messages.last()).toHaveText('The counter is drawn.');
  await onPhone.show('Page');
  await expect(onPhone.skin('Ada').locator('#count')).toHaveText('Count: 0');

  await onLaptop.skin('Ada').getByRole('button', { name: 'Add' }).click();
  await expect(onPhone.skin('Ada').locator('#count')).toHaveText('Count: 1');
  await onPhone.skin('Ada').getByRole('button', { name: 'Add' }).click();
  await expect(onLaptop.skin('Ada').locator('#count')).toHaveText('Count: 2');
  await onLaptop.reload();
  await expect(onLaptop.skin('Ada').locator('#count')).toHaveText('Count: 2');
});

test('flo.notify wakes the agent with what the page says', async ({ laptop, phone, endpoint }) => {
  const pages = await openBoth(laptop, phone, endpoint);
  const [onLaptop] = pages;
  await onLaptop.play('flo');
  await expect(onLaptop.messages.last()).toHaveText('The counter is drawn.');
  await onLaptop.skin('Ada').getByRole('button', { name: 'Tell' }).click();
  for (const page of pages) {
    await expect(page.messages.nth(-2)).toContainText('The page said told');
    await expect(page.messages.last()).toContainText(/You said:.*page event: told.*marzipan/s);
  }
});

test('flo.ask brings the answer into the page', async ({ laptop, phone, endpoint }) => {
  const pages = await openBoth(laptop, phone, endpoint);
  const [onLaptop] = pages;
  await onLaptop.play('flo');
  await expect(onLaptop.messages.last()).toHaveText('The counter is drawn.');
  await onLaptop.skin('Ada').getByRole('button', { name: 'Ask' }).click();
  await expect(onLaptop.skin('Ada').locator('#answer')).toContainText(/You said:.*Which season is it\?/s);
  for (const page of pages) await expect(page.messages.nth(-2)).toHaveText('The page asked: Which season is it?');
});
