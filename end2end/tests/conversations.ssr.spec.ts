// Conversations with JavaScript switched off.

import { createAgent, expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { ConversationsPage } from '../pages/conversations-page.ts';

test('conversations are begun, read and deleted without script', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await laptop.goto(`/agents/${id}`);
  const answered = async (text: string): Promise<void> => {
    await agent.say(text);
    await expect(async () => {
      await laptop.reload();
      await expect(agent.messages.last()).toContainText(`You said: ${text}`, { timeout: 500 });
    }).toPass();
  };
  await answered('Ferns');
  await agent.newConversation.click();
  await expect(agent.messages).toHaveCount(0);
  await answered('Mosses');
  await expect(agent.messages).toHaveCount(2);
  await agent.allConversations.click();
  const list = new ConversationsPage(laptop);
  await expect(list.names).toHaveText(['Mosses', 'Ferns']);
  await list.press('Mosses', 'Delete');
  await expect(list.names).toHaveText(['Ferns']);
  await list.show('Deleted');
  await list.row('Mosses').getByRole('button', { name: 'Restore' }).click();
  await list.open(id);
  await expect(list.names).toHaveText(['Mosses', 'Ferns']);
});
