import { defineConfig, devices } from '@playwright/test';

const SSR = /\.ssr\.spec\.ts$/;

export default defineConfig({
  testDir: 'tests',
  // The tests of a worker share one hub, and a hub wants a processor to itself.
  workers: 1,
  retries: 0,
  forbidOnly: !!process.env.CI,
  reporter: 'list',
  use: {
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-background-networking'],
    },
  },
  projects: [
    { name: 'ssr', testMatch: SSR, use: { ...devices['Desktop Chrome'], javaScriptEnabled: false } },
    { name: 'hydrate', testIgnore: SSR, use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } } },
  ],
});
