// A call that waits for the person: asked on every device, answered on one, with script and frames.

import type { Page } from '@playwright/test';
import { createAgent, expect, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { Dashboard } from '../pages/dashboard.ts';
import { RulesPage } from '../pages/rules-page.ts';

/** The model sets these keys of the state, a reply for each, and says Done. */
function sets(...keys: string[]): string {
  const turns = keys.map((key) => [{ tool: 'state', input: { action: 'set', key, value: 'moss' } }]);
  return `turns: ${JSON.stringify([...turns, [{ text: 'Done.' }]])}`;
}

async function asking(laptop: Page, endpoint: Parameters<typeof createAgent>[1], home: 'hub' | 'browser'): Promise<string> {
  const id = await createAgent(laptop, endpoint, 'Ada', home);
  const rules = new RulesPage(laptop);
  await rules.open(id);
  await rules.add('Ask me before', 'state');
  await expect(rules.rows).toHaveText([/Ask before state/]);
  return id;
}

for (const home of ['hub', 'browser'] as const) {
  test(`asked on both, answered on the phone: ${home} home`, async ({ laptop, phone, endpoint }) => {
    const id = await asking(laptop, endpoint, home);
    const [onLaptop, onPhone] = [new AgentPage(laptop), new AgentPage(phone)];
    await onLaptop.open(id);
    await onPhone.open(id);
    await onLaptop.say(sets('season'));
    for (const page of [onLaptop, onPhone]) {
      await expect(page.approval).toContainText('Ada wants to use state.');
      await expect(page.approval.getByRole('group', { name: 'Exactly this' })).toContainText('"value": "moss"');
      await expect(page.stop).toBeVisible();
    }
    await onPhone.approval.getByRole('button', { name: 'Allow once' }).click();
    for (const page of [onLaptop, onPhone]) {
      await expect(page.approval).toHaveCount(0);
      await expect(page.notice(/Ada wants to use state\. Allowed once, on Chrome on Android\./)).toBeVisible();
      await expect(page.messages.last()).toHaveText('Done.');
    }
  });
}

test('the tab says that somebody waits, on the page of the agent and on the wall', async ({ laptop, phone, endpoint }) => {
  const id = await asking(laptop, endpoint, 'hub');
  const page = new AgentPage(laptop);
  await page.open(id);
  await expect(laptop).toHaveTitle('Ada · Vivarium');
  const dashboard = new Dashboard(phone);
  await dashboard.open();
  await expect(phone).toHaveTitle('Agents · Vivarium');
  await page.say(sets('season'));
  await expect(laptop).toHaveTitle('Ada waits for you · Vivarium');
  await expect(phone).toHaveTitle('1 waits for you · Vivarium');
  await page.approval.getByRole('button', { name: 'Allow once' }).click();
  await expect(laptop).toHaveTitle('Ada · Vivarium');
  await expect(phone).toHaveTitle('Agents · Vivarium');
});

test('on a phone every answer can be seen, however much is asked and however many answers there are', async ({ phone, endpoint }) => {
  const id = await asking(phone, endpoint, 'hub');
  const page = new AgentPage(phone);
  for (const size of [{ width: 390, height: 664 }, { width: 320, height: 568 }]) {
    await phone.setViewportSize(size);
    await page.open(id);
    const input = { action: 'set', key: `season-${size.width}`, value: 'moss and fern '.repeat(60) };
    await page.say(`turns: ${JSON.stringify([[{ tool: 'state', input }], [{ text: 'Done.' }]])}`);
    for (const card of [page.approval, page.question]) {
      if (card === page.question) await page.show('Page');
      await card.getByText('More answers').click();
      for (const answer of ['Allow once', 'Deny']) {
        await expect(card.getByRole('button', { name: answer, exact: true })).toBeInViewport({ ratio: 1 });
      }
    }
    if (process.env.PICTURES) await phone.screenshot({ path: `screenshots/question-phone-${size.width}.png` });
    await page.question.getByRole('button', { name: 'Deny', exact: true }).click();
    await page.show('Conversation');
    await expect(page.messages.last()).toHaveText('Done.');
  }
});

test('a question outlives the hub, and its answer lets the run go on', async ({ laptop, phone, endpoint, hub }) => {
  const id = await asking(laptop, endpoint, 'hub');
  const onLaptop = new AgentPage(laptop);
  await onLaptop.open(id);
  await onLaptop.say(sets('season'));
  await expect(onLaptop.approval).toBeVisible();
  await hub.kill9();
  await hub.restart();

  const dashboard = new Dashboard(phone);
  await dashboard.open();
  await expect(dashboard.needsYou).toContainText('Ada wants to use state.');
  await dashboard.needsYou.getByRole('button', { name: 'Allow once' }).click();
  await expect(dashboard.needsYou).toHaveCount(0);
  await expect(onLaptop.messages.last()).toHaveText('Done.');
  const state = await phone.request.get(`/api/agents/state?id=${id}`);
  expect(await state.json()).toEqual({ season: 'moss' });
});

test('a run at home in a tab that is gone goes on in another', async ({ laptop, phone, endpoint }) => {
  const id = await asking(laptop, endpoint, 'browser');
  const onLaptop = new AgentPage(laptop);
  await onLaptop.open(id);
  await onLaptop.say(sets('season'));
  await expect(onLaptop.approval).toBeVisible();
  await laptop.goto('/account');

  const onPhone = new AgentPage(phone);
  await onPhone.open(id);
  await onPhone.approval.getByRole('button', { name: 'Allow once' }).click();
  await expect(onPhone.messages.last()).toHaveText('Done.');
});

test('a no with a word reaches the agent, and always is a rule that can be taken back', async ({ laptop, endpoint }) => {
  const id = await asking(laptop, endpoint, 'hub');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.say(sets('season', 'season'));
  await agent.approval.getByText('More answers').click();
  await agent.approval.getByLabel('Or deny, with a word to the agent:').fill('Ask me in spring.');
  await expect(agent.approval.getByRole('button', { name: 'Deny with this word' })).toBeEnabled();
  await laptop.keyboard.press('Enter');
  await expect(agent.notice(/Denied, on .*Ask me in spring\./)).toBeVisible();
  await agent.approval.getByText('More answers').click();
  await agent.approval.getByRole('button', { name: 'Always' }).click();
  await expect(agent.messages.last()).toHaveText('Done.');
  await agent.say(sets('season'));
  await expect(agent.messages.last()).toHaveText('Done.');
  await expect(agent.notice(/Denied|Always allowed/)).toHaveCount(2);

  const rules = new RulesPage(laptop);
  await rules.open(id);
  await expect(rules.rows).toHaveText([/Allow state about season.*its model, this agent/, /Ask before state/]);
  await rules.takeBack('Allow state about season');
  await expect(rules.rows).toHaveText([/Ask before state/]);
});

test('a yes holds as often as was chosen, in the card and in the form', async ({ laptop, endpoint }) => {
  const id = await asking(laptop, endpoint, 'hub');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.say(sets('season', 'season'));
  await agent.approval.getByText('More answers').click();
  await agent.approval.getByLabel('At most').selectOption('once');
  await agent.approval.getByRole('button', { name: 'Always' }).click();
  await expect(agent.messages.last()).toHaveText('Done.');
  await agent.say(sets('season'));
  await expect(agent.approval).toBeVisible();
  await agent.approval.getByRole('button', { name: 'Allow once' }).click();
  await expect(agent.messages.last()).toHaveText('Done.');

  const rules = new RulesPage(laptop);
  await rules.open(id);
  await expect(rules.rows).toHaveText([/Ask before state/]);
  await rules.add('Never', 'state', '', 'twice');
  await expect(rules.form.getByRole('alert')).toContainText('Only a yes is used up by calls.');
  await rules.add('Allow', 'state', 'season', 'twice');
  await expect(rules.rows).toHaveText([/Allow state about season.*2 times more/, /Ask before state/]);
});

test('letters that cannot be seen are spelled out, and the answer is in reach of the keyboard', async ({ laptop, endpoint }) => {
  const id = await asking(laptop, endpoint, 'hub');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.say(sets('pay\u202Elap'));
  const exact = agent.approval.getByRole('group', { name: 'Exactly this' });
  await expect(exact).toContainText('payU+202Elap');
  await expect(agent.approval.getByRole('button', { name: 'Allow once' })).toBeEnabled();
  await exact.focus();
  await laptop.keyboard.press('Tab');
  await expect(agent.approval.getByRole('button', { name: 'Allow once' })).toBeFocused();
  await laptop.keyboard.press('Tab');
  await laptop.keyboard.press('Enter');
  await expect(agent.notice(/Denied, on/)).toBeVisible();
});

test('a card takes no press that was meant for what was there before, and no key goes to its answers by itself', async ({ laptop, endpoint }) => {
  const id = await asking(laptop, endpoint, 'hub');
  const agent = new AgentPage(laptop);
  await laptop.clock.install();
  await agent.open(id);
  await agent.composer.focus();
  await laptop.clock.pauseAt(new Date(Date.now() + 1000));
  await agent.say(sets('season'));
  const allow = agent.approval.getByRole('button', { name: 'Allow once' });
  await expect(allow).toBeDisabled();
  await expect(allow).not.toBeFocused();
  await laptop.clock.runFor(450);
  // Who presses again and again means something else: it begins anew.
  const { x, y, width, height } = (await allow.boundingBox())!;
  for (let press = 0; press < 5; press += 1) {
    await laptop.mouse.click(x + width / 2, y + height / 2);
    await laptop.clock.runFor(300);
  }
  await expect(allow).toBeDisabled();
  await laptop.clock.runFor(600);
  await expect(allow).toBeEnabled();
  // So it does with a press beside it, whatever that brings under the pointer.
  await agent.composer.click();
  await expect(allow).toBeDisabled();
  await laptop.clock.runFor(600);
  await allow.click();
  await laptop.clock.resume();
  await expect(agent.messages.last()).toHaveText('Done.');
});

test('while only the page is on the screen, the question stands over it', async ({ laptop, endpoint }) => {
  const id = await asking(laptop, endpoint, 'hub');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.say(sets('season'));
  await expect(agent.approval).toBeVisible();
  await expect(agent.question).toHaveCount(0);
  await laptop.getByRole('button', { name: 'Page', exact: true }).click();
  await agent.question.getByRole('button', { name: 'Allow once' }).click();
  await expect(agent.question).toHaveCount(0);
  await laptop.getByRole('button', { name: 'Both', exact: true }).click();
  await expect(agent.messages.last()).toHaveText('Done.');
});

test('after three denials the agent is told to stop, and after six nothing is changed', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada', 'hub');
  const rules = new RulesPage(laptop);
  await rules.open(id);
  await rules.add('Never', 'state', 'locked*');
  await expect(rules.rows).toHaveText([/state about locked/]);
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await endpoint.forget();
  await agent.say(sets('locked 1', 'locked 2', 'locked 3', 'locked 4', 'locked 5', 'fifth', 'locked 6', 'seventh'));
  // After three denials whatever changes something is asked about.
  await agent.approval.getByRole('button', { name: 'Allow once' }).click();
  await expect(agent.messages.last()).toHaveText('Done.');
  const told = agent.log.locator('details').filter({ has: laptop.getByText('A call was not allowed', { exact: true }) });
  await expect(told).toHaveCount(7);
  await expect(told.nth(1)).not.toContainText('denials in this run');
  for (const [place, denials] of [[2, 3], [5, 6], [6, 7]]) await expect(told.nth(place)).toContainText(`That makes ${denials} denials in this run.`);
  const last = agent.items.locator('.tool[data-status="error"]').last();
  await last.locator('summary').click();
  await expect(last).toContainText('6 calls of this run were denied, so nothing is changed in it any more.');
  const state = await laptop.request.get(`/api/agents/state?id=${id}`);
  expect(await state.json()).toEqual({ fifth: 'moss' });
  const sent = JSON.stringify((await endpoint.requests()).at(-1));
  expect(sent).toContain('That makes 7 denials in this run.');
});

