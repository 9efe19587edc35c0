// A conversation is shown to another person, who reads it and nothing else. With JavaScript switched off.

import { createAgent, expect, Person, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { ConversationsPage } from '../pages/conversations-page.ts';
import { SharedPage, SharePage } from '../pages/shares.ts';

test('a conversation is read by whom its owner names, until it is taken back', async ({ laptop, browser, endpoint, hub, person }) => {
  const other = await Person.join(hub);
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  const theirs = new SharedPage(await other.signIn(context));
  await theirs.open();
  await expect(theirs.names).toHaveCount(0);

  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await laptop.goto(`/agents/${id}`);
  await agent.say('Ferns');
  await expect(async () => {
    await laptop.reload();
    await expect(agent.messages.last()).toContainText('You said: Ferns', { timeout: 500 });
  }).toPass();

  const list = new ConversationsPage(laptop);
  await list.open(id);
  await list.unfold('Ferns');
  await list.row('Ferns').getByRole('link', { name: 'Share' }).click();
  const share = new SharePage(laptop);
  await share.isReady();
  await expect(share.seen).toContainText('not the pictures and files themselves');
  await expect(share.readers).toContainText('It is shared with nobody.');
  await share.share('nobody of that name');
  await expect(share.failure).toContainText('Nobody here can be named like this.');
  await share.share(other.name);
  await expect(share.readers).toContainText(other.name);

  await screens(laptop, 'share');
  await theirs.open();
  await expect(theirs.row('Ferns')).toContainText(`${person.name} with Ada`);
  await theirs.read('Ferns');
  await expect(theirs.messages).toHaveCount(2);
  await expect(theirs.messages.first()).toContainText(person.name);
  await expect(theirs.messages.last()).toHaveText('You said: Ferns');
  const page = context.pages()[0]!;
  await expect(page.locator('main').getByRole('textbox')).toHaveCount(0);
  await expect(page.locator('iframe, main form')).toHaveCount(0);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);

  await screens(page, 'shared');
  await share.takeBack(other.name);
  await expect(share.readers).toContainText('It is shared with nobody.');
  const gone = await page.reload();
  expect(gone?.status()).toBe(404);
  await theirs.open();
  await expect(theirs.names).toHaveCount(0);
  await context.close();
});
