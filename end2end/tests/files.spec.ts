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
    await expect(agent.messages.last()).toHaveText('Done.');

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

test('a chart that an agent drew stands in the conversation and among its files', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern', 'hub', ['chart', 'read']);
  const agent = new AgentPage(laptop);
  const columns = ['Month', 'Sold', 'Returned'];
  const rows = [['January', 120, 4], ['February', 95, 8], ['March', 180, 6]];
  const draw = { kind: 'bar', title: 'Mosses by month', y_title: 'Pots', to: 'charts/sales.png', columns, rows };
  await ask(laptop, id, turns(['chart', draw]));
  await agent.open(id);
  const shown = agent.log.getByRole('img', { name: 'sales.png' });
  await expect(shown).toBeVisible();
  expect(await shown.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(320);
  await axe(laptop);
  await screens(laptop, 'chart-in-conversation');
  const made = agent.log.locator('.tool').filter({ hasText: 'chart' });
  await made.locator('summary').click();
  await expect(made.getByRole('link', { name: 'Open the file' })).toBeVisible();

  await phone.goto(`/agents/${id}/files/view?path=charts/sales.png`);
  await expect(new FilesPage(phone).contents.getByRole('img')).toBeVisible();
  await screens(phone, 'chart');
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

test('what a person changed meanwhile is not written over, and both changes are there in the end', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern', 'hub', ['read', 'edit']);
  const [agent, files] = [new AgentPage(laptop), new FilesPage(phone)];
  const plan = (content: string) => ({ name: 'plan.md', mimeType: 'text/markdown', buffer: Buffer.from(content) });
  await files.open(id);
  await files.upload('', plan('- water the moss\n'));
  await expect(files.row('plan.md')).toBeVisible();
  await agent.open(id);
  const edit = { tool: 'edit', input: { path: 'plan.md', old_string: 'water the moss', new_string: 'water the fern' } };
  const read = { tool: 'read', input: { path: 'plan.md' } };
  const turns = [[read], [{ text: 'I think about it. gate Now.', gate: 'gate' }, edit], [read], [edit], [{ text: 'Done.' }]];
  await agent.say(`turns: ${JSON.stringify(turns)}`);
  await expect(agent.streaming).toContainText('I think about it.');
  await files.upload('', plan('- water the moss\n- sweep the path\n'));
  await expect(files.row('plan.md')).toContainText('34 bytes');
  await endpoint.openGate();
  await expect(agent.messages.last()).toHaveText('Done.');

  const edits = agent.log.locator('.tool').filter({ hasText: 'edit' });
  await expect(edits).toHaveCount(2);
  await expect(edits.first()).toHaveAttribute('data-status', 'error');
  await edits.first().locator('summary').click();
  await expect(edits.first()).toContainText('/agent/plan.md has changed since you read it. Read it again before you change it.');
  await phone.getByRole('link', { name: 'plan.md', exact: true }).click();
  await expect(files.contents).toContainText('water the fern');
  await expect(files.contents).toContainText('sweep the path');
  await expect(files.versions).toHaveText([/^3.*Fern/s, /^2.*You/s, /^1.*You/s]);
});

test('what another device did meanwhile is said, and nothing is lost by it', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern');
  const [here, there] = [new FilesPage(laptop), new FilesPage(phone)];
  await here.open(id);
  await here.upload('', { name: 'plan.md', mimeType: 'text/markdown', buffer: Buffer.from('# Plan\n') });
  await laptop.getByRole('link', { name: 'plan.md', exact: true }).click();
  await there.open(id);
  await there.press('plan.md', 'Delete');
  await expect(there.bin).toContainText('plan.md');

  await laptop.getByLabel('Its new path').fill('old/plan.md');
  await laptop.getByRole('button', { name: 'Move' }).click();
  await expect(laptop.getByRole('alert')).toContainText('There is no such file.');
  await expect(laptop.getByLabel('Its new path')).toHaveValue('old/plan.md');
  await there.press('plan.md', 'Restore');
  await expect(there.row('plan.md')).toBeVisible();
  await laptop.getByRole('button', { name: 'Move' }).click();
  await expect(here.row('old')).toBeVisible();
});
