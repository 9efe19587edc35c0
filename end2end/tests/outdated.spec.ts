// A page that is there, and cannot be read anew.

import type { Page } from '@playwright/test';
import { Cable, createAgent, expect, test } from '../fixtures.ts';
import { post, read } from '../fixtures/api.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { ConversationsPage } from '../pages/conversations-page.ts';

const LIST = /\/api\/conversations\/list\b/;
const CONNECTED_AGAIN = { timeout: 20_000 };

const banner = (page: Page) => page.getByRole('status').filter({ hasText: 'This page could not be brought up to date' });

/** Opens a list of one conversation, which then gets another name that cannot be read. */
async function outdate(page: Page, agent: string): Promise<ConversationsPage> {
  const talk = new AgentPage(page);
  await talk.open(agent);
  await talk.say('Ferns');
  await expect(talk.messages.last()).toContainText('You said: Ferns');
  const { conversation } = await read(page, 'agents/page', { id: agent, before: '0', conversation: '' });
  const list = new ConversationsPage(page);
  await list.open(agent);
  await list.isReady();
  await page.locator('.connection[data-state="live"]').waitFor({ state: 'attached' });
  await page.route(LIST, (route) => route.abort());
  await post(page, 'conversations/rename', [['id', conversation.id], ['title', 'Tree ferns']]);
  await expect(banner(page)).toBeVisible();
  await expect(list.names).toHaveText(['Ferns']);
  return list;
}

test('a page that cannot be read anew stays, says so, and tries again at a press', async ({ laptop, endpoint }) => {
  const list = await outdate(laptop, await createAgent(laptop, endpoint, 'Ada'));
  const retry = banner(laptop).getByRole('button', { name: 'Retry' });
  await retry.click();
  await expect(list.names).toHaveText(['Ferns']);
  await expect(banner(laptop)).toBeVisible();

  await laptop.unroute(LIST);
  await retry.click();
  await expect(list.names).toHaveText(['Tree ferns']);
  await expect(banner(laptop)).toHaveCount(0);
});

test('a page that cannot be read anew is when the hub is there again', async ({ laptop, endpoint }) => {
  const cable = await Cable.under(laptop);
  const list = await outdate(laptop, await createAgent(laptop, endpoint, 'Ada'));
  await cable.pull();
  await expect(laptop.locator('.connection')).toContainText('Hub offline');
  await laptop.unroute(LIST);
  await cable.plugIn();
  await expect(list.names).toHaveText(['Tree ferns'], CONNECTED_AGAIN);
  await expect(banner(laptop)).toHaveCount(0);
});
