// Limits on spending and what was spent, with JavaScript switched off.

import type { Locator, Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { createAgent, Endpoint, expect, test } from '../fixtures.ts';
import { Admin } from '../pages/admin.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { BudgetPage } from '../pages/budget-page.ts';
import { Dashboard } from '../pages/dashboard.ts';
import { UsagePage } from '../pages/usage-page.ts';

test('a limit stops a run, waits for the person, and lets it go on when it is raised', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  await endpoint.forget();
  await laptop.goto(`/agents/${id}`);
  await laptop.getByRole('link', { name: 'Edit Ada' }).click();
  await laptop.getByRole('link', { name: 'Budget of Ada' }).click();
  const budget = new BudgetPage(laptop);
  await budget.limits.set('One day', '0.01');
  await expect(laptop).toHaveURL(`/agents/${id}`);

  const agent = new AgentPage(laptop);
  await agent.say('Hello');
  const stopped = agent.notice('This agent may spend $0.01 a day. $0.00 is spent. The next call may cost up to $0.');
  await expect(async () => {
    await laptop.reload();
    await expect(stopped).toBeVisible({ timeout: 100 });
  }).toPass();
  await expect(agent.retry).toBeVisible();
  expect(await endpoint.requests()).toEqual([]);

  const dashboard = new Dashboard(laptop);
  await dashboard.open();
  await expect(dashboard.card('Ada')).toContainText('waiting for you');
  await dashboard.needsYou.getByRole('link', { name: 'See why Ada waits' }).click();
  await laptop.getByRole('link', { name: 'Raise the limit' }).click();
  await expect(budget.limits.field('One day')).toHaveValue('0.01');
  await budget.limits.set('One day', '5');
  await expect(async () => {
    await laptop.reload();
    await expect(agent.messages.last()).toHaveText('You said: Hello', { timeout: 100 });
  }).toPass();
  await expect(laptop.getByRole('link', { name: 'Raise the limit' })).toHaveCount(0);

  await budget.open(id);
  await expect(budget.today).toHaveAttribute('aria-valuetext', /^\$0\.0\d+ of \$5\.00$/);
  await dashboard.open();
  await expect(dashboard.card('Ada')).toContainText(/\$0\.0\d+ of \$5\.00 today/);
  await expect(dashboard.needsYou).toHaveCount(0);
});

test('what is no amount of money is not sent, and stays in its field', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const budget = new BudgetPage(laptop);
  await budget.open(id);
  await budget.limits.field('In all').fill('$2,50');
  await budget.limits.set('One day', 'five dollars');
  await expect(laptop).toHaveURL(`/agents/${id}/budget`);
  await expect(budget.limits.field('One day')).toHaveValue('five dollars');
  await budget.limits.set('One day', '');
  await budget.open(id);
  await expect(budget.limits.field('In all')).toHaveValue('2.50');
});

test('usage is a picture, tables and a file, and limits of one\'s own stand below', async ({ laptop, endpoint }) => {
  const usage = new UsagePage(laptop);
  await usage.open();
  await expect(usage.own).toContainText('Nothing was used in the last thirty days.');

  const id = await createAgent(laptop, endpoint, 'Ada');
  await laptop.goto(`/agents/${id}`);
  const agent = new AgentPage(laptop);
  await agent.say('Hello');
  await expect(async () => {
    await usage.open();
    await expect(usage.own).toContainText('for one model call', { timeout: 100 });
  }).toPass();
  await expect(usage.own.getByRole('img', { name: /^Cost by day\. Most: \$0\.0/ })).toBeVisible();
  await expect(usage.line(usage.own, 'Ada')).toContainText('$0.0');
  await expect(usage.line(usage.own, Endpoint.anthropicModel)).toContainText('$0.0');
  await usage.own.getByText('Day by day').click();
  await expect(usage.own.locator('.days tbody tr')).toHaveCount(30);
  await expect(usage.everybody).toHaveCount(0);

  expect(await linesOf(laptop, usage.file(usage.own, 'Cost'), 'vivarium-usage.csv')).toEqual([
    expect.stringMatching(/^day,agent,/),
    expect.stringMatching(new RegExp(`^\\d{4}-\\d\\d-\\d\\d,"Ada",${id},"${Endpoint.anthropicModel}",1,0,`)),
  ]);

  await usage.limits.set('One month', '20');
  await expect(usage.saved).toHaveText('The limits are saved.');
  await expect(usage.limits.field('One month')).toHaveValue('20');
  await new BudgetPage(laptop).open(id);
  await expect(laptop.getByText(/^All your agents together: \$0\.0\d+ of \$20\.00 this month\./)).toBeVisible();
});

