// From a wish to an agent that is at work on it, with a provider and without one.

import { createAgent, Endpoint, expect, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { Dashboard } from '../pages/dashboard.ts';

test('a first wish asks for the key in place, is kept until it is right, and the agent draws at once', async ({ laptop, endpoint }) => {
  const dashboard = new Dashboard(laptop);
  await dashboard.open();
  await expect(dashboard.invitation).toBeVisible();
  await dashboard.wish('script: draw');
  await expect(dashboard.keptWish).toHaveText('script: draw');
  await screens(laptop, 'wish-key');
  await dashboard.enterKey('Anthropic', 'key-bad', endpoint.url);
  await expect(dashboard.problem).toContainText('Not saved.');
  await expect(dashboard.keptWish).toHaveText('script: draw');
  await dashboard.enterKey('Anthropic', Endpoint.key, endpoint.url);
  await expect(laptop.getByRole('heading', { name: 'script: draw', level: 1 })).toBeVisible();
  const agent = new AgentPage(laptop);
  await expect(agent.messages.first()).toContainText('script: draw');
  await expect(agent.messages.last()).toHaveText('The page is drawn. Press Go.');
  await expect(agent.skin('script: draw').getByRole('heading', { name: 'A small garden' })).toBeVisible();
});

test('after the first agent there is a field for the next wish, which begins at once', async ({ laptop, endpoint }) => {
  await createAgent(laptop, endpoint, 'Ada');
  const dashboard = new Dashboard(laptop);
  await dashboard.open();
  await expect(dashboard.cards).toHaveCount(1);
  await dashboard.wish('A clock that hums.');
  await expect(laptop.getByRole('heading', { name: 'A clock that hums', level: 1 })).toBeVisible();
  const agent = new AgentPage(laptop);
  await expect(agent.messages.first()).toContainText('A clock that hums.');
  await expect(agent.messages.last()).toHaveText('You said: A clock that hums.');
  await dashboard.open();
  await expect(dashboard.cards).toHaveCount(2);
});
