// Agents where script adds something to the pages.

import { axe, createAgent, createAgentInBrowser, createAgentWithDeviceKey, Endpoint, expect, Person, screens, test } from '../fixtures.ts';
import { ask } from '../fixtures/api.ts';
import { AgentForm } from '../pages/agent-form.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { Dashboard } from '../pages/dashboard.ts';
import { hydrated } from '../pages/page.ts';
import { providerAt, Providers } from '../pages/providers.ts';

test('a card shows the letter, then a still of the page that was drawn', async ({ laptop, endpoint }) => {
  await createAgent(laptop, endpoint, 'Ada');
  const dashboard = new Dashboard(laptop);
  await dashboard.open();
  await expect(dashboard.card('Ada').locator('iframe')).toHaveCount(0);
  await dashboard.enter('Ada');
  const agent = new AgentPage(laptop);
  await agent.play('draw');
  await expect(agent.log).toContainText('The page is drawn.');

  await dashboard.open();
  const still = dashboard.card('Ada').locator('iframe');
  await expect(still).toHaveAttribute('sandbox', '');
  await expect(still.contentFrame().getByRole('heading', { name: 'A small garden' })).toBeVisible();
  await dashboard.enter('Ada');
  await expect(agent.log).toContainText('The page is drawn.');
});

test('a new agent begins where its provider can be called, and moves there with the choice of one', async ({ laptop, endpoint }) => {
  await createAgentInBrowser(laptop, 'Near');
  const form = new AgentForm(laptop);
  await form.open();
  await form.unfoldMore();
  await expect(form.provider.locator('option:checked')).toHaveText('Browser of Near');
  await expect(form.home('browser')).toBeChecked();
  const note = laptop.getByText('Only your browser can call this provider');
  await expect(note).toBeVisible();
  await screens(laptop, 'agent-new-near');

  await createAgent(laptop, endpoint, 'Far');
  await form.open();
  await form.unfoldMore();
  await expect(form.provider.locator('option:checked')).toHaveText('Endpoint of Far');
  await expect(form.home('hub')).toBeChecked();
  await expect(note).toHaveCount(0);
  await form.provider.selectOption({ label: 'Browser of Near' });
  await expect(form.home('browser')).toBeChecked();
  await expect(note).toBeVisible();
});

test('what an agent is for, in a sentence, becomes a name and instructions that are changed before it is made', async ({ laptop, endpoint }) => {
  await createAgent(laptop, endpoint, 'Far');
  const form = new AgentForm(laptop);
  await form.open();
  await hydrated(laptop);
  await form.sentence.fill('It keeps my ferns. agent: none');
  await form.provider.selectOption({ label: 'None yet' });
  await form.sentence.press('Enter');
  await expect(laptop.getByText('Choose a provider first')).toBeVisible();
  await form.provider.selectOption({ label: 'Endpoint of Far' });
  await form.model.fill(Endpoint.anthropicModel);
  await laptop.getByRole('button', { name: 'Propose' }).click();
  await expect(form.name).toHaveValue('Proposed');
  await expect(form.name).toBeFocused();
  await expect(form.instructions).toHaveValue('You do what a model proposed.');
  await axe(laptop);
  await screens(laptop, 'agent-proposed');
  await form.instructions.fill('You keep ferns.');
  await laptop.getByRole('button', { name: 'Create agent' }).click();
  await laptop.waitForURL(/\/agents\/(?!new)[^/]+$/);
  await laptop.goto(`${laptop.url()}/edit`);
  await expect(form.name).toHaveValue('Proposed');
  await expect(form.instructions).toHaveValue('You keep ferns.');
});

test('an agent without a provider says what is missing and where to set it up, until it has one', async ({ laptop, endpoint }) => {
  const form = new AgentForm(laptop);
  await form.open();
  await form.create({ name: 'Ada' });
  const address = laptop.url();
  const agent = new AgentPage(laptop);
  // What is written stays until it can be answered.
  const way = laptop.getByRole('link', { name: 'Choose a provider' });
  await agent.say('Hello');
  await expect(way).toBeFocused();
  await expect(way).toHaveAttribute('href', `${new URL(address).pathname}/edit#agent-provider`);
  await expect(agent.composer).toHaveValue('Hello');
  await expect(agent.messages).toHaveCount(0);
  await screens(laptop, 'agent-without-provider');
  // Others may tell it something all the same.
  await ask(laptop, new URL(address).pathname.split('/')[2]!, 'Hello');
  const missing = laptop.getByRole('link', { name: 'Set up a provider' });
  await missing.click();
  await expect(laptop).toHaveURL('/providers');
  const providers = new Providers(laptop);
  await providers.add(providerAt(endpoint));
  await laptop.goto(`${address}/edit`);
  await form.fill({ name: 'Ada', provider: 'Brook', model: Endpoint.anthropicModel });
  await form.save();
  await laptop.waitForURL(address);
  await agent.isReady();
  await expect(agent.notice('It has a provider now')).toBeVisible();
  await expect(missing).toHaveCount(0);
  await expect(way).toHaveCount(0);
  await agent.retry.click();
  await expect(agent.messages.last()).toHaveText('You said: Hello');
  await expect(agent.notice('It has a provider now')).toHaveCount(0);
});

