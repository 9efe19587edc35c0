// An administrator shares a provider; keys of single agents; prices of one's own. With JavaScript switched off.

import { createAgent, expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { Limits } from '../pages/limits.ts';
import { providerAt, Providers } from '../pages/providers.ts';
import { SignIn } from '../pages/sign-in.ts';

test('what an administrator shares is used by others and changed by nobody else', async ({ laptop, browser, endpoint, hub, person }) => {
  await hub.cli(['user', 'add', `${person.name}-admin`, '--admin', '--password-stdin'], person.password);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const signIn = new SignIn(page);
  await signIn.open();
  await signIn.signIn({ name: `${person.name}-admin`, password: person.password });
  await page.waitForURL('/');
  const providers = new Providers(page);
  await providers.open();
  await providers.add(providerAt(endpoint));

  await page.getByRole('link', { name: 'Groups of people, to share with' }).click();
  await page.getByLabel('Name').fill('Friends');
  await page.getByRole('checkbox', { name: person.name, exact: true }).check();
  await page.getByRole('button', { name: 'Make the group' }).click();
  await expect(page.getByRole('status')).toHaveText('The group is saved.');

  await providers.open();
  await page.getByRole('link', { name: 'Share Brook' }).click();
  await page.getByRole('checkbox', { name: /^Friends/ }).check();
  await page.getByLabel('What each person may spend in a month').fill('5');
  await page.getByLabel('Models that they may use').fill('claude-sonnet-4-5');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expect(page.getByRole('status')).toHaveText('It is shared like this from now on.');
  await expect(page.getByLabel('What each person may spend in a month')).toHaveValue('5');
  await expect(page.getByRole('checkbox', { name: /^Friends/ })).toBeChecked();

  const theirs = new Providers(laptop);
  await theirs.open();
  const row = theirs.provider('Brook');
  await expect(row).toContainText('Shared by the server');
  await expect(row).toContainText('$0.00 of $5.00 this month');
  await expect(row).not.toContainText(endpoint.url);
  await expect(row.getByRole('button')).toHaveCount(0);
  await expect(row.getByRole('link')).toHaveCount(0);

  await laptop.goto('/agents/new');
  await laptop.getByLabel('Name', { exact: true }).fill('Ada');
  await laptop.getByLabel('Provider', { exact: true }).selectOption('Brook (shared by the server)');
  await laptop.getByLabel('Model', { exact: true }).fill('claude-sonnet-4-5');
  await laptop.getByRole('button', { name: /^(Create|Make)/ }).click();
  const agent = new AgentPage(laptop);
  await agent.say('Hello');
  await expect(async () => {
    await laptop.reload();
    await expect(agent.messages.last()).toHaveText('You said: Hello', { timeout: 100 });
  }).toPass();

  await page.getByRole('button', { name: 'Stop sharing Brook' }).click();
  await page.waitForURL('/providers');
  await agent.say('And now');
  await expect(async () => {
    await laptop.reload();
    await expect(agent.notice('is not shared with you any more')).toBeVisible({ timeout: 100 });
  }).toPass();
  await context.close();
});

test('an agent has a key of its own, and only that agent', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  await laptop.goto(`/agents/${id}/edit`);
  const section = laptop.getByRole('region', { name: 'A key of its own' });
  await expect(section).toContainText('It has none');
  await section.getByLabel('Key').fill('key-of-somebody-else');
  await section.getByRole('button', { name: 'Keep this key' }).click();
  await expect(section).toContainText('It has one');
  await laptop.goto(`/agents/${id}`);
  const agent = new AgentPage(laptop);
  await agent.say('Hello');
  await expect(async () => {
    await laptop.reload();
    await expect(agent.notice(/key/i)).toBeVisible({ timeout: 100 });
  }).toPass();
  await laptop.goto(`/agents/${id}/edit`);
  await section.getByRole('button', { name: 'Forget its key' }).click();
  await expect(section).toContainText('It has none');
});

test('who is told that nobody knows a price can say it, and the agent goes on', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  await laptop.goto(`/agents/${id}/edit`);
  await laptop.getByLabel('Model', { exact: true }).fill('model-without-price');
  await laptop.getByRole('button', { name: 'Save', exact: true }).click();
  await laptop.goto('/usage');
  await new Limits(laptop.getByRole('region', { name: 'Your limits' })).set('One day', '5');
  await laptop.goto(`/agents/${id}`);
  const agent = new AgentPage(laptop);
  await agent.say('Hello');
  await expect(async () => {
    await laptop.reload();
    await expect(agent.notice('nobody knows what model-without-price costs')).toBeVisible({ timeout: 100 });
  }).toPass();
  await laptop.getByRole('link', { name: 'Prices of models' }).click();
  const own = laptop.getByRole('region', { name: 'Your own prices' });
  await own.getByLabel('Model').fill('model-without-price');
  await own.getByLabel('Price of a million tokens in').fill('1');
  await own.getByLabel('Price of a million tokens out').fill('2');
  await own.getByRole('button', { name: 'Save the price' }).click();
  await expect(own.getByRole('status')).toContainText('The price is saved.');
  await laptop.goto(`/agents/${id}`);
  await expect(async () => {
    await laptop.reload();
    await expect(agent.messages.last()).toHaveText('You said: Hello', { timeout: 100 });
  }).toPass();
});
