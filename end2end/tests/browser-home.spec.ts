// Agents that live in the browser: their loop runs in the tab that sent the message.

import { expect, createAgent, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';

const FIRST_HALF = 'The first half is here, and';
const WHOLE = `${FIRST_HALF} after the gate comes the second half.`;

test('the loop runs in the tab that was talked to, with tools, and the other tab sees it', async ({ laptop, phone, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada', 'browser');
  const [onLaptop, onPhone] = [new AgentPage(laptop), new AgentPage(phone)];
  await onLaptop.open(agent);
  await onPhone.open(agent);
  await onPhone.play('runjs');
  for (const page of [onLaptop, onPhone]) await expect(page.messages.last()).toHaveText(/^The code answered: .*42/s);
  await expect(onPhone.loops).toHaveCount(1);
  await expect(onLaptop.loops).toHaveCount(0);
});

test('what it draws is on the other device too, and a press there is answered', async ({ laptop, phone, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada', 'browser');
  const [onLaptop, onPhone] = [new AgentPage(laptop), new AgentPage(phone)];
  await onLaptop.open(agent);
  await onPhone.open(agent);
  await onLaptop.play('draw');
  await expect(onLaptop.messages.last()).toHaveText('The page is drawn. Press Go.');
  await onPhone.show('Page');
  await onPhone.skin('Ada').getByRole('button', { name: 'Go' }).click();
  for (const page of [onLaptop, onPhone]) await expect(page.skin('Ada').locator('#count')).toHaveText('Pressed.');
});

test('a turn whose tab is closed is interrupted, and goes on elsewhere with Retry', async ({ laptop, phone, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada', 'browser');
  const [onLaptop, onPhone] = [new AgentPage(laptop), new AgentPage(phone)];
  await onLaptop.open(agent);
  await onPhone.open(agent);
  await onLaptop.play('halves');
  await expect(onPhone.streaming).toHaveText(FIRST_HALF);

  await laptop.close({ runBeforeUnload: true });
  await expect(onPhone.notice('What it did so far stands above.')).toBeVisible();
  await expect(onPhone.stop).toHaveCount(0);
  await onPhone.retry.click();
  await expect(onPhone.streaming).toHaveText(FIRST_HALF);
  await endpoint.openGate();
  await expect(onPhone.messages.last()).toHaveText(WHOLE);
  await expect(onPhone.retry).toHaveCount(0);
});

test('the key never reaches the browser', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada', 'browser');
  const received: string[] = [];
  laptop.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => received.push(String(payload))));
  const page = new AgentPage(laptop);
  await page.open(agent);
  await endpoint.forget();
  await page.play('hello');
  await expect(page.messages.last()).toContainText('I am a scripted model.');
  expect((await endpoint.requests()).map(({ key }) => key)).toEqual(['good']);
  // Its words are on the screen before the whole of them is an entry.
  await expect.poll(() => received.some((frame) => frame.includes('I am a scripted model.'))).toBe(true);
  expect(received.filter((frame) => frame.includes('key-good'))).toEqual([]);
});
