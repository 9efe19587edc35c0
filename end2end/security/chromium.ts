// Chromium in a world. Its debugging pipe reaches outside, so Playwright drives it from there.

import { chromium } from '@playwright/test';
import { join } from 'node:path';
import type { Browser, Tab } from './browser.ts';
import { openFrames, removeFrames } from './frames.ts';

/** What a Chromium asks for by itself it does not find, so that all that is seen is the pages' doing. */
const QUIET = '--host-resolver-rules=MAP *.google.com ~NOTFOUND, MAP *.googleapis.com ~NOTFOUND';

export async function startChromium(inside: number, folder: string): Promise<Browser> {
  // Not one of Playwright's own contexts: those are incognito, where Chromium does not look names up
  // ahead of time, and a leak would be missed.
  const browser = await chromium.launchPersistentContext(folder, {
    executablePath: join(import.meta.dirname, 'world/chromium.sh'),
    env: { ...process.env, WORLD: String(inside) },
    args: ['--no-sandbox', '--disable-background-networking', '--short-reporting-delay', QUIET],
  });
  return {
    async open(address): Promise<Tab> {
      const page = await browser.newPage();
      const heard = new Set<(number: number) => void>();
      await page.exposeFunction('ran', (number: number) => heard.forEach((hear) => hear(number)));
      await page.goto(address);
      return {
        async make(orders, ran) {
          heard.add(ran);
          await page.evaluate(openFrames, orders);
        },
        clear: () => page.evaluate(removeFrames),
      };
    },
    close: () => browser.close(),
  };
}
