// The tools of an agent's own, with JavaScript switched off.

import { createAgent, expect, test } from '../fixtures.ts';
import { AgentForm } from '../pages/agent-form.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { MadeToolsPage } from '../pages/made-tools-page.ts';

test('what an agent made is read and taken away without script', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const made = new MadeToolsPage(laptop);
  await made.open(agent);
  await expect(made.empty).toContainText('It cannot make any until you let it create_tool');
  await laptop.getByRole('link', { name: 'its settings' }).click();
  const form = new AgentForm(laptop);
  await form.tool('create_tool').check();
  await form.tool('list_tools').check();
  await form.save();

  const page = new AgentPage(laptop);
  await page.play('list-tools');
  await expect(async () => {
    await laptop.reload();
    await expect(page.messages.last()).toContainText('The tools:', { timeout: 500 });
  }).toPass();
  await laptop.getByText('Made a tool').click();
  await laptop.getByRole('link', { name: 'Own tools of Ada' }).click();
  await expect(laptop.getByRole('heading', { name: 'Own tools of Ada', level: 1 })).toBeVisible();
  await expect(made.tool('water')).toContainText('Waters a bed.');
  await expect(made.tool('water')).toContainText('Version 1, made');
  await made.unfold('water');
  await expect(made.tool('water').locator('pre').first()).toContainText('"bed"');
  await expect(made.tool('water').locator('pre').last()).toContainText('is wet');

  await made.delete('water');
  await expect(made.empty).toBeVisible();
  await expect(made.tool('water')).toHaveCount(0);
  await laptop.getByRole('link', { name: 'Back to Ada' }).click();
  await expect(laptop.getByText('Took a tool away')).toBeVisible();
});

test('a person writes a tool, keeps it as a file, and accepts what they see of one, without script', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const made = new MadeToolsPage(laptop);
  await made.open(agent);
  await made.write({ name: 'count_beds', about: 'Counts the beds.', code: "return flo.state.get('beds')", reads: 'beds' });
  const tool = made.tool('count_beds');
  await expect(tool).toContainText('by you');
  await expect(tool).toContainText('It reads of the state: beds');
  const file = await laptop.request.get(`/tools/${agent}/count_beds`);
  await made.delete('count_beds');
  await expect(made.empty).toBeVisible();

  await made.bring('not-a-tool.json', Buffer.from('{}'));
  await expect(laptop.getByRole('alert')).toContainText('The file is not that of a tool');
  await made.bring('count_beds.tool.json', await file.body());
  await expect(tool).toContainText('Waits for you');
  await expect(tool).toContainText('It reads of the state: beds');
  await expect(tool.locator('pre').last()).toContainText("flo.state.get('beds')");
  await made.accept('count_beds');
  await expect(tool).toContainText('from a file');
  await expect(tool).not.toContainText('Waits for you');
});