test('the picture of days is split by links, with a legend and a table, each picture by itself', async ({ laptop, admin: page, endpoint, person }) => {
  for (const [name, text] of [['Ada', 'Hello'], ['Fern', 'Hello, and tell me more of the moss.']] as const) {
    const id = await createAgent(laptop, endpoint, name);
    await laptop.goto(`/agents/${id}`);
    const agent = new AgentPage(laptop);
    await agent.say(text);
    await expect(async () => {
      await laptop.reload();
      await expect(agent.messages.last()).toHaveText(`You said: ${text}`, { timeout: 100 });
    }).toPass();
  }
  const usage = new UsagePage(laptop);
  await expect(async () => {
    await usage.open();
    await expect(usage.own).toContainText('for 2 model calls', { timeout: 100 });
  }).toPass();
  await expect(usage.parts(usage.own)).toHaveCount(0);
  await expect(usage.split(usage.own).getByRole('link', { name: 'Whole' })).toHaveAttribute('aria-current', 'true');

  await usage.split(usage.own).getByRole('link', { name: 'Agent' }).click();
  await expect(laptop).toHaveURL('/usage?by=agent');
  await expect(usage.parts(usage.own)).toHaveText([/^Fern\$0\.0/, /^Ada\$0\.0/]);
  await expect(usage.own.getByRole('img', { name: /^Cost by day and agent\. Most: / })).toBeVisible();
  await usage.own.getByText('Day by day').click();
  await expect(usage.own.getByRole('columnheader', { name: /^(Fern|Ada)$/ })).toHaveText(['Fern', 'Ada']);
  for (const [by, name] of [['Model', Endpoint.anthropicModel], ['Provider', 'Endpoint of Ada'], ['Purpose', 'Replies']] as const) {
    await usage.split(usage.own).getByRole('link', { name: by }).click();
    await expect(usage.parts(usage.own).filter({ hasText: name })).toHaveCount(1);
  }

  const all = new UsagePage(page);
  await page.goto('/usage?by=model');
  await all.split(all.everybody).getByRole('link', { name: 'Person' }).click();
  await expect(page).toHaveURL('/usage?by=model&everybody_by=agent#everybody');
  await expect(all.everybody.getByRole('img', { name: /^Cost by day and person/ })).toBeVisible();
  await expect(all.line(all.everybody, person.name)).toBeVisible();
  await all.split(all.everybody).getByRole('link', { name: 'Provider' }).click();
  await expect(all.parts(all.everybody)).toHaveText([/^People's own\$/]);
});

test('tools are counted with what became of their calls, in a table and a file, for oneself and for everybody', async ({ laptop, admin: page, endpoint, person }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  await laptop.goto(`/agents/${id}`);
  const agent = new AgentPage(laptop);
  const state = (input: object) => [{ tool: 'state', input }];
  const nothing = [{ tool: 'the diary of Ada', input: {} }];
  const turns = [state({ action: 'list' }), state({ action: 'jump' }), nothing, [{ text: 'All of them were called.' }]];
  await agent.say(`turns: ${JSON.stringify(turns)}`);
  await expect(async () => {
    await laptop.reload();
    await expect(agent.messages.last()).toHaveText('All of them were called.', { timeout: 100 });
  }).toPass();
  const usage = new UsagePage(laptop);
  await usage.open();
  await expect(usage.line(usage.own, 'state').getByRole('cell')).toHaveText(['state', '2', '0', '1', '0', '1', '0', /\ss$/]);
  await expect(usage.line(usage.own, 'Tools that there are not')).toBeVisible();
  await expect(usage.own).not.toContainText('diary');
  const lines = await linesOf(laptop, usage.file(usage.own, 'Calls'), 'vivarium-tools.csv');
  expect(lines.slice(1)).toEqual([
    expect.stringContaining(`,"Ada",${id},"",none,model,refused,1,`),
    expect.stringContaining(`,"Ada",${id},"state",built_in,model,done,1,`),
    expect.stringContaining(`,"Ada",${id},"state",built_in,model,refused,1,`),
  ]);

  const all = new UsagePage(page);
  await all.open();
  await expect(all.line(all.everybody, 'state')).toBeVisible();
  expect(await linesOf(page, all.file(all.everybody, 'Calls'), 'vivarium-tools-of-all.csv')).toContainEqual(
    expect.stringMatching(/^\d{4}-\d\d-\d\d,"state",built_in,model,done,\d+,\d+$/),
  );
  expect(await linesOf(page, all.file(all.everybody, 'Cost'), 'vivarium-usage-of-all.csv')).toContainEqual(
    expect.stringContaining(`,"${person.name}",`),
  );
  await all.everybody.getByRole('link', { name: 'Each call' }).click();
  await expect(page).toHaveURL('/admin/calls');
});

test('an administrator limits a person, and sees what everybody used', async ({ laptop, admin: page, endpoint, person }) => {
  const admin = new Admin(page);
  const limited = await admin.openPerson(person.name);
  await limited.limits.set('One day', '0.01');
  await expect(limited.limitsSaved).toHaveText('The limits are saved.');
  await expect(limited.spending).toContainText('$0.00 of $0.01');

  const id = await createAgent(laptop, endpoint, 'Ada');
  await laptop.goto(`/agents/${id}`);
  const agent = new AgentPage(laptop);
  await agent.say('Hello');
  const stopped = agent.notice("By your administrator's limit, all your agents together may spend $0.01 a day.");
  await expect(async () => {
    await laptop.reload();
    await expect(stopped).toBeVisible({ timeout: 100 });
  }).toPass();

  await limited.limits.set('One day', '');
  await expect(async () => {
    await laptop.reload();
    await expect(agent.messages.last()).toHaveText('You said: Hello', { timeout: 100 });
  }).toPass();
  const usage = new UsagePage(page);
  await usage.open();
  await expect(usage.line(usage.everybody, person.name)).toContainText('$0.0');
  await expect(usage.own).toContainText('Nothing was used in the last thirty days.');
});

/** What the file that the link leads to holds. */
async function linesOf(page: Page, link: Locator, name: string): Promise<string[]> {
  const file = page.waitForEvent('download');
  await link.click();
  expect((await file).suggestedFilename()).toBe(name);
  const sheet = await readFile(await (await file).path(), 'utf8');
  return sheet.trimEnd().split('\n');
}
