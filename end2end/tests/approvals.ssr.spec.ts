// Answering a question and keeping rules, with JavaScript switched off.

import { createAgent, expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { Dashboard } from '../pages/dashboard.ts';
import { RulesPage } from '../pages/rules-page.ts';

const SETS = `turns: ${JSON.stringify([
  [{ tool: 'state', input: { action: 'set', key: 'season', value: 'moss' } }],
  [{ text: 'Done.' }],
])}`;

test('a rule asks, the form answers, and a second answer says who was first', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  await laptop.goto(`/agents/${id}/edit`);
  await laptop.getByRole('link', { name: 'Rules of Ada' }).click();
  const rules = new RulesPage(laptop);
  await rules.add('Ask me before', 'state');
  await expect(rules.rows).toHaveText([/Ask before state/]);

  const [onLaptop, onPhone] = [new AgentPage(laptop), new AgentPage(phone)];
  await laptop.goto(`/agents/${id}`);
  await onLaptop.say(SETS);
  await expect(async () => {
    await laptop.reload();
    await expect(onLaptop.approval).toBeVisible({ timeout: 100 });
  }).toPass();
  await phone.goto(`/agents/${id}`);
  await expect(onPhone.approval).toContainText('"value": "moss"');
  await onLaptop.approval.getByRole('button', { name: 'Allow once' }).click();
  await expect(laptop).toHaveURL(new RegExp(`/agents/${id}\\??$`));
  await expect(onLaptop.notice('Allowed once, on')).toBeVisible();
  await onPhone.approval.getByRole('button', { name: 'Deny', exact: true }).click();
  await expect(phone.getByRole('alert')).toContainText('This was allowed already, on');

  await rules.open(id);
  await rules.takeBack('Ask before state');
  await expect(rules.rows).toHaveCount(0);

  // What that call set stands there, and goes with a press.
  await expect(async () => {
    await rules.open(id);
    await expect(rules.values).toHaveText([/season.*By the agent/s], { timeout: 100 });
  }).toPass();
  await rules.state.getByRole('button', { name: 'Delete season' }).click();
  await expect(rules.values).toHaveCount(0);
});

test('what waits stands on the wall, and can be answered there', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const rules = new RulesPage(laptop);
  await rules.open(id);
  await rules.add('Ask me before', 'state');
  await laptop.goto(`/agents/${id}`);
  await new AgentPage(laptop).say(SETS);
  const dashboard = new Dashboard(laptop);
  await expect(async () => {
    await dashboard.open();
    await expect(dashboard.needsYou).toContainText('Ada wants to use state.', { timeout: 100 });
  }).toPass();
  await expect(dashboard.card('Ada')).toContainText('waiting for you');
  await dashboard.needsYou.getByRole('button', { name: 'Deny', exact: true }).click();
  await expect(laptop).toHaveURL(/:\d+\/\??$/);
  await expect(dashboard.needsYou).toHaveCount(0);
});
