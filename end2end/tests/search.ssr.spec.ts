// Search with JavaScript switched off.

import { createAgent, expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { ConversationsPage } from '../pages/conversations-page.ts';
import { SearchPage } from '../pages/search-page.ts';

test('conversations are searched without script', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await laptop.goto(`/agents/${id}`);
  await agent.say('Ferns & <mosses>');
  await expect(async () => {
    await laptop.reload();
    await expect(agent.messages.last()).toContainText('You said: Ferns & <mosses>', { timeout: 500 });
  }).toPass();
  await new ConversationsPage(laptop).open(id);
  const search = new SearchPage(laptop);
  await search.find('moss');
  await expect(search.hits).toHaveCount(2);
  await expect(search.titles).toHaveCount(1);
  await expect(laptop.getByText('Only in this agent.')).toBeVisible();
  await search.hits.first().getByRole('link').click();
  await expect(search.found).toContainText('You said: Ferns & <mosses>');
});
