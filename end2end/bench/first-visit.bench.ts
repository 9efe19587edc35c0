// A first visit to a conversation: what is sent, and how long a slow phone takes until the page reacts.
// `LEPTOS_SITE_ROOT` and `VIVARIUM_BIN` name a build; the figures that are published are of the release.

import { devices, type BrowserContext, type CDPSession } from '@playwright/test';
import { createAgent, expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { tell } from './figure.ts';

/** Slow 4G as Chromium's developer tools have it: bytes a second, and milliseconds to an answer. */
const SLOW_4G = { offline: false, downloadThroughput: (1_600_000 / 8) * 0.9, uploadThroughput: (750_000 / 8) * 0.9, latency: 150 * 3.75 };
/** How much slower than this machine the phone is. */
const CPU = 4;
const MOST_BYTES = 1.2 * 1024 * 1024;

interface Sent {
  path: string;
  encoding: string;
  bytes: number;
}

/** Notes what is sent over the wire, headers included. */
async function watch(cdp: CDPSession): Promise<Sent[]> {
  const [sent, open]: [Sent[], Map<string, Sent>] = [[], new Map()];
  await cdp.send('Network.enable');
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    const path = new URL(response.url).pathname.replace(/^\/b\/[^/]+/, '/b/…');
    open.set(requestId, { path, encoding: response.headers['content-encoding'] ?? response.headers['Content-Encoding'] ?? 'as it is', bytes: 0 });
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const found = open.get(requestId);
    if (found) sent.push({ ...found, bytes: encodedDataLength });
  });
  return sent;
}

test('a first visit to a conversation, on a slow phone', async ({ browser, laptop, endpoint }) => {
  test.setTimeout(300_000);
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const page = new AgentPage(laptop);
  await page.open(agent);
  await page.say('Hello');
  await expect(page.messages.last()).toHaveText('You said: Hello');
  const { origin } = new URL(laptop.url());
  const storageState = await laptop.context().storageState();
  await laptop.goto('about:blank');

  const live: number[] = [];
  let all: Sent[] = [];
  for (let round = 0; round < 3; round += 1) {
    const { defaultBrowserType: _, ...pixel } = devices['Pixel 7'];
    const context: BrowserContext = await browser.newContext({ ...pixel, storageState });
    const phone = await context.newPage();
    const cdp = await context.newCDPSession(phone);
    all = await watch(cdp);
    await cdp.send('Network.emulateNetworkConditions', SLOW_4G);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU });
    const begun = Date.now();
    await phone.goto(`${origin}/agents/${agent}`, { waitUntil: 'commit', timeout: 120_000 });
    await phone.locator('html[data-hydrated]').waitFor({ state: 'attached', timeout: 120_000 });
    live.push(Date.now() - begun);
    await phone.waitForLoadState('networkidle');
    await context.close();
  }
  tell('Live on a slow phone', 'ms', live);
  for (const { path, encoding, bytes } of all.toSorted((a, b) => b.bytes - a.bytes)) console.log(`| ${path} | ${encoding} | ${bytes} |`);
  const bytes = all.reduce((sum, each) => sum + each.bytes, 0);
  console.log(`all: ${bytes} bytes in ${all.length} answers`);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});
