// Settings that move from one hub to another: sealed in the browser, opened there, and taken once.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { axe, createAgentWithDeviceKey, Endpoint, expect, Hub, Person, screens, test } from '../fixtures.ts';
import { DeviceKeys } from '../pages/device-keys.ts';
import { providerAt, Providers } from '../pages/providers.ts';
import { SettingsPage } from '../pages/settings-page.ts';
import { Transfer } from '../pages/transfer.ts';

const PASSPHRASE = 'seven green kettles';
const VAULT = 'Vault of Ada';

/** A provider with a key in the hub, and one whose key is on this device. */
async function fill(page: Page, endpoint: Endpoint): Promise<void> {
  const providers = new Providers(page);
  await providers.open();
  await providers.add(providerAt(endpoint));
  await createAgentWithDeviceKey(page, endpoint, 'Ada');
  const keys = new DeviceKeys(page);
  await keys.open();
  await keys.enter(VAULT, Endpoint.key, { first: PASSPHRASE });
  await expect(keys.lock).toBeVisible();
  const settings = new SettingsPage(page);
  await settings.back.click();
  await settings.setting('Move settings').click();
}

test('a link brings providers and a key of the device to another hub, and the hubs see no key', async ({ laptop, endpoint, browser }, info) => {
  await fill(laptop, endpoint);
  const made = new Transfer(laptop);
  const link = await made.makeLink();
  expect(link).toContain('/account/transfer#take.');
  await axe(laptop);
  await screens(laptop, 'transfer-out');

  const other = await Hub.start(join(info.project.outputDir, 'hub-other.log'));
  await Person.join(other);
  const context = await browser.newContext({ baseURL: other.url, viewport: { width: 1440, height: 900 } });
  const page = await (await Person.join(other)).signIn(context);
  const sent: string[] = [];
  context.on('request', (request) => sent.push(request.url(), request.postData() ?? ''));
  const there = new Transfer(page);
  await there.open();
  await there.paste(link.slice(0, -20));
  await expect(there.problem).toContainText(/does not open|not whole/);
  await there.paste(link);
  await expect(there.bring.getByText('Its key stays in the hub')).toBeVisible();
  await axe(page);
  await screens(page, 'transfer-in');
  await there.bring.getByLabel('A passphrase for the keys on this device').fill(PASSPHRASE);
  await there.bring.getByLabel('The passphrase once more').fill(PASSPHRASE);
  await there.take.click();
  await expect(there.done.filter({ hasText: `The key of ${VAULT} is kept on this device` })).toContainText('Enter the keys of Brook again');
  await there.open();
  await there.paste(link);
  await expect(there.bring.getByText('Already here').first()).toBeVisible();

  await new Providers(page).open();
  await expect(new Providers(page).provider('Brook')).toContainText('None');
  const keys = new DeviceKeys(page);
  await expect(keys.row(VAULT)).toContainText('On this device');
  const [, fragment] = link.split('#');
  for (const place of [sent.join('\n'), await other.log()]) {
    expect(place).not.toContain(Endpoint.key);
    expect(place).not.toContain(fragment!);
  }
  await context.close();
  await other.end();
});

test('a file opens with its passphrase alone, and not when a byte of it was changed', async ({ laptop, phone, endpoint }) => {
  await fill(laptop, endpoint);
  const bytes = await readFile(await new Transfer(laptop).saveFile('one more passphrase'));
  expect(bytes.includes(Endpoint.key)).toBe(false);
  const file = (buffer: Buffer) => ({ name: 'settings.bin', mimeType: 'application/octet-stream', buffer });
  const there = new Transfer(phone);
  await there.open();
  await there.openFile(file(bytes), 'not the passphrase');
  await expect(there.problem).toContainText('does not open');
  for (const at of [0, 18, 19, 20, 36, 44, 60, bytes.length - 1]) {
    const damaged = Buffer.from(bytes);
    damaged[at]! ^= 1;
    await there.open();
    await there.openFile(file(damaged), 'one more passphrase');
    await expect(there.problem).toContainText(/does not open|no settings|newer|not whole/);
  }
  await there.open();
  await there.openFile(file(bytes), 'one more passphrase');
  await expect(there.bring.getByRole('checkbox', { name: /^Brook/ })).toBeDisabled();
  await expect(there.bring.getByText(`The key of ${VAULT}`)).toBeVisible();
  await screens(phone, 'transfer-phone');
});
