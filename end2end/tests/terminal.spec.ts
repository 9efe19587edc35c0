// Commands of agents: asked about with what they are, shown with what they said and changed, and taken back.

import { axe, createAgent, expect, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { FilesPage } from '../pages/files-page.ts';

test('a command is asked about, and shows what it said and changed', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern', 'browser', ['terminal', 'write']);
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const command = 'printf "fern\\nash\\n" > trees.txt && sort trees.txt | tee sorted.txt; ln -s / out; id -un';
  const turns = [[{ tool: 'terminal', input: { command } }], [{ text: 'Sorted.' }]];
  await agent.say(`turns: ${JSON.stringify(turns)}`);
  await expect(agent.approval).toContainText('sort trees.txt');
  await screens(laptop, 'terminal-asked');
  const other = new AgentPage(phone);
  await other.open(id);
  await other.approval.getByRole('button', { name: 'Allow once' }).click();
  await expect(agent.messages.last()).toHaveText('Sorted.');

  const call = agent.log.locator('.tool').filter({ hasText: 'terminal' });
  await call.locator('summary').click();
  await expect(call).toContainText('ash\nfern\nagent\n');
  await expect(call).toContainText('It succeeded');
  await expect(call).toContainText('/agent/out was not kept: it is a link or no file.');
  await axe(laptop);
  await screens(laptop, 'terminal');
  await call.getByRole('listitem').filter({ hasText: 'sorted.txt' }).getByRole('button', { name: 'Undo this change' }).click();
  await expect(call).toContainText('The change was taken back.');
  await laptop.goto(`/agents/${id}/files`);
  await expect(laptop.getByRole('region', { name: 'Files', exact: true })).toContainText('trees.txt');
  await expect(laptop.getByRole('region', { name: 'Files', exact: true })).not.toContainText('sorted.txt');
  await expect(laptop.getByRole('region', { name: 'Bin' })).toContainText('sorted.txt');
});

test('what a command did to many files is taken back at once, and their page shows them in parts', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern', 'hub', ['terminal']);
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const command = 'mkdir many; for i in $(seq 310); do echo moss > many/$i.txt; done';
  await agent.say(`turns: ${JSON.stringify([[{ tool: 'terminal', input: { command } }], [{ text: 'Made.' }]])}`);
  await agent.approval.getByRole('button', { name: 'Allow once' }).click();
  await expect(agent.messages.last()).toHaveText('Made.');

  const files = new FilesPage(laptop);
  await files.open(id, 'many');
  await expect(files.rows).toHaveCount(300);
  await screens(laptop, 'files-many');
  await laptop.getByRole('link', { name: 'Show more files' }).click();
  await expect(files.rows).toHaveCount(310);
  await laptop.getByRole('searchbox', { name: 'Find files' }).fill('MANY/31');
  await laptop.getByRole('button', { name: 'Find', exact: true }).click();
  await expect(files.rows).toHaveCount(2);
  await laptop.getByRole('link', { name: 'Show all' }).click();
  await expect(files.rows).toHaveCount(1);

  await agent.open(id);
  const call = agent.log.locator('.tool').filter({ hasText: 'terminal' });
  await call.locator('summary').click();
  await screens(laptop, 'terminal-many');
  await call.getByRole('button', { name: 'Undo all 310 changes of files' }).click();
  await expect(call).toContainText('310 files are as they were before.');
  await files.open(id);
  await expect(files.rows).toHaveCount(0);
});
