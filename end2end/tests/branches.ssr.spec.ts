// Branches with JavaScript switched off.

import { createAgent, expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';

test('an answer is given again and a conversation branches off without script', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await laptop.goto(`/agents/${id}`);
  await agent.say('Ferns');
  const answered = async (): Promise<void> => {
    await expect(async () => {
      await laptop.reload();
      await expect(agent.messages.last()).toContainText('You said: Ferns', { timeout: 500 });
      await expect(agent.again).toBeEnabled({ timeout: 500 });
    }).toPass();
  };
  await answered();
  await agent.again.click();
  await answered();
  await expect(agent.branches).toContainText('2 of 2');
  await agent.branch('The branch before').click();
  await expect(agent.branches).toContainText('1 of 2');
  await agent.fork.click();
  await expect(agent.branches).toHaveCount(0);
  await expect(agent.messages).toHaveCount(2);
});
