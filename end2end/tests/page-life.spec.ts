// What a page does by itself: its errors come back, it tells and asks, and it stays as it was left.

import type { Page } from '@playwright/test';
import { createAgent, expect, screens, test, type Endpoint } from '../fixtures.ts';
import { AgentForm } from '../pages/agent-form.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { RulesPage } from '../pages/rules-page.ts';
import { SkinsPage } from '../pages/skins-page.ts';

async function drawn(page: Page, endpoint: Endpoint, script: string): Promise<[string, AgentPage]> {
  const id = await createAgent(page, endpoint, 'Ada', 'hub', ['context_search']);
  const agent = new AgentPage(page);
  await agent.open(id);
  await agent.play(script);
  await expect(agent.messages.last()).toContainText('is drawn.');
  return [id, agent];
}

test('a script that breaks is reported once, and repaired', async ({ laptop, endpoint }) => {
  const [, agent] = await drawn(laptop, endpoint, 'broken');
  const button = agent.skin('Ada').locator('#grow');
  await button.dblclick();
  await expect(agent.messages.last()).toContainText(/Mended:.*page errors.*grow is not a function.*\(2 times\)/s);
  await expect(agent.messages.filter({ hasText: 'The page reported errors' })).toHaveCount(2);
  await button.click();
  await expect(button).toHaveText('Grown');
});

test('errors of a page wait for the person who wants to be asked', async ({ laptop, endpoint }) => {
  const [id, agent] = await drawn(laptop, endpoint, 'broken');
  await laptop.goto(`/agents/${id}/edit`);
  const form = new AgentForm(laptop);
  await form.unfoldLoop();
  await form.repairs('It waits until you ask for it').check();
  await screens(laptop, 'repairs');
  await form.save();
  await agent.isReady();
  await agent.skin('Ada').locator('#grow').click();
  await expect(agent.notice('The page has errors')).toContainText('It repairs its page only when you ask');
  await expect(agent.messages.filter({ hasText: 'The page reported errors' })).toHaveCount(0);
  await agent.log.getByRole('button', { name: 'Repair' }).click();
  await expect(agent.messages.last()).toContainText('Mended:');
});

test('what the page emits is read by the next run and wakes nobody', async ({ laptop, endpoint }) => {
  const [, agent] = await drawn(laptop, endpoint, 'calls');
  const page = agent.skin('Ada');
  await page.getByRole('button', { name: 'Emit' }).click();
  await expect(page.locator('#out')).toHaveText('done');
  await expect(agent.messages).toHaveCount(2);
  await agent.say('What happened?');
  await expect(agent.messages.last()).toContainText(/You said:.*page told: moved.*\{"to":7\}.*What happened\?/s);
});

test('the page calls tools in its tiers, and the person decides about the rest', async ({ laptop, endpoint }) => {
  const [id, agent] = await drawn(laptop, endpoint, 'calls');
  const page = agent.skin('Ada');
  const out = page.locator('#out');
  await page.getByRole('button', { name: 'Datetime' }).click();
  await expect(out).toContainText('"weekday"');
  await page.getByRole('button', { name: 'Dom' }).click();
  await expect(out).toHaveText('A page may not call dom.');

  const search = async (): Promise<void> => page.getByRole('button', { name: 'Search' }).click();
  await search();
  await expect(agent.question).toContainText('The page of Ada wants to use context_search.');
  await expect(agent.question).toContainText('"query": "marzipan"');
  await agent.question.getByRole('button', { name: 'Allow once' }).click();
  await expect(out).toContainText('"hits"');
  await search();
  await agent.question.getByText('More answers').click();
  await agent.question.getByRole('button', { name: 'Always' }).click();
  await expect(out).toContainText('"hits"');
  await search();
  await expect(out).toContainText('"hits"');
  await expect(agent.question).toHaveCount(0);

  const rules = new RulesPage(laptop);
  await rules.open(id);
  await rules.takeBack('Allow context_search');
  await expect(rules.rows).toHaveCount(0);
  await agent.open(id);
  await search();
  await agent.question.getByRole('button', { name: 'Deny', exact: true }).click();
  await expect(out).toHaveText('The person said no.');
});

