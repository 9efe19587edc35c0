// Conversations from the export of another product: looked at, chosen, and gone on with. With JavaScript switched off.

import { createAgent, expect, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { ConversationsPage } from '../pages/conversations-page.ts';
import { ImportPage } from '../pages/imports.ts';

function said(uuid: string, sender: string, text: string, files: object[] = []): object {
  return { uuid, sender, text, files, created_at: '2025-01-02T03:04:05Z' };
}

const FILE = JSON.stringify([
  {
    uuid: 'a',
    name: 'About ferns',
    chat_messages: [said('1', 'human', 'Do ferns like shade?', [{ file_name: 'fern.pdf' }]), said('2', 'assistant', 'They do.')],
  },
  { uuid: 'b', name: 'About mosses', chat_messages: [said('3', 'human', 'And mosses?')] },
  { uuid: 'c', name: 'About nothing', chat_messages: [] },
]);

test('what was said elsewhere is looked at, brought in once, and gone on with', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const page = new ImportPage(laptop);
  await page.open();
  await page.look('conversations.json', FILE);
  await expect(laptop.getByRole('heading', { level: 1 })).toHaveText('Conversations from Claude');
  await expect(page.left).toContainText('1 file was left out.');
  await expect(page.left).toContainText('1 conversation has nothing in it that can be brought in.');
  await expect(page.choices.getByRole('checkbox')).toHaveCount(2);
  await screens(laptop, 'import');
  await page.choice('About mosses').uncheck();
  await page.bringInto('Ada');
  await expect(page.imported).toContainText('1 conversation with 2 messages');
  await expect(page.choices.getByRole('checkbox')).toHaveCount(1);
  await page.bringInto('Ada');
  await expect(page.nothing).toBeVisible();

  await page.open();
  await page.look('again.json', FILE);
  await expect(laptop.locator('main')).toContainText('2 of them were brought in before and are passed over.');
  await laptop.setViewportSize({ width: 390, height: 844 });
  const width = await laptop.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);

  const list = new ConversationsPage(laptop);
  await list.open(id);
  await list.row('About ferns').getByRole('link', { name: 'About ferns' }).click();
  const agent = new AgentPage(laptop);
  await expect(laptop.locator('main')).toContainText('Where it comes from');
  await expect(agent.messages.last()).toContainText('They do.');
  await agent.say('Go on');
  await expect(async () => {
    await laptop.reload();
    await expect(agent.messages.last()).toContainText('You said: Go on', { timeout: 500 });
  }).toPass();
});

test('a file that cannot be read is refused in words', async ({ laptop }) => {
  const page = new ImportPage(laptop);
  await page.open();
  await page.look('notes.json', 'hello');
  await expect(laptop.getByRole('heading', { level: 1 })).toHaveText('This file cannot be read');
  await expect(page.failure).toContainText('The file is no JSON.');
});
