// The same without JavaScript: the end first, and the way back by links.

import { createAgent, expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';

test('without script a long conversation opens at its end and pages back by links', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada', 'hub');
  for (let time = 0; time < 60; time += 1) {
    const headers = { origin: new URL(laptop.url()).origin };
    await laptop.request.post('/api/agents/ask', { data: { agent, text: `Fern ${time}.` }, headers });
  }
  await laptop.goto(`/agents/${agent}`);
  const page = new AgentPage(laptop);
  await expect(page.messages.last()).toHaveText('You said: Fern 59.');
  await expect(page.messages.last()).toBeInViewport();
  await page.earlier.click();
  const messages = laptop.locator('ol.messages > .message');
  while (await messages.filter({ hasText: /^Fern 0\./ }).count() === 0) await page.earlier.click();
  await expect(messages.first()).toContainText('Fern 0.');
  await laptop.getByRole('link', { name: 'To the latest' }).click();
  await expect(page.messages.last()).toHaveText('You said: Fern 59.');
});