test('an agent for which nobody named a model has the first one of its provider', async ({ laptop, endpoint }) => {
  await createAgent(laptop, endpoint, 'Far');
  await createAgent(laptop, endpoint, 'Near');
  const form = new AgentForm(laptop);
  await form.open();
  await form.provider.selectOption({ label: 'Endpoint of Near' });
  await form.model.fill('of-near');
  await form.provider.selectOption({ label: 'Endpoint of Far' });
  await expect(form.model).toHaveValue('');
  await form.create({ name: 'Ada' });
  const agent = new AgentPage(laptop);
  await agent.say('Hello');
  await expect(agent.messages.last()).toHaveText('You said: Hello');
});

test('only an agent that had no provider is told that it has one now', async ({ laptop, endpoint }) => {
  const agent = new AgentPage(laptop);
  const id = await createAgentWithDeviceKey(laptop, endpoint, 'Ada', 'hub');
  await agent.open(id);
  await ask(laptop, id, 'Hello');
  await expect(agent.notice('is kept on your devices')).toBeVisible();
  await expect(agent.notice('It has a provider now')).toHaveCount(0);
});

test('an agent whose provider only a browser can call is brought there with one press', async ({ laptop, endpoint }) => {
  const id = await createAgentWithDeviceKey(laptop, endpoint, 'Ada', 'hub');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.isReady();
  const way = laptop.getByRole('button', { name: 'Let it run in the browser' });
  await agent.say('Hello');
  await expect(way).toBeFocused();
  await expect(agent.composer).toHaveValue('Hello');
  await laptop.keyboard.press('Enter');
  await expect(way).toHaveCount(0);
  await expect(agent.home).toHaveAttribute('aria-label', 'Home: Browser');

  const form = new AgentForm(laptop);
  await laptop.goto(`/agents/${id}/edit`);
  await hydrated(laptop);
  const vain = laptop.getByText('On the hub it cannot answer with this provider.');
  await expect(vain).toHaveCount(0);
  await form.home('hub').check();
  await expect(vain).toBeVisible();
  await form.provider.selectOption({ label: 'None yet' });
  await expect(vain).toHaveCount(0);
  await expect(laptop.getByText('Without a provider it cannot answer.')).toBeVisible();
});

test('each form of an agent says that it was kept, and the state of its key is the new one', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const form = new AgentForm(laptop);
  await laptop.goto(`/agents/${id}/edit`);
  await hydrated(laptop);
  await form.reach('Everything public').check();
  await form.setReach();
  await expect(laptop.getByText('What it reaches is set.')).toBeVisible();
  await form.robots.check();
  await form.setRobots();
  await expect(laptop.getByText('How it reads is set.')).toBeVisible();
  await expect(form.reach('Everything public')).toBeChecked();
  const section = laptop.getByRole('region', { name: 'A key of its own' });
  const key = section.getByLabel('Key', { exact: true });
  await expect(section).toContainText('It has none');
  await key.fill(Endpoint.key);
  await section.getByRole('button', { name: 'Keep this key' }).click();
  await expect(section.getByText('Its key is kept.')).toBeVisible();
  await expect(section).toContainText('It has one');
  await expect(key).toHaveValue('');
  await section.getByRole('button', { name: 'Forget its key' }).click();
  await expect(section.getByText('Its key is forgotten.')).toBeVisible();
  await expect(section).toContainText('It has none');
});

test('the words on a card are plain', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  await new AgentPage(laptop).open(agent);
  await new AgentPage(laptop).say(`turns: ${JSON.stringify([[{ text: '## **Water** the [moss](https://example.org) `now`' }]])}`);
  await expect(new AgentPage(laptop).messages.last()).toHaveText('Water the moss now');
  const dashboard = new Dashboard(laptop);
  await dashboard.open();
  await expect(dashboard.card('Ada').locator('.card-line')).toHaveText('Water the moss now');
});

test('a half-written wish stays while the cards beside it change', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const dashboard = new Dashboard(laptop);
  await dashboard.open();
  const wish = laptop.getByRole('textbox', { name: 'What should live here?' });
  await wish.fill('A clock th');
  const tab = await laptop.context().newPage();
  await new AgentPage(tab).open(agent);
  await new AgentPage(tab).say('Hello');
  await expect(dashboard.card('Ada').locator('.card-line')).toHaveText('You said: Hello');
  await expect(wish).toHaveValue('A clock th');
});

test('the agents of somebody else are not there', async ({ laptop, hub, browser }) => {
  const form = new AgentForm(laptop);
  await form.open();
  await form.create({ name: 'Ada' });
  const address = laptop.url();
  const context = await browser.newContext();
  const stranger = await (await Person.join(hub)).signIn(context);
  const missing = `${address.slice(0, -4)}0000`;
  for (const path of [address, `${address}/edit`, `${address}/context`, `${address}/delete`, missing]) {
    const answer = await stranger.goto(path);
    expect(answer!.status(), path).toBe(404);
    await expect(stranger.getByRole('heading', { name: 'There is nothing here' })).toBeVisible();
  }
  await context.close();
});