test('a rule of the page about its state wakes the agent', async ({ laptop, endpoint }) => {
  const [id, agent] = await drawn(laptop, endpoint, 'calls');
  const page = agent.skin('Ada');
  await page.getByRole('button', { name: 'Rule' }).click();
  await expect(page.locator('#out')).toHaveText('{"ok":true}');
  await page.getByRole('button', { name: 'Win' }).click();
  await expect(page.getByRole('heading')).toHaveText('game.score is 11');
  await expect(agent.messages.last()).toContainText(/You said:.*state rule: game\.score.*Somebody wins\..*is now 11/s);

  const rules = new RulesPage(laptop);
  await rules.open(id);
  await expect(rules.wakes).toContainText('Somebody wins.');
  await rules.wakes.getByRole('button', { name: 'Remove: game.score' }).click();
  await expect(rules.wakes).toContainText('No rules so far.');
});

test('what a script drew on the laptop is on the phone, scripts included, and nothing is there twice', async ({ laptop, phone, endpoint }) => {
  const [id, onLaptop] = await drawn(laptop, endpoint, 'garden');
  await onLaptop.skin('Ada').getByRole('button', { name: 'Plant' }).click();

  const onPhone = new AgentPage(phone);
  await onPhone.open(id);
  await onPhone.show('Page');
  for (const [agent, plants] of [[onPhone, 2], [onLaptop, 2]] as const) {
    await expect(agent.skin('Ada').getByRole('listitem')).toHaveCount(plants);
    await expect(agent.skin('Ada').getByText('Planted by a script')).toHaveCount(1);
  }
  await onPhone.skin('Ada').getByRole('button', { name: 'Plant' }).click();
  for (const agent of [onPhone, onLaptop]) {
    await expect(agent.skin('Ada').getByRole('listitem')).toHaveCount(3);
    await expect(agent.skin('Ada').getByText('Planted by a script')).toHaveCount(1);
  }
  await onLaptop.reload();
  await expect(onLaptop.skin('Ada').getByRole('listitem')).toHaveCount(3);
  await expect(onLaptop.skin('Ada').getByText('Planted by a script')).toHaveCount(1);
});

test('an older version of the skin comes back in every open tab', async ({ laptop, phone, endpoint }) => {
  const [id, onLaptop] = await drawn(laptop, endpoint, 'draw');
  const onPhone = new AgentPage(phone);
  await onPhone.open(id);
  await onPhone.show('Page');
  await onPhone.skin('Ada').getByRole('button', { name: 'Go' }).click();
  for (const agent of [onLaptop, onPhone]) await expect(agent.skin('Ada').locator('#count')).toHaveText('Pressed.');

  const skins = new SkinsPage(await laptop.context().newPage());
  await skins.open(id);
  await skins.restore(1);
  await expect(skins.versions.first()).toContainText('Restored by you');
  for (const agent of [onLaptop, onPhone]) await expect(agent.skin('Ada').locator('#count')).toHaveText('Nothing pressed yet.');
});

test('what a person types in a page outlives its making room for a newer one', async ({ laptop, phone, endpoint }) => {
  const [id, onLaptop] = await drawn(laptop, endpoint, 'form');
  const onPhone = new AgentPage(phone);
  await onPhone.open(id);
  const form = onLaptop.skin('Ada');
  await form.getByLabel('Wish').check();
  await form.getByLabel('Size').selectOption('large');
  await form.getByLabel('Name').fill('Ferdinand');
  await form.getByLabel('Note').pressSequentially('half a sen');
  await onPhone.show('Page');
  await onPhone.skin('Ada').getByRole('button', { name: 'Plant' }).click();

  await expect(form.getByRole('listitem')).toHaveCount(2, { timeout: 15_000 });
  await expect(form.getByLabel('Note')).toHaveValue('half a sen');
  await expect(form.getByLabel('Note')).toBeFocused();
  await laptop.keyboard.type('tence');
  await expect(form.getByLabel('Note')).toHaveValue('half a sentence');
  await expect(form.getByLabel('Name')).toHaveValue('Ferdinand');
  await expect(form.getByLabel('Wish')).toBeChecked();
  await expect(form.getByLabel('Size')).toHaveValue('large');
});

