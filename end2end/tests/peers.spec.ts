// Agents of somebody else's hub: found, looked through, asked, and seen while they answer.

import { axe, createAgent, expect, Person, screens, test } from '../fixtures.ts';
import { post, read } from '../fixtures/api.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { DelegationsPage } from '../pages/delegations-page.ts';
import { PeersPage } from '../pages/peers-page.ts';

test('an agent of another hub is added, asked with a yes, and seen at work', async ({ laptop, phone, endpoint, hub, browser }) => {
  // Somebody else's agents and token: to a person it is another hub.
  const context = await browser.newContext();
  const other = await (await Person.join(hub)).signIn(context);
  await createAgent(other, endpoint, 'Fern');
  const { token } = (await post(other, 'account/create_token', [
    ['name', 'garden'],
    ['scope', 'agents'],
  ])) as unknown as { token: string };

  const page = new PeersPage(laptop);
  await page.open();
  await expect(laptop.getByRole('heading', { name: 'No peer yet' })).toBeVisible();
  await screens(laptop, 'peers-empty');
  await page.add('garden', hub.url, { token: 'nobody-knows-this' });
  await expect(page.problem).toContainText('It wants to know who asks');
  await screens(laptop, 'peer-failed');
  await laptop.getByRole('main').getByLabel('Token, if it wants one').fill(token);
  await page.press('Set the token');
  await expect(page.done).toContainText('This says who asks from now on');
  expect(await laptop.content()).not.toContain(token);
  await page.press('Test');
  await expect(page.done).toContainText('It answers. These are its agents now.');
  await page.pressAt('Switch off', 'Fern');
  await expect(page.agent('Fern')).toContainText('Off');
  await page.pressAt('Switch on', 'Fern');
  await expect(page.agent('Fern')).toContainText('On');
  await axe(laptop);
  await screens(laptop, 'peer');

  const id = await createAgent(laptop, endpoint, 'Ada', 'hub', ['agent_ask', 'agent_list']);
  await post(laptop, 'agents/set_network', [
    ['id', id],
    ['policy', 'allow_list'],
    ['hosts', new URL(hub.url).host],
  ]);
  const gated = `turns: ${JSON.stringify([[{ text: 'Ferns gate like shade.', gate: 'gate' }]])}`;
  const input = { hub: 'garden', agents: ['Fern'], text: gated, wait_seconds: 60 };
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.say(`turns: ${JSON.stringify([[{ tool: 'agent_ask', input }], [{ text: 'It has answered.' }]])}`);
  await expect(agent.approval).toBeVisible();
  await screens(laptop, 'peer-approval');
  await agent.approval.getByRole('button', { name: 'Allow once' }).click();

  const onPhone = new DelegationsPage(phone);
  await onPhone.open();
  await expect(onPhone.row('Fern @ garden')).toContainText('At work');
  await expect(onPhone.row('Fern @ garden')).toContainText('It says: Ferns', { timeout: 10_000 });
  await screens(phone, 'delegation-elsewhere');
  await endpoint.openGate();
  await expect(agent.messages.last()).toHaveText('It has answered.');
  await agent.log.locator('.tool > summary').filter({ hasText: 'Asked other agents' }).click();
  await expect(laptop.locator('.asked-agent')).toContainText('Ferns gate like shade.');
  const [one] = await read(laptop, 'delegations/list', {});
  expect([one.kind, one.state]).toEqual(['peer', 'completed']);

  await page.open();
  await page.peers.getByRole('link', { name: 'garden' }).click();
  await page.press('Switch off');
  await expect(laptop.getByText('It is off: no agent of yours can ask it.')).toBeVisible();
  await page.remove();
  await expect(laptop.getByRole('heading', { name: 'No peer yet' })).toBeVisible();
  await context.close();
});
