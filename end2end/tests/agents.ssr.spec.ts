// Agents and their conversations, with JavaScript switched off.

import { createAgent, expect, test } from '../fixtures.ts';
import { AgentForm } from '../pages/agent-form.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { Dashboard } from '../pages/dashboard.ts';

test('an agent is made, changed, copied and deleted', async ({ laptop }) => {
  const form = new AgentForm(laptop);
  await form.open();
  await form.colour('Amber').check();
  await form.create({ name: 'Ada', instructions: 'Count the ferns.' });
  await expect(laptop.getByRole('heading', { name: 'Ada', level: 1 })).toBeVisible();

  await laptop.getByRole('link', { name: 'Edit Ada' }).click();
  await expect(form.instructions).toHaveValue('Count the ferns.');
  await expect(form.colour('Amber')).toBeChecked();
  await form.tool('runjs').uncheck();
  await form.fill({ name: 'Beatrix', instructions: 'Count <b>mosses</b> & lichens.', home: 'browser' });
  await form.save();

  await laptop.getByRole('link', { name: 'Edit Beatrix' }).click();
  await expect(form.instructions).toHaveValue('Count <b>mosses</b> & lichens.');
  await expect(form.home('browser')).toBeChecked();
  await expect(form.tool('runjs')).not.toBeChecked();
  await expect(form.tool('dom')).toBeChecked();
  await laptop.getByRole('button', { name: 'Duplicate Beatrix' }).click();
  const copy = await laptop.getByRole('heading', { level: 1 }).textContent();
  expect(copy).not.toBe('Beatrix');

  const dashboard = new Dashboard(laptop);
  await dashboard.open();
  await expect(dashboard.cards).toHaveCount(2);
  await dashboard.enter('Beatrix');
  await laptop.getByRole('link', { name: 'Edit Beatrix' }).click();
  await laptop.getByRole('link', { name: 'Delete Beatrix' }).click();
  await laptop.getByRole('button', { name: 'Delete Beatrix' }).click();
  await expect(dashboard.card('Beatrix')).toHaveCount(0);
  await expect(dashboard.card(copy!)).toBeVisible();

  await form.open();
  await laptop.getByText('A copy of one that you have').click();
  await laptop.getByLabel('Agent', { exact: true }).selectOption({ label: copy! });
  await laptop.getByRole('button', { name: 'Duplicate', exact: true }).click();
  await laptop.waitForURL(/\/agents\/(?!new)[^/]+$/);
  await dashboard.open();
  await expect(dashboard.cards).toHaveCount(2);
});

test('what was decided about its page is seen and forgotten without script', async ({ laptop, endpoint, hub }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  for (const decided of ['permission=camera&allowed=true', 'permission=links&host=example.org&allowed=false']) {
    const answer = await laptop.request.post(`${hub.url}/api/agents/set_permission`, {
      headers: { origin: hub.url, 'content-type': 'application/x-www-form-urlencoded' },
      data: `id=${agent}&${decided}`,
    });
    expect(answer.ok()).toBe(true);
  }
  await laptop.goto(`/agents/${agent}/edit`);
  await expect(laptop.getByRole('row', { name: /^Camera/ })).toContainText('Always');
  await expect(laptop.getByRole('row', { name: /^Opening links to example\.org/ })).toContainText('Never');
  await laptop.getByRole('button', { name: 'Forget: Opening links to example.org' }).click();
  await expect(laptop.getByRole('row', { name: /^Opening links/ })).toHaveCount(0);
  await laptop.getByRole('button', { name: 'Forget: Camera' }).click();
  await expect(laptop.getByText('Nothing so far. The page asks each time.')).toBeVisible();
});

test('what the loop does is set and seen without script', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const form = new AgentForm(laptop);
  const edit = async () => {
    await laptop.goto(`/agents/${agent}/edit`);
    await form.unfoldLoop();
  };
  await edit();
  await form.hooks.nth(0).getByLabel('Tool').fill('runjs');
  await form.hooks.nth(0).getByLabel('Words for the model').fill('No scripts.');
  await form.save();
  await edit();
  await expect(form.hooks).toHaveCount(2);
  await form.rounds.fill('9');
  await form.save();
  await edit();
  await expect(form.rounds).toHaveValue('9');
  await expect(form.hooks.nth(0).getByLabel('Words for the model')).toHaveValue('No scripts.');

  await laptop.goto(`/agents/${agent}`);
  await new AgentPage(laptop).context.click();
  await laptop.getByText('Who it is', { exact: true }).click();
  await expect(laptop.getByText('You are Ada,').last()).toBeVisible();
});

test('a message is sent by form, and the conversation is there after a reload', async ({ laptop, endpoint }) => {
  await laptop.goto(`/agents/${await createAgent(laptop, endpoint, 'Ada')}`);
  const agent = new AgentPage(laptop);
  await agent.play('tools');
  await expect(agent.log).toContainText('script: tools');
  await expect(async () => {
    await laptop.reload();
    await expect(agent.log).toContainText('The tools answered', { timeout: 100 });
  }).toPass();
  await expect(agent.log.getByText('First I write.')).toBeVisible();
  await agent.log.locator('summary').first().click();
  await expect(agent.log.getByText('autumn').first()).toBeVisible();

  const dashboard = new Dashboard(laptop);
  await dashboard.open();
  await expect(dashboard.card('Ada')).toContainText('The tools answered');
});

test('a failed run is retried by form', async ({ laptop, endpoint }) => {
  // The loop tries a busy provider again before it gives up.
  test.slow();
  await laptop.goto(`/agents/${await createAgent(laptop, endpoint, 'Ada')}`);
  const agent = new AgentPage(laptop);
  await agent.play('fail529');
  const failed = () =>
    expect(async () => {
      await laptop.reload();
      await expect(agent.retry).toBeVisible({ timeout: 100 });
    }).toPass();
  await failed();
  await endpoint.forget();
  await agent.retry.click();
  await expect.poll(async () => (await endpoint.requests()).length).toBeGreaterThan(0);
  await failed();
});

test('what an agent may reach of the web is set and seen without script', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const form = new AgentForm(laptop);
  await laptop.goto(`/agents/${agent}/edit`);
  await expect(form.reach('Nothing')).toBeChecked();
  await form.reach('These hosts').check();
  await form.hosts.fill('Example.org\n*.example.com');
  await form.setReach();
  await expect(form.reach('These hosts')).toBeChecked();
  await expect(form.hosts).toHaveValue('example.org\n*.example.com');

  await expect(form.robots).not.toBeChecked();
  await form.robots.check();
  await form.setRobots();
  await expect(form.robots).toBeChecked();
  await expect(form.hosts).toHaveValue('example.org\n*.example.com');

  await form.hosts.fill('https://example.org/path');
  await form.setReach();
  await expect(form.problem).toContainText('is not a host');
});
