// Looking for what was said, on a laptop and a phone.

import { createAgent, expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { SearchPage } from '../pages/search-page.ts';

test('what was said is found by the beginnings of its words, and opened where it stands', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  for (const text of ['Farne und Moose', '明日の天気予報', 'Mosses']) {
    await agent.say(text);
    await expect(agent.messages.last()).toContainText(`You said: ${text}`);
  }
  const search = new SearchPage(phone);
  await search.open();
  await search.find('moos farn');
  await expect(search.hits).toHaveCount(2);
  await expect(search.hits.first()).toContainText('You said: Farne und Moose');
  await expect(search.hits.first().locator('mark')).toHaveText(['Farne', 'Moose']);
  await search.find('天気');
  await expect(search.hits).toHaveCount(2);
  await search.hits.last().getByRole('link').click();
  await expect(search.found).toHaveText(/^明日の天気予報/);
  await expect(search.found).toBeInViewport();

  await agent.search.click();
  const here = new SearchPage(laptop);
  await expect(laptop.getByText('Only in this conversation.')).toBeVisible();
  await here.find('nothing of that');
  await expect(laptop.getByRole('heading', { name: 'Nothing was found' })).toBeVisible();
  await laptop.getByRole('link', { name: 'Search everywhere' }).click();
  await here.find('mosses');
  await expect(here.hits).toHaveCount(2);
});
