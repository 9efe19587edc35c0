// Keys that stay on a device: sealed in the browser, used by the shell, and never seen by the hub or by
// an agent's frame.

import type { BrowserContext, Page } from '@playwright/test';
import { axe, createAgentWithDeviceKey, Endpoint, expect, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { DeviceKeys } from '../pages/device-keys.ts';
import { Providers } from '../pages/providers.ts';

const PASSPHRASE = 'seven green kettles';
const VAULT = 'Vault of Ada';

const withVault = test.extend<{ far: Endpoint }>({
  far: async ({}, use) => {
    const far = await Endpoint.start('--cors');
    await use(far);
    await far.end();
  },
});

/** Gives the agent's provider its key on the device of this page. */
async function keep(page: Page, key = Endpoint.key): Promise<DeviceKeys> {
  const keys = new DeviceKeys(page);
  await keys.open();
  await keys.enter(VAULT, key, { first: PASSPHRASE });
  await expect(keys.done.filter({ hasText: 'is kept on this device' })).toBeVisible();
  return keys;
}

/** All that the pages of this browser send to the hub or say to frames from now on. */
async function overhear(context: BrowserContext, hub: string): Promise<() => string> {
  const heard: string[] = [];
  context.on('request', (request) => {
    if (request.url().startsWith(hub)) heard.push(request.url(), request.postData() ?? '', JSON.stringify(request.headers()));
  });
  for (const page of context.pages()) {
    page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => heard.push(String(payload))));
    page.on('console', (message) => heard.push(message.text()));
  }
  await context.addInitScript(() => {
    const said: string[] = ((window as any).said = []);
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (this: MessagePort, message: any, ...rest: any[]) {
      said.push(typeof message === 'string' ? message : JSON.stringify(message));
      return (post as any).call(this, message, ...rest);
    };
  });
  return () => heard.join('\n');
}

/** Everything in the browser's database and its other stores. */
function stored(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const all: unknown[] = [{ ...localStorage }, { ...sessionStorage }, document.cookie];
    for (const { name } of await indexedDB.databases()) {
      const opened = indexedDB.open(name!);
      await new Promise((resolve) => (opened.onsuccess = resolve));
      for (const store of opened.result.objectStoreNames) {
        const asked = opened.result.transaction(store).objectStore(store).getAll();
        await new Promise((resolve) => (asked.onsuccess = resolve));
        all.push(asked.result);
      }
      opened.result.close();
    }
    return JSON.stringify(all);
  });
}

withVault('the browser calls with its key, which is in no request to the hub, no frame, no store and no log', async ({ hub, laptop, far }) => {
  const heard = await overhear(laptop.context(), hub.url);
  const agent = await createAgentWithDeviceKey(laptop, far, 'Ada');
  await keep(laptop);
  await laptop.getByRole('link', { name: 'Agents', exact: true }).click();
  await laptop.getByRole('link', { name: /Ada/ }).first().click();
  const page = new AgentPage(laptop);
  await page.isReady();
  await page.play('tools');
  await expect(page.messages.last()).toContainText('The tools answered:');
  await expect(page.cost).toContainText('$');

  const asked = await far.requests();
  expect(asked.length).toBeGreaterThan(1);
  for (const { key, headers } of asked) {
    expect(key).toBe('good');
    expect(headers).toMatchObject({ origin: hub.url });
    expect(headers).not.toHaveProperty('cookie');
  }
  const said: string[] = await laptop.evaluate(() => (window as any).said);
  expect(said.length).toBeGreaterThan(5);
  for (const place of [heard(), said.join('\n'), await stored(laptop), await hub.log()]) {
    expect(place).not.toContain(Endpoint.key);
    expect(place).not.toContain(PASSPHRASE);
  }
  expect(heard()).toContain(agent);
});

withVault('a key that its provider says in pieces gets no further than the browser', async ({ hub, laptop, far }) => {
  const heard = await overhear(laptop.context(), hub.url);
  const agent = await createAgentWithDeviceKey(laptop, far, 'Ada');
  await keep(laptop, Endpoint.longKey);
  await laptop.getByRole('link', { name: 'Agents', exact: true }).click();
  await laptop.getByRole('link', { name: /Ada/ }).first().click();
  const page = new AgentPage(laptop);
  await page.isReady();
  await page.say('turns: [[{"text":"Your key is {key} and ends in 0123456789.","letters":5}]]');
  await expect(page.messages.last()).toContainText('Your key is [key] and ends in 0123456789.');
  await page.say('turns: [[{"tool":"state","input":{"action":"set","key":"k","value":"{key}"}}],[{"text":"Kept {key}.","letters":3}]]');
  await expect(page.messages.last()).toContainText('Kept [key].');

  const told = [...heard().matchAll(/"type":"delta","index":\d+,"text":"([^"]*)"/g)].map(([, text]) => text).join('');
  expect(told).toContain('[key]');
  const log = await (await laptop.request.get(`${hub.url}/api/agents/entries?agent=${agent}&after=0`)).text();
  for (const place of [told, log, heard(), await stored(laptop), await hub.log()]) {
    expect(place).not.toContain(Endpoint.longKey);
    expect(place).not.toContain(Endpoint.longKey.slice(8, 30));
  }
});

