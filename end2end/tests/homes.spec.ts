// One loop at two homes: a run outlives its socket, changes its tab, and moves house.

import { Cable, expect, createAgent, test } from '../fixtures.ts';
import { AgentForm } from '../pages/agent-form.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { hydrated } from '../pages/page.ts';

const FIRST_HALF = 'The first half is here, and';
const WHOLE = `${FIRST_HALF} after the gate comes the second half.`;
/** Attempts to connect may be fifteen seconds apart. */
const CONNECTED_AGAIN = { timeout: 20_000 };

test('a tab that was offline in the middle of a turn goes on where it was, each word once', async ({ laptop, phone, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada', 'browser');
  const [onLaptop, onPhone] = [new AgentPage(laptop), new AgentPage(phone)];
  const cable = await Cable.under(laptop);
  await onLaptop.open(agent);
  await onPhone.open(agent);
  await endpoint.forget();
  await onLaptop.play('gated-tool');
  await expect(onPhone.streaming).toHaveText('I look at the clock, and');

  await cable.pull();
  await expect(onLaptop.connection).toContainText('Hub offline');
  await endpoint.openGate();
  await expect(onPhone.streaming).toHaveText('I look at the clock, and after the gate I call for it.');
  await cable.plugIn();

  for (const page of [onLaptop, onPhone]) {
    await expect(page.messages).toHaveText([/gated-tool/, 'I look at the clock, and after the gate I call for it.', 'It is late.'], CONNECTED_AGAIN);
    await expect(page.retry).toHaveCount(0);
  }
  expect(await endpoint.requests()).toHaveLength(2);
  await onLaptop.say('Still there?');
  await expect(onPhone.messages.last()).toHaveText('You said: Still there?');
});

test('the phone takes over from a laptop that lost its connection, and the laptop lets go', async ({ laptop, phone, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada', 'browser');
  const [onLaptop, onPhone] = [new AgentPage(laptop), new AgentPage(phone)];
  const cable = await Cable.under(laptop);
  await onLaptop.open(agent);
  await onPhone.open(agent);
  await onLaptop.play('halves');
  await expect(onPhone.streaming).toHaveText(FIRST_HALF);
  await expect(onPhone.elsewhere).toContainText('Runs on Chrome on');
  await expect(onLaptop.elsewhere).toHaveCount(0);

  await cable.pull();
  await onPhone.takeOver.click();
  await expect(onPhone.loops).toHaveCount(1);
  await expect(onPhone.elsewhere).toHaveCount(0);
  await expect(onPhone.streaming).toHaveText(FIRST_HALF);
  await endpoint.openGate();
  await expect(onPhone.messages).toHaveText([/script: halves/, WHOLE]);

  await cable.plugIn();
  await expect(onLaptop.messages).toHaveText([/script: halves/, WHOLE], CONNECTED_AGAIN);
  await onLaptop.say('And here again');
  await expect(onPhone.messages.last()).toHaveText('You said: And here again');
});

test('a laptop that was offline for a while and is closed then leaves the rest to the phone: nothing lost, nothing twice', async ({ laptop, phone, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada', 'browser');
  const [onLaptop, onPhone] = [new AgentPage(laptop), new AgentPage(phone)];
  const cable = await Cable.under(laptop);
  await onLaptop.open(agent);
  await onPhone.open(agent);
  await onLaptop.play('gated-tool');
  await expect(onPhone.streaming).toHaveText('I look at the clock, and');
  await laptop.context().setOffline(true);
  await cable.pull();
  await onLaptop.say('Written offline');
  await expect(onLaptop.log).toContainText('Written offline');
  await endpoint.openGate();
  await expect(onPhone.streaming).toHaveText('I look at the clock, and after the gate I call for it.');
  await expect(onPhone.log).not.toContainText('Written offline');
  await laptop.context().setOffline(false);
  await cable.plugIn();
  await expect(onPhone.messages.last()).toHaveText('You said: Written offline', CONNECTED_AGAIN);
  await expect(onPhone.stop).toHaveCount(0);
  const before = await onPhone.messages.allTextContents();
  const times = (text: string): number => before.filter((message) => message.startsWith(text)).length;
  expect(['I look at the clock', 'Written offline', 'You said'].map(times)).toEqual([1, 1, 1]);

  await onLaptop.play('halves');
  await expect(onPhone.streaming).toHaveText(FIRST_HALF);
  await onPhone.takeOver.click();
  await expect(onPhone.loops).toHaveCount(1);
  await laptop.close({ runBeforeUnload: true });
  await expect(onPhone.streaming).toHaveText(FIRST_HALF);
  await endpoint.openGate();
  await expect(onPhone.messages.last()).toHaveText(WHOLE);
  await expect(onPhone.stop).toHaveCount(0);
  await expect(onPhone.retry).toHaveCount(0);
  const after = await onPhone.messages.allTextContents();
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after).toHaveLength(before.length + 2);
  await onPhone.reload();
  await expect(onPhone.messages).toHaveCount(after.length);
});

test('with a time until the hub goes on, a run whose tab was closed goes on in the next page, without a press', async ({ laptop, phone, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada', 'browser');
  const [form, onLaptop, onPhone] = [new AgentForm(laptop), new AgentPage(laptop), new AgentPage(phone)];
  await laptop.goto(`/agents/${agent}/edit`);
  await hydrated(laptop);
  await expect(form.withoutBrowser).toHaveValue('');
  await form.home('hub').check();
  await expect(form.withoutBrowser).toBeHidden();
  await form.home('browser').check();
  await form.withoutBrowser.selectOption({ label: 'Go on in the hub after 15 minutes' });
  await form.save();
  await laptop.goto(`/agents/${agent}/edit`);
  await expect(form.withoutBrowser).toHaveValue('15');

  await onLaptop.open(agent);
  await onLaptop.play('halves');
  await expect(onLaptop.streaming).toHaveText(FIRST_HALF);
  await laptop.close({ runBeforeUnload: true });
  await onPhone.open(agent);
  await expect(onPhone.loops).toHaveCount(1);
  await expect(onPhone.streaming).toHaveText(FIRST_HALF);
  await endpoint.openGate();
  await expect(onPhone.messages).toHaveText([/script: halves/, WHOLE]);
  await expect(onPhone.retry).toHaveCount(0);
});

for (const [from, to, button] of [
  ['hub', 'Browser', 'Bring home'],
  ['browser', 'Hub', 'Move to hub'],
] as const) {
  test(`an agent moves in the middle of a turn and finishes it first: from ${from}`, async ({ laptop, endpoint }) => {
    const agent = await createAgent(laptop, endpoint, 'Ada', from);
    const page = new AgentPage(laptop);
    await page.open(agent);
    await endpoint.forget();
    await page.play('gated-tool');
    await expect(page.streaming).toHaveText('I look at the clock, and');
    await page.home.click();
    await page.move(`${button} after this turn`).click();
    await endpoint.openGate();
    await expect(page.messages.last()).toHaveText('It is late.');
    await expect(page.home).toHaveAccessibleName(`Home: ${to}`);
    await expect(page.items.filter({ hasText: /Moved to/ })).toHaveCount(1);
    await page.reload();
    await expect(page.home).toHaveAccessibleName(`Home: ${to}`);
    expect(await endpoint.requests()).toHaveLength(2);
  });
}

test('an agent that lives on the hub runs nothing in the page', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada', 'hub');
  const page = new AgentPage(laptop);
  const cable = await Cable.under(laptop);
  await page.open(agent);
  await page.play('halves');
  await expect(page.streaming).toHaveText(FIRST_HALF);
  await cable.pull();
  await expect(page.connection).toContainText('Hub offline');
  await endpoint.openGate();
  await cable.plugIn();
  await expect(page.messages).toHaveText([/script: halves/, WHOLE], CONNECTED_AGAIN);
  await expect(page.loops).toHaveCount(0);
});
