// A person's devices: ending one ends its page, its socket, and whatever it asks after that; a call to
// the page goes to the device that can do it, and waits for it.

import type { Page } from '@playwright/test';
import { axe, createAgent, expect, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { Devices } from '../pages/devices.ts';

const AT_ONCE = { timeout: 2000 };

test('a revoked phone is signed out within two seconds, page and socket, and the laptop is not', async ({ laptop, phone, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const opened = phone.waitForEvent('websocket');
  await new AgentPage(phone).open(agent);
  const socket = await opened;
  const devices = new Devices(laptop);
  await devices.open();
  await expect(devices.current).toHaveCount(1);
  await expect(devices.others).toHaveCount(1);

  const closed = socket.waitForEvent('close', AT_ONCE);
  const left = phone.waitForURL('**/sign-in', AT_ONCE);
  await devices.revoke(devices.others);
  await Promise.all([closed, left]);
  await expect(devices.others).toHaveCount(0);

  const asked = await phone.request.get(`/api/agents/page?id=${agent}`);
  expect(asked.status()).toBe(401);
  await phone.goto(`/agents/${agent}`);
  await expect(phone).toHaveURL(/\/sign-in/);

  await new AgentPage(laptop).open(agent);
});

/** Gives a browser a camera, as far as it tells without being asked. */
async function withCamera(page: Page): Promise<void> {
  await page.addInitScript(() => {
    navigator.mediaDevices.enumerateDevices = async () => [{ kind: 'videoinput', deviceId: '', groupId: '', label: '' } as MediaDeviceInfo];
  });
}

test('a call for a camera waits in sight on every device, and goes to the phone as soon as that is there', async ({ laptop, phone, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const [onLaptop, onPhone] = [new AgentPage(laptop), new AgentPage(phone)];
  await withCamera(phone);
  await onLaptop.open(agent);
  await onLaptop.play('camera');
  await expect(onLaptop.notice('Waits for a device with a camera')).toBeVisible();
  await expect(onLaptop.status).toHaveText('Waits for a device with a camera');
  await expect(onLaptop.stop).toBeVisible();
  await axe(laptop);
  await screens(laptop, 'device-wait');
  await phone.goto('/');
  await expect(phone.getByRole('list', { name: 'Needs you' })).toContainText('Ada waits for you.');

  await onPhone.open(agent);
  for (const page of [onLaptop, onPhone]) {
    await expect(page.notice('Waited for a device with a camera: Chrome on Android took the call.')).toHaveCount(1);
    await expect(page.messages.last()).toContainText('a picture');
  }
  await onLaptop.say('turns: [[{"text":"Told: {devices}"}]]');
  await expect(onLaptop.messages.last()).toContainText('Told: Chrome on Android shows your page now');
  await expect(onLaptop.log.getByText('Told of devices: Chrome on Android shows your page now')).toBeVisible();
});

test('a call that waits for a device is ended by Stop, also where only the page is on the screen', async ({ phone, endpoint }) => {
  const agent = await createAgent(phone, endpoint, 'Ada');
  const onPhone = new AgentPage(phone);
  await onPhone.open(agent);
  await onPhone.play('camera');
  await onPhone.show('Page');
  await screens(phone, 'device-wait-skin');
  await expect(phone.getByRole('status').filter({ hasText: 'Waits for a device with a camera' }).locator('visible=true')).toHaveCount(1);
  await onPhone.stop.click();
  await onPhone.show('Conversation');
  await expect(onPhone.notice('Waited for a device with a camera: none took the call.')).toBeVisible();
  await expect(onPhone.notice('Stopped.')).toBeVisible();
});
