// Revoking a device ends it: its page, its socket, and whatever it asks after that.

import { expect, createAgent, test } from '../fixtures.ts';
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
