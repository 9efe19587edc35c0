// The keys of a device, opened with a passkey: a virtual device whose passkeys have secrets to give.

import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { axe, createAgentWithDeviceKey, Endpoint, expect, Hub, Person, screens, test as base } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { DeviceKeys } from '../pages/device-keys.ts';
import { Device } from '../pages/passkeys.ts';

const PASSPHRASE = 'seven green kettles';
const OTHER = 'eight blue kettles';
const VAULT = 'Vault of Ada';

// Browsers make passkeys only for names, so this hub has one.
const test = base.extend<{ page: Page; far: Endpoint }, { named: Hub }>({
  named: [
    async ({}, use, worker) => {
      const log = join(worker.project.outputDir, `hub-keys-${worker.workerIndex}.log`);
      const named = await Hub.start(log, { name: 'localhost' });
      await use(named);
      await named.end();
    },
    { scope: 'worker' },
  ],
  far: async ({}, use) => {
    const far = await Endpoint.start('--cors');
    await use(far);
    await far.end();
  },
  page: async ({ browser, named }, use) => {
    const person = await Person.join(named);
    const context = await browser.newContext({ baseURL: named.url });
    await use(await person.signIn(context));
    await context.close();
  },
});

/** An agent, and its key on the device of this page. */
async function furnish(page: Page, far: Endpoint): Promise<{ agent: string; keys: DeviceKeys }> {
  const agent = await createAgentWithDeviceKey(page, far, 'Ada');
  const keys = new DeviceKeys(page);
  await keys.open();
  await keys.enter(VAULT, Endpoint.key, { first: PASSPHRASE });
  await expect(keys.lock).toBeVisible();
  return { agent, keys };
}

test('a passkey opens the keys of the device, beside the passphrase, until it is taken back', async ({ page, far }) => {
  const device = await Device.of(page, { hasPrf: true });
  await device.touched(true);
  const { agent, keys } = await furnish(page, far);
  await keys.addPasskey(OTHER);
  await expect(keys.problem).toContainText('does not open the keys');
  expect(await device.credentials()).toEqual([]);
  await keys.addPasskey(PASSPHRASE);
  await expect(keys.done.filter({ hasText: 'The passkey opens the keys' })).toBeVisible();
  expect(await device.credentials()).toHaveLength(1);
  await axe(page);
  await screens(page, 'device-passkey');

  await keys.lock.click();
  await expect(keys.unlock).toBeVisible();
  await screens(page, 'device-passkey-locked');
  await keys.openWithPasskey(keys.section);
  await expect(keys.lock).toBeVisible();
  await keys.changePassphrase(PASSPHRASE, OTHER);
  await expect(keys.done.filter({ hasText: 'new passphrase' })).toBeVisible();

  const talk = new AgentPage(page);
  await talk.open(agent);
  await talk.say('Are you there?');
  await expect(keys.wanted).toContainText(`waits for the key of ${VAULT}`);
  await axe(page);
  await screens(page, 'device-passkey-wanted');
  await keys.openWithPasskey(keys.wanted);
  await expect(keys.wanted).toHaveCount(0);
  await expect(talk.messages.last()).toHaveText('You said: Are you there?');
  await expect.poll(async () => (await far.requests()).map(({ key }) => key)).toEqual(['good']);

  await keys.open();
  await device.empty();
  await keys.openWithPasskey(keys.section);
  await expect(keys.problem).toContainText('Nothing was chosen');
  await keys.openWith(keys.section, OTHER);
  await keys.dropPasskey();
  await expect(keys.done.filter({ hasText: 'Only the passphrase' })).toBeVisible();
  await keys.lock.click();
  await expect(keys.unlock).toBeVisible();
  await expect(keys.section.getByRole('button', { name: 'Use the passkey' })).toHaveCount(0);
});

test('a passkey that has no secret to give changes nothing', async ({ page, far }) => {
  const device = await Device.of(page);
  await device.touched(true);
  const { keys } = await furnish(page, far);
  await keys.addPasskey(PASSPHRASE);
  await expect(keys.problem).toContainText('cannot open keys');
  await keys.lock.click();
  await expect(keys.section.getByRole('button', { name: 'Use the passkey' })).toHaveCount(0);
  await keys.openWith(keys.section, PASSPHRASE);
  await expect(keys.lock).toBeVisible();
});
