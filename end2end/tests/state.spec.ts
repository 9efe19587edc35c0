// What an agent and its page keep together, as its person sees it.

import { axe, createAgent, expect, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { hydrated } from '../pages/page.ts';
import { RulesPage } from '../pages/rules-page.ts';

test('what agent and page keep stands with their rules as it is now, with who set it, and comes back once deleted', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const rules = new RulesPage(laptop);
  await laptop.goto(`/agents/${id}/edit`);
  await hydrated(laptop);
  await laptop.getByRole('link', { name: 'What it keeps', exact: true }).click();
  await expect(rules.state).toContainText('Nothing so far.');

  const agent = new AgentPage(phone);
  await agent.open(id);
  const set = (key: string, value: unknown) => ({ tool: 'state', input: { action: 'set', key, value } });
  await agent.say(`turns: ${JSON.stringify([[set('beds', 3)], [set('moss', { tale: 'soft '.repeat(40) })], [{ text: 'Done.' }]])}`);
  await expect(agent.messages.last()).toHaveText('Done.');
  const row = (key: string) => rules.values.filter({ has: laptop.getByText(key, { exact: true }) });
  const [beds, moss, count] = [row('beds'), row('moss'), row('count')];
  await expect(beds).toContainText('By the agent');
  await expect(beds.getByRole('link')).toHaveAttribute('href', new RegExp(`^/agents/${id}/conversations/`));

  await agent.play('flo');
  await expect(agent.messages.last()).toHaveText('The counter is drawn.');
  await agent.show('Page');
  await agent.skin('Ada').getByRole('button', { name: 'Add' }).click();
  await expect(count).toContainText('By its page, or by you');
  await expect(rules.values).toHaveCount(3);

  const whole = moss.getByRole('group', { name: 'Exactly this' });
  await expect(whole).toBeHidden();
  await moss.locator('summary').click();
  await expect(whole).toContainText('"tale": "soft soft');

  await rules.state.getByRole('button', { name: 'Delete count' }).click();
  await expect(count).toHaveCount(0);
  await expect(agent.skin('Ada').locator('#count')).toHaveText('Count: 0');
  await rules.state.getByRole('button', { name: 'Undo' }).click();
  await expect(count).toContainText('1');
  await expect(rules.state.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await expect(agent.skin('Ada').locator('#count')).toHaveText('Count: 1');

  const onPhone = new RulesPage(phone);
  await onPhone.open(id);
  await expect(onPhone.values).toHaveCount(3);
  expect(await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await axe(phone);
  await screens(laptop, 'state');
});
