// What an agent changes in its files: seen in the conversation as it happens, and taken back with one press.

import { axe, createAgent, expect, screens, test } from '../fixtures.ts';
import { ask } from '../fixtures/api.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { FilesPage } from '../pages/files-page.ts';

const turns = (...calls: [string, object][]) => {
  const said = calls.map(([tool, input]) => [{ tool, input }]);
  return `turns: ${JSON.stringify([...said, [{ text: 'Done.' }]])}`;
};

for (const home of ['hub', 'browser'] as const) {
  test(`a change of an agent at home in the ${home} is shown as a difference and taken back`, async ({ laptop, phone, endpoint }) => {
    const id = await createAgent(laptop, endpoint, 'Fern', home, ['read', 'write', 'edit', 'glob', 'grep', 'files']);
    const agent = new AgentPage(laptop);
    await agent.open(id);
    const written = { path: 'plan.md', content: '# Plan\n\n- water the moss\n- read\n' };
    const edited = { path: 'plan.md', old_string: 'water the moss', new_string: 'water the fern' };
    await agent.say(turns(['write', written], ['edit', edited], ['grep', { pattern: 'fern', output_mode: 'content' }]));
    await expect(agent.log.getByText('Done.')).toBeVisible();

    const change = agent.log.locator('.tool').filter({ hasText: 'edit' });
    await change.locator('summary').click();
    await expect(change.locator('.diff-line[data-kind="removed"]')).toHaveText('-- water the moss');
    await expect(change.locator('.diff-line[data-kind="added"]')).toHaveText('+- water the fern');
    if (home === 'hub') {
      await axe(laptop);
      await screens(laptop, 'file-change');
    }

    const files = new FilesPage(phone);
    await files.open(id);
    await phone.getByRole('link', { name: 'plan.md', exact: true }).click();
    await expect(files.contents).toContainText('water the fern');
    await expect(files.versions).toHaveCount(2);
    if (home === 'hub') {
      await axe(phone);
      await screens(phone, 'file');
      await files.open(id);
      await screens(phone, 'files');
      await axe(phone);
    }

    await change.getByRole('button', { name: 'Undo this change' }).click();
    await expect(change).toContainText('The change was taken back.');
    await phone.goto(`/agents/${id}/files/view?path=plan.md`);
    await expect(files.contents).toContainText('water the moss');
    await expect(files.versions).toHaveCount(3);
  });
}

test('a document that an agent made is looked at and downloaded', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern', 'hub', ['document']);
  const agent = new AgentPage(laptop);
  const columns = ['Kind', 'Found', 'Count', 'Where', 'Who', 'Why it matters'].map((name) => ({ name }));
  const rows = [['Star moss', '2026-03-01', 3, 'Under the old oak', 'Ada', 'It was not seen here before'], ['Sum', null, '=SUM(C2:C2)']];
  await ask(laptop, id, turns(['document', { path: 'mosses.xlsx', sheets: [{ name: 'Mosses', columns, rows }] }]));
  await agent.open(id);
  const made = agent.log.locator('.tool').filter({ hasText: 'document' });
  await made.locator('summary').click();
  await expect(made.getByRole('button', { name: 'Undo this change' })).toBeVisible();

  const files = new FilesPage(phone);
  await phone.goto(`/agents/${id}/files/view?path=mosses.xlsx`);
  await expect(files.contents.getByRole('heading', { name: 'Sheet 1 of 1: Mosses' })).toBeVisible();
  await expect(files.contents.getByRole('cell', { name: '[=SUM(C2:C2)]' })).toBeVisible();
  await axe(phone);
  await screens(phone, 'document');
  const download = phone.waitForEvent('download');
  await phone.getByRole('link', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('mosses.xlsx');
});

test('a change that another one followed is not taken back from the conversation', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern', 'hub', ['write', 'edit']);
  const agent = new AgentPage(laptop);
  await ask(laptop, id, turns(['write', { path: 'a.txt', content: 'one\n' }], ['edit', { path: 'a.txt', old_string: 'one', new_string: 'two' }]));
  await agent.open(id);
  const first = agent.log.locator('.tool').filter({ hasText: 'write' });
  await first.locator('summary').click();
  await first.getByRole('button', { name: 'Undo this change' }).click();
  await expect(first.getByRole('alert')).toContainText('has been changed since');
});
