// Another model: for an agent, for one conversation, and for one answer.

import { createAgent, expect, test } from '../fixtures.ts';
import { AgentForm } from '../pages/agent-form.ts';
import { AgentPage } from '../pages/agent-page.ts';

test('a conversation goes on with another model, and back with the agent\'s own', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const own = await agent.model.innerText();
  await agent.say('Ferns');
  await expect(agent.messages.last()).toContainText('You said: Ferns');
  await agent.model.click();
  await agent.findModel.fill('HAIKU');
  await expect(agent.models.first()).toContainText('claude-haiku-4-5');
  await laptop.keyboard.press('Enter');
  await expect(agent.model).toHaveText('claude-haiku-4-5');
  await agent.say('Mosses');
  await expect(agent.messages.last()).toContainText('You said: Mosses');
  const models = async (): Promise<unknown[]> => (await endpoint.requests()).map((request) => (request.body as { model: string }).model);
  expect((await models()).slice(-2)).toEqual([own, 'claude-haiku-4-5']);

  const there = new AgentPage(phone);
  await there.open(id);
  await expect(there.model).toHaveText('claude-haiku-4-5');
  await there.model.tap();
  await phone.getByRole('button', { name: `As the agent: ${own}` }).tap();
  await expect(there.model).toHaveText(own);
});

test('another model answers again, for that answer alone', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const own = await agent.model.innerText();
  await agent.say('Ferns');
  await expect(agent.messages.last()).toContainText('You said: Ferns');
  await agent.againWith.focus();
  await laptop.keyboard.press('Enter');
  await expect(agent.findModel).toBeFocused();
  await laptop.keyboard.press('Escape');
  await expect(agent.findModel).toHaveCount(0);
  await expect(agent.againWith).toBeFocused();
  await laptop.keyboard.press('Enter');
  await agent.findModel.fill('claude-haiku');
  await laptop.keyboard.press('Enter');
  await expect(agent.branches).toContainText('2 of 2');
  await expect(agent.messages.last()).toContainText('You said: Ferns');
  await expect(agent.model).toHaveText(own);
  const models = (await endpoint.requests()).map((request) => (request.body as { model: string }).model);
  expect(models.slice(-2)).toEqual([own, 'claude-haiku-4-5']);
});

test('the list says what is known of each model, and takes a name that is not in it', async ({ laptop, phone, endpoint }) => {
  await createAgent(laptop, endpoint, 'Ada');
  const form = new AgentForm(laptop);
  await form.open();
  await form.provider.selectOption({ label: 'Endpoint of Ada' });
  await form.chooseModel.click();
  const haiku = form.models.filter({ hasText: 'claude-haiku-4-5' });
  await expect(haiku).toContainText('$1.00 a million in, $5.00 out');
  await expect(haiku).toContainText('Pictures · Tools');
  await expect(haiku).toContainText('Runs here, beside the hub');
  await expect(form.models.filter({ hasText: 'model-without-price' })).toContainText('Price unknown');
  const count = await form.models.count();
  await laptop.keyboard.press('ArrowDown');
  const second = await form.models.nth(1).locator('.model-name').innerText();
  await laptop.keyboard.press('Enter');
  await expect(form.model).toHaveValue(second);
  await expect(form.chooseModel).toBeFocused();

  // What stands in the field hides nothing of the list.
  await laptop.keyboard.press('Enter');
  await expect(form.models).toHaveCount(count);
  await form.findModel.fill('of-my-own');
  await expect(form.models).toHaveText(['Use \u201cof-my-own\u201d']);
  await laptop.keyboard.press('Enter');
  await expect(form.model).toHaveValue('of-my-own');

  const there = new AgentForm(phone);
  await there.open();
  await there.provider.selectOption({ label: 'Endpoint of Ada' });
  await there.chooseModel.tap();
  await expect(there.findModel).toBeFocused();
  const sheet = await there.modelList.boundingBox();
  const screen = phone.viewportSize();
  expect(sheet?.width).toBe(screen?.width);
  expect((sheet?.y ?? 0) + (sheet?.height ?? 0)).toBeCloseTo(screen?.height ?? 1, 0);
  await there.models.filter({ hasText: 'claude-haiku-4-5' }).tap();
  await expect(there.model).toHaveValue('claude-haiku-4-5');
});

test('another model answers the next message only, and it can be taken back', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const own = await agent.model.innerText();
  const choose = async (): Promise<void> => {
    await agent.model.click();
    await laptop.getByRole('radio', { name: 'For the next message only.' }).check();
    await agent.findModel.fill('claude-haiku');
    await laptop.keyboard.press('Enter');
    await expect(agent.composer).toBeFocused();
    await expect(agent.nextModel).toContainText('claude-haiku-4-5');
  };
  await choose();
  await agent.say('Ferns');
  await expect(agent.messages.last()).toContainText('You said: Ferns');
  await expect(agent.nextModel).toHaveCount(0);
  await expect(agent.model).toHaveText(own);
  await agent.say('Mosses');
  await expect(agent.messages.last()).toContainText('You said: Mosses');
  await choose();
  await laptop.getByRole('button', { name: 'With the usual model' }).click();
  await agent.say('Stones');
  await expect(agent.messages.last()).toContainText('You said: Stones');
  const models = (await endpoint.requests()).map((request) => (request.body as { model: string }).model);
  expect(models.slice(-3)).toEqual(['claude-haiku-4-5', own, own]);
});
