// The same with JavaScript switched off.

import { Endpoint, expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { Dashboard } from '../pages/dashboard.ts';

test('a first wish is kept until there is a key, and begins then', async ({ laptop, endpoint }) => {
  const dashboard = new Dashboard(laptop);
  await dashboard.open();
  await dashboard.wish('A clock that hums & glows.');
  await expect(dashboard.keptWish).toHaveText('A clock that hums & glows.');
  await dashboard.enterKey('Anthropic', 'key-bad', endpoint.url);
  await expect(dashboard.problem).toBeVisible();
  await expect(dashboard.keptWish).toHaveText('A clock that hums & glows.');
  await dashboard.enterKey('Anthropic', Endpoint.key, endpoint.url);
  await expect(laptop.getByRole('heading', { name: 'A clock that hums', level: 1 })).toBeVisible();
  await expect(new AgentPage(laptop).messages.first()).toContainText('A clock that hums & glows.');
});