withVault('a page that is loaded anew asks for the passphrase, and the run waits for it', async ({ laptop, phone, far }) => {
  const agent = await createAgentWithDeviceKey(laptop, far, 'Ada');
  const keys = await keep(laptop);
  const [page, onPhone] = [new AgentPage(laptop), new AgentPage(phone)];
  await onPhone.open(agent);
  await page.open(agent);
  await page.say('Are you there?');
  await expect(keys.wanted).toContainText(`waits for the key of ${VAULT}`);
  await axe(laptop);
  await screens(laptop, 'key-wanted');
  await expect(onPhone.items.filter({ hasText: 'Unlock it there' })).toBeVisible();
  await keys.openWith(keys.wanted, 'eight green kettles');
  await expect(keys.wanted.getByRole('alert')).toContainText('does not open');
  expect(await far.requests()).toEqual([]);

  await page.reload();
  await keys.openWith(keys.wanted, PASSPHRASE);
  await expect(keys.wanted).toHaveCount(0);
  for (const each of [page, onPhone]) await expect(each.messages.last()).toHaveText('You said: Are you there?');
  await expect.poll(async () => (await far.requests()).length).toBe(1);
});

withVault('a device without the key says where it is, and that device takes the run over', async ({ laptop, phone, far }) => {
  const agent = await createAgentWithDeviceKey(laptop, far, 'Ada');
  await keep(laptop);
  const onPhone = new AgentPage(phone);
  await onPhone.open(agent);
  await onPhone.say('Hello');
  await expect(new DeviceKeys(phone).wanted).toContainText('not on this device');
  await expect(onPhone.items.filter({ hasText: 'take the run over' })).toBeVisible();
  expect(await far.requests()).toEqual([]);

  await laptop.getByRole('link', { name: 'Agents', exact: true }).click();
  await laptop.getByRole('link', { name: /Ada/ }).first().click();
  const onLaptop = new AgentPage(laptop);
  await onLaptop.isReady();
  await onLaptop.takeOver.click();
  await expect(onPhone.messages.last()).toHaveText('You said: Hello');
  await expect.poll(async () => (await far.requests()).map(({ ended }) => ended)).toEqual(['whole']);
  await expect(new DeviceKeys(phone).wanted).toHaveCount(0);
});

withVault('keys lock at a press and after a while, and a key that is forgotten is gone', async ({ laptop, far }) => {
  await laptop.clock.install();
  await createAgentWithDeviceKey(laptop, far, 'Ada');
  const keys = await keep(laptop);
  const providers = new Providers(laptop);
  await providers.testHere(VAULT);
  await expect(providers.done.filter({ hasText: 'connected from this browser' })).toBeVisible();
  await keys.lock.click();
  await expect(keys.unlock).toBeVisible();
  await providers.testHere(VAULT);
  await expect(providers.problem.filter({ hasText: 'locked on this device' })).toBeVisible();
  await keys.openWith(keys.section, PASSPHRASE);
  await expect(keys.lock).toBeVisible();
  await laptop.clock.fastForward('15:01');
  await expect(keys.unlock).toBeVisible();

  await keys.forget(VAULT);
  await expect(keys.row(VAULT)).toContainText('Not on this device');
  await keys.open();
  await expect(keys.row(VAULT)).toContainText('Not on this device');
});

withVault('a wrong key, a wrong passphrase and two that differ are said', async ({ laptop, far }) => {
  await createAgentWithDeviceKey(laptop, far, 'Ada');
  const keys = new DeviceKeys(laptop);
  await keys.open();
  await keys.enter(VAULT, 'no key at all', { first: PASSPHRASE });
  await expect(keys.problem).toContainText('This is not a key');
  await keys.enter(VAULT, 'key-bad', { first: PASSPHRASE, again: 'another one entirely' });
  await expect(keys.problem).toContainText('differ');
  await keys.enter(VAULT, 'key-bad', { first: 'short' });
  await expect(keys.problem).toContainText('at least 10 characters');
  await keys.enter(VAULT, 'key-bad', { first: PASSPHRASE });
  await expect(keys.row(VAULT)).toContainText('On this device');
  const providers = new Providers(laptop);
  await providers.testHere(VAULT);
  await expect(providers.problem.filter({ hasText: 'was refused' })).toBeVisible();
});

withVault('the form sends no key along with such a provider', async ({ hub, laptop, far }) => {
  const heard = await overhear(laptop.context(), hub.url);
  const providers = new Providers(laptop);
  await providers.open();
  await providers.fill({ name: VAULT, kind: 'Anthropic', baseUrl: far.url, key: Endpoint.key, reach: 'My devices, with a key that stays there' });
  await providers.save();
  const keys = new DeviceKeys(laptop);
  await expect(keys.row(VAULT)).toContainText('Not on this device');
  await expect(providers.provider(VAULT).first()).toContainText('called by your browser');
  expect(heard()).not.toContain(Endpoint.key);
  const policy = (await laptop.request.get('/')).headers()['content-security-policy'];
  expect(policy).toContain(`connect-src 'self' ${far.url};`);
});
