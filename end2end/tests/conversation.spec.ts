// One conversation on a laptop and a phone, for agents of both homes.

import { expect, createAgent, test } from '../fixtures.ts';
import { Account } from '../pages/account.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { screens } from '../fixtures/look.ts';

const FIRST_HALF = 'The first half is here, and';
const WHOLE = `${FIRST_HALF} after the gate comes the second half.`;

for (const home of ['hub', 'browser'] as const) {
  test(`laptop and phone show the same in the same order while it streams: ${home} home`, async ({ laptop, phone, endpoint }) => {
    const agent = await createAgent(laptop, endpoint, 'Ada', home);
    const pages = [new AgentPage(laptop), new AgentPage(phone)];
    const [onLaptop, onPhone] = pages;
    for (const page of pages) await page.open(agent);

    await onLaptop.play('halves');
    for (const page of pages) {
      await expect(page.messages).toHaveText([/script: halves/, FIRST_HALF]);
      await expect(page.streaming).toHaveText(FIRST_HALF);
      await expect(page.stop).toBeVisible();
    }

    await onPhone.say('From the phone');
    for (const page of pages) await expect(page.messages.filter({ hasText: 'From the phone' })).toHaveCount(1);

    await endpoint.openGate();
    const all = [/script: halves/, WHOLE, /^From the phone/, 'You said: From the phone'];
    for (const page of pages) {
      await expect(page.messages).toHaveText(all);
      await expect(page.streaming).toHaveCount(0);
      await page.reload();
      await expect(page.messages).toHaveText(all);
    }
  });

  test(`Stop shows at once, on both: ${home} home`, async ({ laptop, phone, endpoint }) => {
    const agent = await createAgent(laptop, endpoint, 'Ada', home);
    const pages = [new AgentPage(laptop), new AgentPage(phone)];
    const [onLaptop, onPhone] = pages;
    for (const page of pages) await page.open(agent);
    await endpoint.forget();
    await onLaptop.play('halves');
    for (const page of pages) await expect(page.streaming).toHaveText(FIRST_HALF);

    await onPhone.stop.click();
    for (const page of pages) {
      await expect(page.notice('Stopped.')).toBeVisible({ timeout: 2000 });
      await expect(page.stop).toHaveCount(0);
      await expect(page.messages).toHaveText([/script: halves/, FIRST_HALF]);
    }
    await expect.poll(async () => (await endpoint.requests()).map(({ ended }) => ended)).toEqual(['aborted']);
  });
}

test('a reload in the middle of a turn loses nothing', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const page = new AgentPage(laptop);
  await page.open(agent);
  await page.play('halves');
  await expect(page.streaming).toHaveText(FIRST_HALF);

  await page.reload();
  await expect(page.streaming).toHaveText(FIRST_HALF);
  await expect(page.messages).toHaveText([/script: halves/, FIRST_HALF]);

  await endpoint.openGate();
  await expect(page.messages).toHaveText([/script: halves/, WHOLE]);
  await page.reload();
  await expect(page.messages).toHaveText([/script: halves/, WHOLE]);
});

test('a turn goes on when no page is open', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const page = new AgentPage(laptop);
  await page.open(agent);
  await page.play('halves');
  await expect(page.streaming).toHaveText(FIRST_HALF);

  await laptop.goto('about:blank');
  await endpoint.openGate();
  await expect.poll(async () => (await endpoint.requests()).at(-1)?.ended).toBe('whole');
  await page.open(agent);
  await expect(page.messages).toHaveText([/script: halves/, WHOLE]);
});

test('whatever was said and done reads the same after a reload', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const page = new AgentPage(laptop);
  await page.open(agent);
  await page.play('markdown');
  await expect(page.messages.last()).toContainText('which must stay text.');
  await expect(page.messages.last().locator('#raw')).toHaveCount(0);
  await page.play('tools');
  await expect(page.messages.last()).toContainText('moss & ferns');
  await page.play('cut');
  await expect(page.retry).toBeVisible();

  // Rows out of sight have no innerText, and textContent knows no layout: spaces between elements say nothing.
  const said = async () => (await page.items.allTextContents()).map((text) => text.replace(/\s/g, ''));
  const before = await said();
  expect(before.length).toBeGreaterThan(6);
  await page.reload();
  await expect.poll(said).toEqual(before);
  await expect(page.retry).toBeVisible();
});

test('what a person has written stays when the page is loaded anew', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const page = new AgentPage(laptop);
  await page.open(agent);
  await page.composer.fill('Not done yet');
  await page.reload();
  await expect(page.composer).toHaveValue('Not done yet');
});

