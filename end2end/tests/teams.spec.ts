// What script adds: a file is read into the form, tools are chosen as a set in one press; and what only a screen reader
// sees of these pages.

import { axe, createAgent, expect, screens, test } from '../fixtures.ts';
import { hydrated } from '../pages/page.ts';
import { TeamsPage } from '../pages/teams-page.ts';

test('a file is read into the form, and each page of a team can be read by everybody', async ({ laptop, phone, endpoint }) => {
  await createAgent(laptop, endpoint, 'Moss');
  const onLaptop = new TeamsPage(laptop);
  await onLaptop.open();
  await axe(laptop);
  const text = 'agents:\n  - role: cook\n    description: Knows soup.\n    tools: [writing, terminal]\n    most: 2\n';
  await laptop.getByLabel('A file', { exact: true }).setInputFiles({ name: 'agents.yaml', mimeType: 'application/yaml', buffer: Buffer.from(text) });
  await expect(laptop.getByLabel('The text')).toHaveValue(text);
  await onLaptop.press('Look at the team', /\/teams\/files\//);
  await expect(onLaptop.row('cook')).toContainText('Line 4: the tool "terminal" is left out');
  await axe(laptop);
  await phone.goto(new URL(laptop.url()).pathname);
  await axe(phone);
  await onLaptop.make('Make 1 agent');
  await expect(onLaptop.row('cook')).toContainText('Cook');
  await axe(laptop);
  await onLaptop.row('cook').getByLabel('At most').fill('1');
  await onLaptop.row('cook').getByRole('button', { name: 'Set the limit' }).click();
  await expect(onLaptop.row('cook')).toContainText('Number1');
  await onLaptop.row('cook').getByRole('button', { name: 'Make another' }).click();
  await expect(onLaptop.failure).toContainText('The role cook is for 1 at a time');
  await onLaptop.export('Cook', 'Moss');
  await axe(laptop);
});

test('tools are chosen as a set, and fields of its provider as JSON that is held to its limits', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Moss', 'hub', ['state']);
  await laptop.goto(`/agents/${agent}/edit`);
  await hydrated(laptop);
  const sets = laptop.getByRole('group', { name: 'What it is to do' });
  await sets.getByRole('button', { name: 'Leading others' }).click();
  await expect(laptop.getByRole('checkbox', { name: /^agent_spawn/ })).toBeChecked();
  await expect(laptop.getByRole('checkbox', { name: /^state/ })).not.toBeChecked();
  await laptop.getByRole('checkbox', { name: /^state/ }).check();
  await expect(sets.getByRole('button', { name: 'Leading others' })).toHaveAttribute('aria-pressed', 'false');
  await sets.getByRole('button', { name: 'Writing' }).click();
  await expect(sets.getByRole('button', { name: 'Writing' })).toHaveAttribute('aria-pressed', 'true');
  await screens(laptop, 'tool-sets');

  await laptop.getByText('Loop', { exact: true }).click();
  const extra = laptop.getByLabel('Extra fields for its provider');
  await extra.fill('{ "max_tokens": 9 }');
  await laptop.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(laptop.getByRole('alert')).toContainText('The extra field "max_tokens" is not taken');
  await expect(extra).toHaveValue('{ "max_tokens": 9 }');
  await extra.fill('{ "top_logprobs": 2 }');
  await axe(laptop);
  await extra.scrollIntoViewIfNeeded();
  await screens(laptop, 'extra-fields');
  await laptop.getByRole('button', { name: 'Save', exact: true }).click();
  await laptop.waitForURL(`/agents/${agent}`);
  await laptop.goto(`/agents/${agent}/edit`);
  await expect(laptop.getByRole('checkbox', { name: /^write/ })).toBeChecked();
  await expect(laptop.getByRole('checkbox', { name: /^agent_spawn/ })).not.toBeChecked();
  await expect(laptop.getByLabel('Extra fields for its provider')).toHaveValue('{\n  "top_logprobs": 2\n}');
});
