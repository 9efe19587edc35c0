// What a newcomer without any key gets: one click to an agent that draws, reacts and says what it is.

import { expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { Dashboard } from '../pages/dashboard.ts';

test('one click starts the guide, which draws, reacts to a button in its page, and says that it is a script', async ({ laptop }) => {
  const dashboard = new Dashboard(laptop);
  await dashboard.open();
  await dashboard.startGuide();
  const page = new AgentPage(laptop);
  await expect(page.banner).toContainText('This is a script, not a model.');
  await expect(page.messages.filter({ hasText: 'I am not a model. I am a script' })).toBeVisible();

  // What it tells a newcomer to do is one press away.
  const told = page.messages.filter({ hasText: 'When you want an agent that thinks for itself' });
  await expect(told.getByRole('link', { name: 'Make an agent' })).toHaveAttribute('href', '/agents/new');
  await expect(told.getByRole('link', { name: 'Providers' })).toHaveAttribute('href', '/providers');

  const fern = page.skin('Fern');
  await expect(fern.getByRole('img', { name: 'A fern with 3 leaves' })).toBeVisible();
  await expect(page.messages.last()).toContainText('Press "Water it" in my page.');
  await fern.getByRole('button', { name: 'Water it' }).click();
  await expect(page.messages.last()).toHaveText('Thank you. A new leaf, unrolling.');
  await expect(fern.getByRole('img', { name: 'A fern with 4 leaves' })).toBeVisible();
});
