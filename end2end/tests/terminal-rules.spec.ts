// Who has a terminal and for how long, and what commands reach: said on pages, and seen where it counts.

import { axe, createAgent, expect, Pages, screens, test as base } from '../fixtures.ts';
import { allow } from '../fixtures/api.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { hydrated } from '../pages/page.ts';

const test = base.extend<{}, {}>({
  settings: [async ({}, use) => use({ VIVARIUM_PRIVATE_WEB: 'on' }), { scope: 'worker' }],
});

const run = (input: object, answer: string) => `turns: ${JSON.stringify([[{ tool: 'terminal', input }], [{ text: answer }]])}`;

test('an administrator says who has a terminal, and agents have it or not', async ({ admin, laptop, phone, endpoint }) => {
  await admin.goto('/admin');
  await hydrated(admin);
  const terminal = admin.getByRole('region', { name: 'Terminal' });
  await expect(terminal.getByRole('radio', { name: 'Those of administrators and members' })).toBeChecked();
  await axe(admin);
  await screens(admin, 'admin-terminal');
  await terminal.getByRole('radio', { name: 'Nobody’s' }).check();
  await terminal.getByRole('spinbutton', { name: 'Minutes a day for each person' }).fill('30');
  await terminal.getByRole('button', { name: 'Save' }).click();
  await expect(admin.getByRole('region', { name: 'Audit' })).toContainText('Terminal set');
  const without = await createAgent(laptop, endpoint, 'Moss', 'hub', ['files']);
  await phone.goto(`/agents/${without}/edit`);
  await hydrated(phone);
  const tool = (name: string) => phone.locator(`input[name="tools[]"][value="${name}"]`);
  await expect(tool('files')).toBeAttached();
  await expect(tool('terminal')).toHaveCount(0);
  await terminal.getByRole('radio', { name: 'Those of administrators and members' }).check();
  await terminal.getByRole('spinbutton', { name: 'Minutes a day for each person' }).fill('');
  await terminal.getByRole('button', { name: 'Save' }).click();
  await expect(admin.getByRole('region', { name: 'Audit' }).getByText('Terminal set')).toHaveCount(2);
  const id = await createAgent(laptop, endpoint, 'Fern', 'hub', ['terminal']);
  await allow(laptop, id, 'terminal', '');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.say(run({ command: 'echo moss' }, 'Done.'));
  await expect(agent.messages.last()).toHaveText('Done.');
});

test('commands reach the hosts on the list once their person says so, and the page shows what they reached', async ({ laptop, phone, endpoint }) => {
  const pages = await Pages.start({ '/moss': ['Moss', 'It is damp.'] });
  const id = await createAgent(laptop, endpoint, 'Fern', 'hub', ['terminal']);
  await laptop.goto(`/agents/${id}/edit`);
  await hydrated(laptop);
  const network = laptop.getByRole('region', { name: 'What it may reach of the web' });
  await network.getByRole('radio', { name: 'These hosts' }).check();
  await network.getByRole('textbox', { name: 'Hosts' }).fill(pages.host);
  await network.getByRole('button', { name: 'Set what it reaches' }).click();
  await hydrated(laptop);
  await network.getByRole('checkbox', { name: 'Its commands reach these hosts too' }).check();
  await network.getByRole('button', { name: 'Set what its commands reach' }).click();
  await hydrated(laptop);
  await expect(network.getByRole('checkbox', { name: 'Its commands reach these hosts too' })).toBeChecked();
  await axe(laptop);
  await screens(laptop, 'agent-network');

  const agent = new AgentPage(laptop);
  await agent.open(id);
  const ask = (url: string) =>
    `(exec 3<>/dev/tcp/127.0.0.1/3128; printf 'GET ${url} HTTP/1.1\\r\\nConnection: close\\r\\n\\r\\n' >&3; cat <&3)`;
  const command = `${ask(`http://${pages.host}/moss`)}; ${ask('http://moss.example/')}`;
  await agent.say(run({ command }, 'Read.'));
  const other = new AgentPage(phone);
  await other.open(id);
  await expect(other.approval).toContainText(`It can send what it reads to ${pages.host}`);
  await screens(phone, 'terminal-reaches-asked');
  await other.approval.getByRole('button', { name: 'Allow once' }).click();
  await expect(agent.messages.last()).toHaveText('Read.');
  const call = agent.log.locator('.tool').filter({ hasText: 'terminal' });
  await call.locator('summary').click();
  await expect(call).toContainText('It is damp.');
  await expect(call).toContainText(`It reached http://${pages.host}`);
  await expect(call).toContainText('It did not reach http://moss.example');
  await axe(laptop);
  await screens(laptop, 'terminal-reached');
});
