// A folder that two agents share: one writes, the other reads and changes, and their person sees what changed and takes
// it back.

import { axe, createAgent, expect, screens, test } from '../fixtures.ts';
import { ask } from '../fixtures/api.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { FilesPage } from '../pages/files-page.ts';
import { WorkspacesPage } from '../pages/workspaces-page.ts';

const path = '/workspace/plan.md';
const turns = (...calls: [string, object][]) => {
  const said = calls.map(([tool, input]) => [{ tool, input }]);
  return `turns: ${JSON.stringify([...said, [{ text: 'Done.' }]])}`;
};

test('one agent writes, the other one changes it, and the person takes that back', async ({ laptop, phone, endpoint }) => {
  const workspaces = new WorkspacesPage(laptop);
  const files = new FilesPage(laptop);
  await workspaces.open();
  await expect(workspaces.all).toContainText('No workspace yet.');
  await workspaces.create('Garden plan');
  await expect(laptop.getByRole('heading', { name: 'Files of Garden plan' })).toBeVisible();
  const address = laptop.url();

  const ids: string[] = [];
  for (const name of ['Moss', 'Fern']) {
    const id = await createAgent(laptop, endpoint, name, 'hub', ['read', 'write', 'edit']);
    ids.push(id);
    await files.open(id);
    await workspaces.give('Garden plan');
  }
  const [moss, fern] = ids as [string, string];
  await laptop.goto(address);
  await expect(workspaces.agents).toContainText('Moss');
  await expect(workspaces.agents).toContainText('Fern');

  await ask(laptop, moss, turns(['write', { path, content: 'water the moss\n' }]));
  await ask(laptop, fern, turns(['read', { path }], ['edit', { path, old_string: 'moss', new_string: 'fern' }]));

  const agent = new AgentPage(phone);
  await agent.open(fern);
  const change = agent.log.locator('.tool').filter({ hasText: 'edit' });
  await change.locator('summary').click();
  await expect(change).toContainText('water the fern');
  await screens(phone, 'workspace-change');
  await change.getByRole('link', { name: 'Open the file' }).click();
  const page = new FilesPage(phone);
  await expect(page.contents).toContainText('water the fern');
  await expect(page.versions.first()).toContainText('Fern');
  await expect(page.versions.last()).toContainText('Moss');
  await axe(phone);

  await agent.open(fern);
  await change.locator('summary').click();
  await change.getByRole('button', { name: 'Undo this change' }).click();
  await expect(change).toContainText('The change was taken back.');
  await laptop.goto(address);
  await expect(files.row('plan.md')).toContainText('You');
  await screens(laptop, 'workspace');
  await axe(laptop);
  await laptop.goto(`${address}/view?path=plan.md`);
  await expect(files.contents).toContainText('water the moss');
  await expect(files.versions).toHaveCount(3);

  await laptop.goto(address);
  await workspaces.rename('Moss garden');
  await expect(laptop.getByRole('heading', { name: 'Files of Moss garden' })).toBeVisible();
  await workspaces.open();
  await expect(workspaces.all).toContainText('Fern, Moss');
  await screens(laptop, 'workspaces');
  await axe(laptop);
  await laptop.goto(address);
  await workspaces.delete();
  await expect(workspaces.all).toContainText('No workspace yet.');
  await files.open(moss);
  await expect(laptop.getByRole('region', { name: 'Workspace' })).toContainText('You have made no workspace yet.');
});
