import { defineConfig, devices } from '@playwright/test';
import { existsSync } from 'node:fs';

const SSR = /\.ssr\.spec\.ts$/;
/** What the browser around a page decides, and not the engine alone: where a frame must not get out, and the rest. */
const SECURITY = /\/security\/.*\.spec\.ts$/;
const WHOLE = /\/(notifications|installed|passkeys|device-passkey|page-api|speech|stuck)\.spec\.ts$/;

const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
/** The same engine with no browser around it: a context costs it a quarter of the work. */
const SHELL = process.env.HEADLESS_SHELL_PATH ?? '/usr/bin/chromium-headless-shell';

const args = ['--no-sandbox', '--disable-background-networking'];
export const inChromium = { executablePath: CHROMIUM, args };
// A page is open for seconds: what compiles it again for speed takes a fifth of the work, and is of no use by then.
const inShell = { executablePath: existsSync(SHELL) ? SHELL : CHROMIUM, args: [...args, '--js-flags=--liftoff-only'] };

const LAPTOP = { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } };

export default defineConfig({
  testDir: 'tests',
  // The tests of a worker share one hub, and a hub and its browser want a processor each. On an idle machine
  // `--workers=2` takes two thirds of the time.
  workers: 1,
  // As long as a busy machine may take: no test passes by waiting less.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  retries: 0,
  forbidOnly: !!process.env.CI,
  reporter: 'list',
  use: {
    screenshot: 'only-on-failure',
    launchOptions: inShell,
  },
  projects: [
    { name: 'ssr', testMatch: SSR, use: { ...devices['Desktop Chrome'], javaScriptEnabled: false } },
    { name: 'hydrate', testIgnore: [SSR, SECURITY, WHOLE], use: LAPTOP },
    { name: 'security', testMatch: SECURITY, use: { ...LAPTOP, launchOptions: inChromium } },
    { name: 'browser', testMatch: WHOLE, use: { ...LAPTOP, launchOptions: inChromium } },
  ],
});
