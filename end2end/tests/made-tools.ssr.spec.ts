// The tools that an agent made for itself, with JavaScript switched off.

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
  await laptop.getByRole('link', { name: 'Tools that Ada made' }).click();
  await expect(laptop.getByRole('heading', { name: 'Tools that Ada made', level: 1 })).toBeVisible();
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
