// What becomes of a message between the composer and the log.

import { Cable, createAgent, expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';

const SEND = '**/api/agents/send';

test('a message whose answer was lost with its page stands there once', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const cable = await Cable.under(laptop);
  const agent = new AgentPage(laptop);
  await agent.open(id);
  // The hub hears it, and nothing of that comes back.
  await cable.pull();
  await laptop.route(SEND, async (route) => void (await route.fetch()));
  await agent.say('Only once');
  await expect.poll(async () => (await endpoint.requests()).length).toBe(1);
  await expect(agent.messages).toHaveText([/^Only once/]);

  await laptop.goto('about:blank');
  await laptop.unroute(SEND);
  await cable.plugIn();
  await agent.open(id);
  await expect(agent.messages).toHaveText([/^Only once/, 'You said: Only once']);
  await expect(agent.log.getByText('Not sent.')).toHaveCount(0);
});

test('a message that was on its way when its page was left goes out when the page is back', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  // It gets no further than the device.
  await laptop.route(SEND, () => {});
  await agent.say('Once more');
  await expect(agent.messages).toHaveText([/^Once more.*Sending/s]);

  await laptop.goto('about:blank');
  await laptop.unroute(SEND);
  await agent.open(id);
  await expect(agent.messages).toHaveText([/^Once more/, 'You said: Once more']);
  await expect(agent.messages.filter({ hasText: 'Sending' })).toHaveCount(0);
});

test('on a touch keyboard Enter begins a line, and the button sends', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(phone);
  await agent.open(id);
  await agent.show('Conversation');
  await expect(agent.composer).toHaveAttribute('enterkeyhint', 'enter');
  await agent.composer.pressSequentially('Ferns');
  await agent.composer.press('Enter');
  await agent.composer.pressSequentially('and mosses');
  await expect(agent.composer).toHaveValue('Ferns\nand mosses');
  await agent.send.click();
  await expect(agent.messages.last()).toContainText('You said: Ferns');
  await expect(agent.messages.first().locator('.message-text')).toHaveText(/^Ferns\s+and mosses$/);
});

test('with a mouse beside it Enter sends', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.composer.pressSequentially('Ferns');
  await agent.composer.press('Shift+Enter');
  await agent.composer.pressSequentially('and mosses');
  await agent.composer.press('Enter');
  await expect(agent.composer).toHaveValue('');
  await expect(agent.messages.last()).toContainText('You said: Ferns');
});
