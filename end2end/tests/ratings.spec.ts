// What a person thinks of an answer, on a laptop and a phone, and the note that the agent is given.

import { axe, createAgent, expect, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';

test('an answer is rated by keyboard, and its note is given once', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  const there = new AgentPage(phone);
  await agent.open(id);
  await there.open(id);
  await agent.say('Ferns');
  await expect(agent.messages.last()).toContainText('You said: Ferns');
  await expect(there.bad).toHaveAttribute('aria-pressed', 'false');

  await agent.good.focus();
  await laptop.keyboard.press('Enter');
  for (const page of [agent, there]) await expect(page.good).toHaveAttribute('aria-pressed', 'true');
  await agent.bad.focus();
  await laptop.keyboard.press('Enter');
  for (const page of [agent, there]) {
    await expect(page.bad).toHaveAttribute('aria-pressed', 'true');
    await expect(page.good).toHaveAttribute('aria-pressed', 'false');
  }
  await laptop.keyboard.press('Enter');
  for (const page of [agent, there]) await expect(page.bad).toHaveAttribute('aria-pressed', 'false');
  await expect(agent.leaveNote).toHaveCount(0);
  await there.bad.click();
  await expect(agent.bad).toHaveAttribute('aria-pressed', 'true');

  await agent.leaveNote.focus();
  await laptop.keyboard.press('Enter');
  await laptop.keyboard.press('Tab');
  await expect(agent.noteField).toBeFocused();
  await agent.noteField.fill('Too long');
  await expect(agent.note).toContainText('Ada is given it once');
  await screens(laptop, 'rating');
  await axe(laptop);
  await agent.note.getByRole('button', { name: 'Save' }).click();
  await expect(agent.note).toBeHidden();
  await there.ownNote.click();
  await expect(there.noteField).toHaveValue('Too long');
  await phone.keyboard.press('Escape');
  await expect(there.note).toBeHidden();

  await there.say('Mosses');
  for (const page of [agent, there]) {
    await expect(page.messages).toHaveCount(4);
    await expect(page.items.filter({ hasText: 'Given your note:' })).toContainText('rated it bad and noted: Too long');
  }
  const requests = async () => JSON.stringify(await endpoint.requests());
  await expect.poll(requests).toContain('noted: Too long');
  await agent.reload();
  const first = agent.messages.filter({ hasText: 'You said: Ferns' }).first();
  await expect(first.getByRole('button', { name: 'Bad answer' })).toHaveAttribute('aria-pressed', 'true');
  await first.getByRole('button', { name: 'Your note' }).click();
  await expect(agent.note).toContainText('Ada was given this note.');
});
