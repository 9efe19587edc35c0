// From a wish to an agent that is at work on it, with a provider and without one.

import { devices, type Locator } from '@playwright/test';
import { join } from 'node:path';
import { createAgent, Endpoint, expect, Hub, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { Dashboard } from '../pages/dashboard.ts';
import { hydrated } from '../pages/page.ts';
import { SignIn } from '../pages/sign-in.ts';

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

test('on a phone four presses and five fields lead from a hub that nobody has used to the first answer of an own agent', async ({ browser, endpoint }, info) => {
  const hub = await Hub.start(join(info.project.outputDir, 'hub-first-wish.log'));
  const { defaultBrowserType: _, ...pixel } = devices['Pixel 7'];
  const context = await browser.newContext({ ...pixel, viewport: { width: 390, height: 844 }, baseURL: hub.url });
  const phone = await context.newPage();
  const needed = { presses: 0, fields: 0 };
  const press = async (target: Locator) => {
    needed.presses += 1;
    await target.tap();
  };
  const write = async (target: Locator, text: string) => {
    needed.fields += 1;
    await target.tap();
    await phone.keyboard.type(text);
  };

  await phone.goto(await hub.setupLink());
  const entry = new SignIn(phone);
  await write(entry.name, 'Rosalind');
  await write(entry.password, 'a long enough password');
  await press(phone.getByRole('button', { name: 'Make the account' }));
  await phone.waitForURL((url) => url.pathname === '/');
  await hydrated(phone);
  await write(phone.getByRole('textbox', { name: 'What should live here?' }), 'A clock that hums.');
  await press(phone.getByRole('button', { name: 'Create', exact: true }));
  await write(phone.getByLabel('Key', { exact: true }), Endpoint.key);
  // A person whose model is the provider's own leaves out these two.
  await press(phone.getByText('It has an address of its own'));
  await write(phone.getByLabel('Base URL'), endpoint.url);
  await press(phone.getByRole('button', { name: 'Keep the key and begin' }));

  const answer = new AgentPage(phone).messages.last();
  await expect(answer).toHaveText('You said: A clock that hums.');
  await expect(answer).toBeInViewport();
  expect(needed).toEqual({ presses: 4, fields: 5 });
  await context.close();
  await hub.end();
});