test('a call that waits for a device is seen to wait, also when another call of its turn was answered', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada', 'hub');
  const rules = new RulesPage(laptop);
  await rules.open(id);
  await rules.add('Ask me before', 'datetime');
  await expect(rules.rows).toHaveText([/Ask before datetime/]);
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const looks = { tool: 'dom', input: { action: 'query', selector: 'p', needs: 'camera' } };
  await agent.say(`turns: ${JSON.stringify([[looks, { tool: 'datetime', input: {} }], [{ text: 'Done.' }]])}`);
  const [looking, asking] = [agent.items.locator('.tool').nth(0), agent.items.locator('.tool').nth(1)];
  await expect(agent.notice('Waits for a device with a camera')).toBeVisible();
  for (const tool of [looking, asking]) await expect(tool).toHaveAttribute('data-status', 'waiting');
  await screens(laptop, 'calls-that-wait');
  await agent.approval.getByRole('button', { name: 'Allow once' }).click();
  await expect(asking).toHaveAttribute('data-status', 'done');
  await expect(looking).toHaveAttribute('data-status', 'waiting');
  await expect(agent.status).toHaveText('Waits for a device with a camera');
  const dashboard = new Dashboard(laptop);
  await dashboard.open();
  await expect(dashboard.needsYou).toContainText('Ada waits for you.');
});
