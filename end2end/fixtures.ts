// What a test can ask for by name. `hub` and `endpoint` serve all tests of a worker; `person`,
// `laptop` and `phone` are made anew for each test.

import { devices, test as base, type Page } from '@playwright/test';
import { join } from 'node:path';
import { Endpoint } from './fixtures/endpoint.ts';
import { Hub } from './fixtures/hub.ts';
import { Person } from './fixtures/person.ts';

interface PerTest {
  /** Has an account of its own. */
  person: Person;
  /** A tab in a laptop's browser, signed in as `person`, on no page yet. */
  laptop: Page;
  /** A tab on a phone, signed in as `person` too. */
  phone: Page;
  /** A tab of an administrator. */
  admin: Page;
  /** The endpoint knows of no request of a test before. */
  forgotten: void;
}

interface PerWorker {
  /** Variables that the hub has besides. */
  settings: Record<string, string>;
  hub: Hub;
  endpoint: Endpoint;
}

export const test = base.extend<PerTest, PerWorker>({
  settings: [async ({}, use) => use({}), { scope: 'worker' }],

  hub: [
    async ({ settings }, use, worker) => {
      const hub = await Hub.start(join(worker.project.outputDir, `hub-${worker.workerIndex}.log`), { settings });
      // The first account is an administrator's, and the person of a test is none.
      await Person.join(hub);
      await use(hub);
      await hub.end();
    },
    { scope: 'worker' },
  ],

  endpoint: [
    async ({}, use) => {
      const endpoint = await Endpoint.start();
      await use(endpoint);
      await endpoint.end();
    },
    { scope: 'worker' },
  ],

  forgotten: [
    async ({ endpoint }, use) => {
      await endpoint.forget();
      await use();
    },
    { auto: true },
  ],

  baseURL: async ({ hub }, use) => use(hub.url),

  person: async ({ hub }, use) => use(await Person.join(hub)),

  laptop: async ({ browser, person, hub }, use) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await use(await person.enter(context, hub));
    await context.close();
  },

  admin: async ({ browser, hub }, use) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await use(await (await Person.join(hub, '--admin')).enter(context, hub));
    await context.close();
  },

  phone: async ({ browser, person, hub }, use) => {
    const { defaultBrowserType: _, ...pixel } = devices['Pixel 7'];
    const context = await browser.newContext({ ...pixel, viewport: { width: 390, height: 844 } });
    await use(await person.enter(context, hub));
    await context.close();
  },
});

export { expect } from '@playwright/test';
export { createAgent, createAgentInBrowser, createAgentOnDevice, createAgentWithDeviceKey } from './fixtures/api.ts';
export { Cable } from './fixtures/cable.ts';
export { Endpoint } from './fixtures/endpoint.ts';
export { Hub } from './fixtures/hub.ts';
export { Keys } from './fixtures/keys.ts';
export { axe, isWhole, look, screens } from './fixtures/look.ts';
export { MailServer } from './fixtures/mail.ts';
export { AppMcp, ChangingMcp, EverythingMcp, GuardedMcp } from './fixtures/mcp.ts';
export { OpenData } from './fixtures/open-data.ts';
export { Pages } from './fixtures/pages.ts';
export { Person } from './fixtures/person.ts';
export { Searxng } from './fixtures/searxng.ts';
export { Speech } from './fixtures/speech.ts';
