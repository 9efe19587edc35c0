// Several ways in which a conversation goes on, on a laptop and a phone.

import { createAgent, expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { ConversationsPage } from '../pages/conversations-page.ts';

test('a message is written again, and both ways on stay', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  for (const text of ['Ferns', 'Mosses', 'Water']) {
    await agent.say(text);
    await expect(agent.messages.last()).toContainText(`You said: ${text}`);
  }
  await agent.edit('Mosses', 'Lichens');
  await expect(laptop).toHaveURL(/\/conversations\//);
  await expect(agent.messages).toContainText(['Ferns', 'You said: Ferns', 'Lichens', 'You said: Lichens']);
  await expect(agent.branches).toContainText('2 of 2');
  await expect(agent.conversation).toHaveText('Ferns');

  await agent.branch('The branch before').click();
  await expect(agent.messages).toHaveCount(6);
  await expect(agent.messages.last()).toContainText('You said: Water');
  await expect(agent.branches).toContainText('1 of 2');

  // The phone opens the branch that was used last, of the one conversation that the list has.
  const there = new AgentPage(phone);
  await there.open(id);
  await expect(there.messages.last()).toContainText('You said: Lichens');
  await there.allConversations.click();
  await expect(new ConversationsPage(phone).names).toHaveText(['Ferns']);
});

test('an answer is given again, and the keyboard goes from one to the other', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.say('Ferns');
  await expect(agent.messages.last()).toContainText('You said: Ferns');
  await agent.again.focus();
  await laptop.keyboard.press('Enter');
  await expect(agent.branches).toContainText('2 of 2');
  await expect(agent.messages).toHaveCount(2);
  await expect(agent.messages.last()).toContainText('You said: Ferns');
  await agent.branch('The branch before').focus();
  await laptop.keyboard.press('Enter');
  await expect(agent.branches).toContainText('1 of 2');
  await agent.isReady();

  const from = laptop.url();
  await agent.fork.click();
  await expect(laptop).not.toHaveURL(from);
  await expect(agent.branches).toHaveCount(0);
  await expect(agent.messages).toHaveCount(2);
  await agent.isReady();
  await agent.say('Stones');
  await expect(agent.messages.last()).toContainText('You said: Stones');
  await agent.allConversations.click();
  await expect(new ConversationsPage(laptop).names).toHaveText(['Ferns', 'Ferns']);
});

test('a message that is being written again can be left as it was', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.say('Ferns');
  await expect(agent.messages.last()).toContainText('You said: Ferns');
  await agent.startEdit('Ferns');
  await expect(agent.editor).toBeFocused();
  await agent.editor.fill('Something else');
  await laptop.keyboard.press('Escape');
  await expect(agent.editor).toHaveCount(0);
  await expect(agent.messages.first()).toContainText('Ferns');
  await expect(agent.messages).toHaveCount(2);
});

test('a conversation begins before a message, with its words to go on from', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  for (const text of ['Ferns', 'Mosses']) {
    await agent.say(text);
    await expect(agent.messages.last()).toHaveText(`You said: ${text}`);
    await expect(agent.again).toBeVisible();
  }
  const from = laptop.url();
  await agent.messages.filter({ hasText: 'Mosses' }).first().getByRole('button', { name: 'Branch before this message' }).click();
  await expect(laptop).not.toHaveURL(from);
  await expect(agent.messages).toHaveCount(2);
  await expect(agent.composer).toHaveValue('Mosses');
  await expect(agent.branches).toHaveCount(0);
  await agent.isReady();
  await agent.composer.fill('Lichens');
  await agent.send.click();
  await expect(agent.messages).toContainText(['Ferns', 'You said: Ferns', 'Lichens', 'You said: Lichens']);
});