test('the state that page and agent share does what its documentation says', async ({ laptop, phone, endpoint }) => {
  const [id, agent] = await drawn(laptop, endpoint, 'calls');
  const html = agent.skin('Ada').locator('html');
  const told = await html.evaluate(async () => {
    const { state } = (window as any).flo;
    const heard: string[] = [];
    const ends = [
      state.onChange('todo.1', (value: unknown, key: string) => heard.push(`one ${key} ${value}`)),
      state.onChange('todo.*', (value: unknown, key: string) => heard.push(`prefix ${key} ${value}`)),
      state.onChange('*', (value: unknown, key: string) => heard.push(`all ${key} ${value}`)),
    ];
    state.set('todo.1', 'milk');
    state.set('other', [1, { two: true }]);
    const before = { keys: state.keys().sort(), all: state.all(), missing: state.get('none') === undefined };
    for (const end of ends) end();
    state.set('todo.2', 'bread');
    state.delete('todo.1');
    state.set('todo.2', null);
    await state.addRule({ key: 'n', when: '> 10', message: 'Too much.' });
    await state.removeRule('n');
    state.set('n', 11);
    return { heard, before, after: state.keys().sort() };
  });
  expect(told.heard).toEqual(['one todo.1 milk', 'prefix todo.1 milk', 'all todo.1 milk', 'all other 1,[object Object]']);
  expect(told.before).toEqual({ keys: ['other', 'todo.1'], all: { other: [1, { two: true }], 'todo.1': 'milk' }, missing: true });
  expect(told.after).toEqual(['n', 'other']);

  const onPhone = new AgentPage(phone);
  await onPhone.open(id);
  await onPhone.show('Page');
  const elsewhere = onPhone.skin('Ada').locator('html');
  await expect.poll(() => elsewhere.evaluate(() => (window as any).flo?.state.all())).toEqual({ n: 11, other: [1, { two: true }] });
  await agent.say('Hello');
  await expect(agent.messages.last()).toHaveText('You said: Hello');
  await expect(agent.messages.filter({ hasText: 'Too much.' })).toHaveCount(0);
});

test('a page that writes and speaks without end is thinned, and nothing that it left is lost', async ({ laptop, phone, endpoint }) => {
  const [id, agent] = await drawn(laptop, endpoint, 'calls');
  let writes = 0;
  const onPhone = new AgentPage(phone);
  phone.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (JSON.parse(String(payload)).entry?.body.type === 'state') writes += 1;
    }),
  );
  await onPhone.open(id);
  await onPhone.show('Page');
  const seconds = await agent.skin('Ada').locator('html').evaluate(async () => {
    const { flo } = window as any;
    const began = performance.now();
    for (let n = 0; n < 300; n += 1) {
      flo.state.set('n', n);
      flo.emit('moved', n);
      await new Promise((done) => setTimeout(done, 10));
    }
    return Math.ceil((performance.now() - began) / 1000);
  });
  const elsewhere = onPhone.skin('Ada').locator('html');
  await expect.poll(() => elsewhere.evaluate(() => (window as any).flo?.state.get('n'))).toBe(299);
  expect(writes, `in ${seconds} s`).toBeLessThanOrEqual(30 * (seconds + 1) + 1);
  await agent.say('What moved?');
  await expect(agent.messages.last()).toContainText('page told: moved');
  await expect(agent.messages.last()).toContainText('moved: 299');
});