test('what a program said has its name, and what it passes on looks like nobody the person knows', async ({ laptop, request, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada', 'hub');
  const account = new Account(laptop);
  const page = new AgentPage(laptop);
  const ways = [['script', 'Your own words'], ['mail bot', 'Words of others']] as const;
  const tokens: string[] = [];
  for (const [name, words] of ways) {
    await account.open();
    await account.createToken(name, 'Do what you can do', '', words);
    tokens.push((await account.newToken.textContent())!);
  }
  await page.open(agent);
  for (const token of tokens) {
    const headers = { authorization: `Bearer ${token}` };
    const sent = await request.post('/api/agents/ask', { headers, data: { agent, text: 'Water the fern.' } });
    expect(sent.status()).toBe(200);
  }
  const all = [
    /^Water the fern\.Sent by script/, /^You said: Water the fern\./,
    /^mail bot passed on: Water the fern\./, /\[passed on by a program: mail bot\]/,
  ];
  await expect(page.messages).toHaveText(all);
  await page.reload();
  await expect(page.messages).toHaveText(all);
  await screens(laptop, 'said-by-programs');
});

test('an answer and the code in it can be copied', async ({ laptop, endpoint }) => {
  await laptop.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => laptop.evaluate(() => navigator.clipboard.readText());
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const answer = 'Like **this**:\n\n```js\nlet a = 1;\n```';
  await agent.say(`turns: ${JSON.stringify([[{ text: answer }]])}`);
  await expect(agent.messages.last().locator('pre')).toHaveText('let a = 1;');
  // It is over: what is pressed is not drawn again.
  await expect(agent.again).toBeVisible();
  await laptop.getByRole('button', { name: 'Copy this code' }).click();
  await expect.poll(copied).toBe('let a = 1;\n');
  await agent.messages.last().getByRole('button', { name: 'Copy this message' }).click();
  await expect.poll(copied).toBe(answer);
  await expect(laptop.getByRole('button', { name: 'Copied' })).toHaveCount(2);
});

test('what a person writes is Markdown too, keeps its lines and is copied as it was written', async ({ laptop, endpoint }) => {
  await laptop.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const text = 'Water **these**:\n- moss\n\nNow <b>please</b>\nor later';
  await agent.say(text);
  await expect(agent.again).toBeVisible();
  for (const opened of ['as it came', 'anew']) {
    if (opened === 'anew') await agent.open(id);
    const own = agent.messages.first();
    await expect(own.locator('strong')).toHaveText('these');
    await expect(own.locator('ul > li')).toHaveText(['moss']);
    await expect(own.locator('b')).toHaveCount(0);
    const last = own.locator('.message-text p').last();
    expect(await last.innerText(), opened).toBe('Now <b>please</b>\nor later');
  }
  await agent.messages.first().getByRole('button', { name: 'Copy this message' }).click();
  await expect.poll(() => laptop.evaluate(() => navigator.clipboard.readText())).toBe(text);
});

test('a call is told in words, with its name and its input in what opens', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const calls = [
    { tool: 'state', input: { action: 'set', key: 'season', value: 'spring' } },
    { tool: 'state', input: { action: 'get', key: 'season' } },
    { tool: 'datetime', input: {} },
  ];
  await agent.say(`turns: ${JSON.stringify([...calls.map((call) => [call]), [{ text: 'Done.' }]])}`);
  await expect(agent.messages.last()).toHaveText('Done.');
  const lines = agent.log.locator('.tool > summary');
  await expect(lines).toHaveText([/Changed its state\s*season/, /Read its state\s*season/, /Read the clock/]);
  await expect(lines.filter({ hasText: 'datetime' })).toHaveCount(0);
  await lines.first().click();
  const first = agent.log.locator('.tool').first();
  await expect(first.getByText('state', { exact: true })).toBeVisible();
  await expect(first).toContainText('"action"');
});

test('a message, or what of it is selected, is quoted in what is written', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.say('Ferns like shade');
  const answer = agent.messages.last();
  await expect(answer).toHaveText('You said: Ferns like shade');
  await expect(agent.again).toBeVisible();
  await agent.composer.fill('About this:');
  const quote = answer.getByRole('button', { name: 'Quote this message' });
  await quote.click();
  await expect(agent.composer).toHaveValue('About this:\n> You said: Ferns like shade\n\n');
  await expect(agent.composer).toBeFocused();

  await agent.composer.fill('');
  await answer.evaluate((message) => {
    const texts = document.createTreeWalker(message, NodeFilter.SHOW_TEXT);
    let text = texts.nextNode()!;
    while (!text.nodeValue!.includes('Ferns')) text = texts.nextNode()!;
    const from = text.nodeValue!.indexOf('Ferns');
    getSelection()!.setBaseAndExtent(text, from, text, from + 'Ferns'.length);
  });
  await quote.click();
  await expect(agent.composer).toHaveValue('> Ferns\n\n');

  // What is selected elsewhere is not of this message.
  await agent.composer.fill('');
  await agent.messages.first().getByRole('button', { name: 'Quote this message' }).click();
  await expect(agent.composer).toHaveValue('> Ferns like shade\n\n');
});
