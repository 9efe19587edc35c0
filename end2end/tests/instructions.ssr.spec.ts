// Instructions in versions, with JavaScript switched off.

import { createAgent, expect, test } from '../fixtures.ts';
import { AgentForm } from '../pages/agent-form.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { InstructionsPage } from '../pages/instructions-page.ts';

test('instructions are changed, compared and brought back', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern');
  const form = new AgentForm(laptop);
  for (const told of ['Be kind.\nBe brief.', 'Be kind.\nBe <b>long</b>.']) {
    await laptop.goto(`/agents/${id}/edit`);
    await form.instructions.fill(told);
    await form.save();
  }
  await laptop.goto(`/agents/${id}/edit`);
  await laptop.getByRole('link', { name: 'Versions of its instructions' }).click();
  const instructions = new InstructionsPage(laptop);
  await expect(instructions.versions).toHaveText([/Version 3.*You.*Now/s, /Version 2.*You/s, /Version 1.*You/s]);
  await expect(instructions.removed).toHaveText('-Be brief.');
  await expect(instructions.added).toHaveText('+Be <b>long</b>.');
  await instructions.look(1);
  await expect(instructions.shown(1)).toContainText('No instructions.');

  await instructions.restore(2);
  await expect(instructions.versions).toHaveCount(4);
  await expect(instructions.shown(4)).toBeVisible();
  await expect(instructions.added).toHaveText('+Be brief.');
  await laptop.getByRole('link', { name: 'Edit Fern' }).click();
  await expect(form.instructions).toHaveValue('Be kind.\nBe brief.');
});

test('an agent changes its own instructions when the form says yes', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern');
  const form = new AgentForm(laptop);
  await laptop.goto(`/agents/${id}/edit`);
  await expect(form.tool('update_self')).not.toBeChecked();
  await form.tool('update_self').check();
  await form.save();
  const agent = new AgentPage(laptop);
  const update = { tool: 'update_self', input: { action: 'append', text: 'Answer in French.' } };
  await agent.say(`turns: ${JSON.stringify([[update], [{ text: 'Done.' }]])}`);
  await expect(async () => {
    await laptop.reload();
    await expect(agent.approval).toBeVisible({ timeout: 100 });
  }).toPass();
  await expect(agent.approval).toContainText('It decides what the agent is told later');
  await agent.approval.getByRole('button', { name: 'Allow once' }).click();
  const instructions = new InstructionsPage(laptop);
  await expect(async () => {
    await instructions.open(id);
    await expect(instructions.versions).toHaveCount(2, { timeout: 100 });
  }).toPass();
  await expect(instructions.versions.first()).toContainText('Fern, in a conversation');
  await expect(instructions.added).toHaveText('+Answer in French.');
  await laptop.getByRole('link', { name: 'a conversation' }).click();
  await expect(async () => {
    await laptop.reload();
    await expect(agent.messages.last()).toHaveText('Done.', { timeout: 500 });
  }).toPass();
});
