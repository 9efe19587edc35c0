// The plug is pulled: what was acknowledged is there afterwards, what was under way goes on by itself, and the
// page never claims more than it knows.

import { axe, Cable, ChangingMcp, createAgent, expect, screens, test } from '../fixtures.ts';
import { post } from '../fixtures/api.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { McpPage } from '../pages/mcp-page.ts';

const FIRST_HALF = 'The first half is here, and';
const WHOLE = `${FIRST_HALF} after the gate comes the second half.`;
/** Attempts to connect may be fifteen seconds apart. */
const CONNECTED_AGAIN = { timeout: 20_000 };

test('after kill -9 in a turn no acknowledged message is missing, and the run goes on by itself', async ({ laptop, phone, endpoint, hub }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const pages = [new AgentPage(laptop), new AgentPage(phone)];
  const [onLaptop, onPhone] = pages;
  for (const page of pages) await page.open(agent);
  await onLaptop.say('Remember me');
  await expect(onLaptop.messages).toHaveText([/Remember me/, 'You said: Remember me']);
  await onLaptop.play('halves');
  await expect(onLaptop.streaming).toHaveText(FIRST_HALF);
  await onPhone.say('Said in between');
  await expect(onLaptop.messages.filter({ hasText: 'Said in between' })).toHaveCount(1);
  // From here on the run under way has it. Killed before, the next process begins a run that reads it.
  await expect.poll(async () => (await laptop.request.get('/api/agents/entries', { params: { agent, after: 0 } })).text()).toContain('"steered"');

  await hub.kill9();
  for (const page of pages) await expect(page.connection).toContainText('Hub offline');
  await hub.restart();
  for (const page of pages) {
    await expect(page.connection).toHaveAttribute('data-state', 'live', CONNECTED_AGAIN);
    await expect(page.streaming).toHaveText(FIRST_HALF);
    await expect(page.retry).toHaveCount(0);
  }

  await endpoint.openGate();
  for (const page of pages) {
    await expect(page.messages.last()).toHaveText(WHOLE);
    await expect(page.messages).toHaveText([/Remember me/, 'You said: Remember me', /script: halves/, /Said in between/, WHOLE]);
  }
});

test('a run at home in a browser goes on in its tab when the hub is back', async ({ laptop, endpoint, hub }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada', 'browser');
  const page = new AgentPage(laptop);
  await page.open(agent);
  await page.play('halves');
  await expect(page.streaming).toHaveText(FIRST_HALF);
  await hub.kill9();
  await expect(page.connection).toContainText('Hub offline');
  await hub.restart();
  await expect(page.connection).toHaveAttribute('data-state', 'live', CONNECTED_AGAIN);
  await expect(page.streaming).toHaveText(FIRST_HALF, CONNECTED_AGAIN);
  await endpoint.openGate();
  await expect(page.messages.last()).toHaveText(WHOLE);
  await expect(page.retry).toHaveCount(0);
});

test('without the hub the page says so and sends what waited when it is back', async ({ laptop, phone, endpoint, hub }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const [onLaptop, onPhone] = [new AgentPage(laptop), new AgentPage(phone)];
  await onLaptop.open(agent);
  await onPhone.open(agent);

  await hub.kill9();
  await expect(onLaptop.connection).toContainText('Hub offline');
  await onLaptop.say('Into the void');
  await expect(onLaptop.messages).toHaveText([/Into the void.*Waits for the hub/s]);
  await onLaptop.say('And after it');
  await expect(onLaptop.connection).toContainText('Hub offline, 2 not sent', CONNECTED_AGAIN);
  await expect(onLaptop.connection).toContainText(/next try in \d+ s/);
  await screens(laptop, 'hub-offline');

  await hub.restart();
  await expect(onLaptop.connection).toHaveAttribute('data-state', 'live', CONNECTED_AGAIN);
  for (const page of [onLaptop, onPhone]) {
    await expect(page.messages.last()).toHaveText('You said: And after it', CONNECTED_AGAIN);
    await expect(page.messages.filter({ hasNotText: 'You said' })).toHaveText([/^Into the void(just now)?$/, /^And after it(just now)?$/]);
  }
});

test('every page says that the hub is offline and when it tries again, and tries at once at a press', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const cable = await Cable.under(laptop);
  const line = laptop.locator('.connection');
  for (const path of ['/', `/agents/${agent}`, `/agents/${agent}/skins`]) {
    await cable.plugIn();
    await laptop.goto(path);
    await expect(line).toHaveAttribute('data-state', 'live', CONNECTED_AGAIN);
    await cable.pull();
    await expect(line).toContainText('Hub offline');
    if (path === '/') await axe(laptop);
    // Attempts that fail lie further and further apart, so that there is time to press.
    await expect(line).toContainText(/next try in ([5-9]|1\d) s/, { timeout: 40_000 });
    await cable.plugIn();
    await line.getByRole('button', { name: 'Try now' }).click();
    await expect(line).toHaveAttribute('data-state', 'live', { timeout: 3000 });
  }
});

test('when the network is back the page tries at once', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const cable = await Cable.under(laptop);
  const page = new AgentPage(laptop);
  await page.open(agent);
  await cable.pull();
  await expect(page.connection).toContainText(/next try in ([5-9]|1\d) s/, { timeout: 40_000 });
  await cable.plugIn();
  await laptop.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(page.connection).toHaveAttribute('data-state', 'live', { timeout: 3000 });
});

test('what came of a call that was under way elsewhere is asked on both devices, and said on one', async ({ laptop, phone, endpoint, hub }) => {
  const shop = await ChangingMcp.start([{ name: 'water', description: 'Waters the moss.' }]);
  shop.answers = false;
  const servers = new McpPage(laptop);
  await servers.open();
  await servers.add('garden', shop.url);
  await laptop.waitForURL(/\/mcp-servers\/\w/);
  const id = await createAgent(laptop, endpoint, 'Ada');
  await post(laptop, 'mcp_servers/choose', [
    ['agent', id],
    ['servers[]', new URL(laptop.url()).pathname.split('/').at(-1)!],
  ]);
  const [onLaptop, onPhone] = [new AgentPage(laptop), new AgentPage(phone)];
  await onLaptop.open(id);
  await onPhone.open(id);
  await onLaptop.say(`turns: ${JSON.stringify([[{ tool: 'mcp_garden_water', input: { litres: 12 } }], [{ text: 'I go on.' }]])}`);
  await onLaptop.approval.getByRole('button', { name: 'Allow once' }).click();
  await expect.poll(() => shop.calls).toBe(1);

  await hub.kill9();
  await hub.restart();
  for (const page of [onLaptop, onPhone]) {
    await expect(page.approval).toContainText('Ada does not know what came of a call.', CONNECTED_AGAIN);
    await expect(page.approval).toContainText('"litres": 12');
  }
  await axe(laptop);
  await screens(laptop, 'outcome-unknown');
  await onPhone.approval.getByText('It was done', { exact: true }).click();
  await onPhone.approval.getByRole('button', { name: 'Answer' }).click();
  for (const page of [onLaptop, onPhone]) {
    await expect(page.approval).toHaveCount(0);
    await expect(page.messages.last()).toHaveText('I go on.');
    await expect(page.notice(/What came of it\? Answered .It was done., on Chrome on Android\./)).toBeVisible();
  }
  expect(shop.calls).toBe(1);
  shop.end();
});
