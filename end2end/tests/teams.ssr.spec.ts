// A team from a file on the laptop, looked at before it is made; its limits and its file on the phone. No script is
// needed for any of it.

import { readFile } from 'node:fs/promises';
import { createAgent, expect, screens, test } from '../fixtures.ts';
import { TeamsPage } from '../pages/teams-page.ts';

const NEWSROOM = `team: Newsroom
agents:
  - role: editor
    description: Plans what is written, and has the others work.
    instructions: You lead a small newsroom.
    tools: [leading, terminal]
    model: no-such-model
    names: [Anna]
    most: 1
  - role: reviewer
    description: Reads a text closely and says what is wrong with it.
    instructions: You review what others wrote.
    tools: [writing]
    least: 2
    most: 2
    temper: mild
`;

test('a team is looked at, made, held to its limits and taken along', async ({ laptop, phone, endpoint }) => {
  await createAgent(laptop, endpoint, 'Moss');
  const [onLaptop, onPhone] = [new TeamsPage(laptop), new TeamsPage(phone)];
  await onLaptop.open();
  await expect(onLaptop.roles).toContainText('No role yet.');
  await screens(laptop, 'teams-empty');
  await onLaptop.look('agents:\n- role: cook\n  least: 3\n  most: 2\n- role: cook\n  most: 0\n');
  for (const words of ['Line 2: of "cook" there are to be 3 agents, and at most 2.', 'Line 6: most is a whole number', 'Line 5: there are two roles']) {
    await expect(laptop.getByRole('main')).toContainText(words);
  }
  await screens(laptop, 'team-refused');

  await onLaptop.open();
  await onLaptop.look(NEWSROOM);
  await expect(laptop.getByRole('heading', { level: 1, name: 'Newsroom' })).toBeVisible();
  await expect(onLaptop.row('editor')).toContainText('Anna');
  await expect(onLaptop.row('editor')).toContainText('Line 6: the tool "terminal" is left out');
  await expect(onLaptop.row('editor')).toContainText('none of your providers has the model "no-such-model"');
  await expect(onLaptop.row('reviewer')).toContainText('Reviewer, Reviewer 2');
  await expect(onLaptop.row('reviewer')).toContainText('Line 16: "temper" means nothing here');
  await screens(laptop, 'team-review');
  await phone.goto(new URL(laptop.url()).pathname);
  await screens(phone, 'team-review');
  await onLaptop.make('Make 3 agents');
  await expect(onLaptop.done).toBeVisible();

  await onPhone.open();
  await expect(onPhone.row('reviewer')).toContainText('Reviewer, Reviewer 2');
  await screens(phone, 'teams');
  await screens(laptop, 'teams');
  await onPhone.row('reviewer').getByRole('button', { name: 'Make another' }).click();
  await expect(onPhone.failure).toContainText('The role reviewer is for 2 at a time');
  await onPhone.row('reviewer').getByLabel('At most').fill('3');
  await onPhone.row('reviewer').getByRole('button', { name: 'Set the limit' }).click();
  await expect(onPhone.row('reviewer')).toContainText('2 to 3');
  await onPhone.row('reviewer').getByRole('button', { name: 'Make another' }).click();
  await expect(phone.getByRole('heading', { level: 1, name: 'Reviewer 3' })).toBeVisible();

  await onPhone.open();
  await onPhone.export('Anna', 'Reviewer', 'Reviewer 2', 'Moss');
  await expect(onPhone.file).toHaveValue(/role: moss[^]*role: editor[^]*- Anna[^]*role: reviewer[^]*- Reviewer\n[^]*- Reviewer 2\n/);
  await expect(phone.getByRole('note')).toContainText('Only what an agent is goes along');
  await screens(phone, 'team-file');
  const saving = phone.waitForEvent('download');
  await phone.getByRole('link', { name: 'Save as a file' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('agents.yaml');
  expect(await readFile(await saved.path(), 'utf8')).toBe(await onPhone.file.inputValue());

  await onPhone.open();
  await onPhone.row('editor').getByRole('button', { name: 'Delete' }).click();
  await expect(onPhone.row('editor')).toHaveCount(0);
  await expect(phone.getByRole('checkbox', { name: 'Anna', exact: true })).toBeVisible();
});
