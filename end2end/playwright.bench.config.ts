import { defineConfig } from '@playwright/test';
import tests, { inChromium } from './playwright.config.ts';

export default defineConfig({
  ...tests,
  testDir: 'bench',
  testMatch: /\.bench\.ts$/,
  projects: [{ name: 'bench', use: { viewport: { width: 1440, height: 900 }, launchOptions: inChromium } }],
});
