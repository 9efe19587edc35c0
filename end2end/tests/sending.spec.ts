// What becomes of a message between the composer and the log.

import type { Page } from '@playwright/test';
import { Cable, createAgent, expect, test } from '../fixtures.ts';
import { Account } from '../pages/account.ts';
import { AgentPage } from '../pages/agent-page.ts';

const SEND = '**/api/agents/send';

test('a message whose answer was lost with its page stands there once', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const cable = await Cable.under(laptop);
  const agent = new AgentPage(laptop);
  await agent.open(id);
  // The hub hears it, and nothing of that comes back.
  await cable.pull();
  await laptop.route(SEND, async (route) => void (await route.fetch()));
  await agent.say('Only once');
  await expect.poll(async () => (await endpoint.requests()).length).toBe(1);
  await expect(agent.messages).toHaveText([/^Only once/]);

  await laptop.goto('about:blank');
  await laptop.unroute(SEND);
  await cable.plugIn();
  await agent.open(id);
  await expect(agent.messages).toHaveText([/^Only once/, 'You said: Only once']);
  await expect(agent.log.getByText('Not sent.')).toHaveCount(0);
});

test('a message that was on its way when its page was left goes out when the page is back', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  // It gets no further than the device.
  await laptop.route(SEND, () => {});
  await agent.say('Once more');
  await expect(agent.messages).toHaveText([/^Once more.*Sending/s]);

  await laptop.goto('about:blank');
  await laptop.unroute(SEND);
  await agent.open(id);
  await expect(agent.messages).toHaveText([/^Once more/, 'You said: Once more']);
  await expect(agent.messages.filter({ hasText: 'Sending' })).toHaveCount(0);
});

test('on a touch keyboard Enter begins a line, and the button sends', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(phone);
  await agent.open(id);
  await agent.show('Conversation');
  await expect(agent.composer).toHaveAttribute('enterkeyhint', 'enter');
  await agent.composer.pressSequentially('Ferns');
  await agent.composer.press('Enter');
  await agent.composer.pressSequentially('and mosses');
  await expect(agent.composer).toHaveValue('Ferns\nand mosses');
  await agent.send.click();
  await expect(agent.messages.last()).toContainText('You said: Ferns');
  await expect(agent.messages.first().locator('.message-text')).toHaveText(/^Ferns\s+and mosses$/);
});

test('with a mouse beside it Enter sends', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.composer.pressSequentially('Ferns');
  await agent.composer.press('Shift+Enter');
  await agent.composer.pressSequentially('and mosses');
  await agent.composer.press('Enter');
  await expect(agent.composer).toHaveValue('');
  await expect(agent.messages.last()).toContainText('You said: Ferns');
});

/** What the browser keeps of what was written. */
const kept = (page: Page) => page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('vivarium.own.')));

test('what was written is there again when the app was closed', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.composer.fill('Not done yet');
  const context = laptop.context();
  await laptop.close();
  const again = new AgentPage(await context.newPage());
  await again.open(id);
  await expect(again.composer).toHaveValue('Not done yet');
});

test('a message that waits goes out from whichever page comes next', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await laptop.route(SEND, (route) => route.abort());
  await agent.say('From before');
  await expect(agent.log.getByText('Waits for the hub')).toBeVisible();
  const context = laptop.context();
  await laptop.close();

  const other = await context.newPage();
  await other.goto('/schedules');
  await expect.poll(async () => (await endpoint.requests()).length).toBe(1);
  await expect.poll(() => kept(other)).toEqual([]);
  const again = new AgentPage(other);
  await again.open(id);
  await expect(again.messages).toHaveText([/^From before/, 'You said: From before']);
});

test('a tab leaves alone what another one has not sent yet', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await laptop.route(SEND, (route) => route.abort());
  await agent.say('Mine to send');
  await expect(agent.log.getByText('Waits for the hub')).toBeVisible();
  const beside = new AgentPage(await laptop.context().newPage());
  await beside.open(id);
  await beside.say('Said beside it');
  await expect(beside.messages.last()).toHaveText('You said: Said beside it');
  await expect(beside.messages).toHaveCount(2);

  await laptop.unroute(SEND);
  for (const page of [agent, beside]) {
    await expect(page.messages.last()).toHaveText('You said: Mine to send');
    await expect(page.messages).toHaveCount(4);
  }
});

test('signing out forgets what was written, in other tabs as well', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const other = await laptop.context().newPage();
  const beside = new AgentPage(other);
  await beside.open(id);
  await beside.composer.fill('For my eyes');
  const account = new Account(laptop);
  await account.open();
  await expect.poll(() => kept(laptop)).toHaveLength(1);
  await account.signOut();
  await expect(other).toHaveURL(/\/sign-in/);
  await expect(laptop).toHaveURL(/\/sign-in/);
  expect(await kept(laptop)).toEqual([]);
});

test('what is written stands on every device, is joined after a time without the hub, and is gone once it is sent', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const cable = await Cable.under(phone);
  const [here, there] = [new AgentPage(laptop), new AgentPage(phone)];
  await here.open(id);
  await there.open(id);
  await there.show('Conversation');
  await here.composer.fill('Ferns');
  await expect(there.composer).toHaveValue('Ferns');
  await there.composer.fill('Ferns and');
  await expect(here.composer).toHaveValue('Ferns and');

  await cable.pull();
  await expect(phone.locator('.connection')).not.toHaveAttribute('data-state', 'live');
  await there.composer.fill('Ferns and mosses');
  const told = laptop.waitForResponse('**/api/conversations/keep_draft');
  await here.composer.fill('Ferns and stones');
  await told;
  await cable.plugIn();
  const both = 'Ferns and stones\nFerns and mosses';
  for (const page of [there, here]) await expect(page.composer).toHaveValue(both);

  await there.send.click();
  for (const page of [there, here]) {
    await expect(page.messages).toHaveCount(2);
    await expect(page.composer).toHaveValue('');
  }
  await here.reload();
  await expect(here.composer).toHaveValue('');

  // The page was left before the hub had it.
  const last = laptop.waitForResponse('**/api/conversations/keep_draft');
  await here.composer.fill('Water');
  await laptop.getByRole('link', { name: 'All agents' }).click();
  await last;
  await expect(there.composer).toHaveValue('Water');
  await there.send.click();
  await expect(there.messages).toHaveCount(4);
  await laptop.goBack();
  await expect(here.messages).toHaveCount(4);
  await expect(here.composer).toHaveValue('');
});
