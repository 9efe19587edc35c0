// Agents where script adds something to the pages.

import { createAgent, createAgentInBrowser, expect, Person, screens, test } from '../fixtures.ts';
import { AgentForm } from '../pages/agent-form.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { Dashboard } from '../pages/dashboard.ts';

test('a wish on the empty wall becomes an agent', async ({ laptop }) => {
  const dashboard = new Dashboard(laptop);
  await expect(dashboard.invitation).toBeVisible();
  await laptop.getByRole('textbox', { name: 'What should live here?' }).fill('A clock that hums.');
  await laptop.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(laptop.getByRole('heading', { name: 'A clock that hums', level: 1 })).toBeVisible();
  await dashboard.open();
  await expect(dashboard.cards).toHaveCount(1);
});

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
  await expect(form.provider.locator('option:checked')).toHaveText('Browser of Near');
  await expect(form.home('browser')).toBeChecked();
  const note = laptop.getByText('Only your browser can call this provider');
  await expect(note).toBeVisible();
  if (process.env.PICTURES) await screens(laptop, 'agent-new-near');

  await createAgent(laptop, endpoint, 'Far');
  await form.open();
  await expect(form.provider.locator('option:checked')).toHaveText('Endpoint of Far');
  await expect(form.home('hub')).toBeChecked();
  await expect(note).toHaveCount(0);
  await form.provider.selectOption({ label: 'Browser of Near' });
  await expect(form.home('browser')).toBeChecked();
  await expect(note).toBeVisible();
});

test('an agent without a provider says what is missing and where to set it up', async ({ laptop }) => {
  const form = new AgentForm(laptop);
  await form.open();
  await form.create({ name: 'Ada' });
  const agent = new AgentPage(laptop);
  await agent.say('Hello');
  await laptop.getByRole('link', { name: 'Set up a provider' }).click();
  await expect(laptop).toHaveURL('/providers');
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
