// The thin whole in another engine: a person signs in with Firefox, and an agent that lives in the
// browser has its loop and its page there, while Chromium watches.

import puppeteer, { type Browser } from 'puppeteer-core';
import { createAgent, expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';

let firefox: Browser;

test.beforeAll(async () => {
  firefox = await puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr',
    headless: true,
  });
});

test.afterAll(() => firefox.close());

test('in Firefox the loop runs in the tab, draws the page, and answers a press there', async ({ laptop, person, endpoint, hub }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada', 'browser');
  const watching = new AgentPage(laptop);
  await watching.open(agent);

  const page = await firefox.newPage();
  await page.goto(`${hub.url}/sign-in`);
  await page.locator('::-p-aria([name="Name"][role="textbox"])').fill(person.name);
  await page.locator('input[type=password]').fill(person.password);
  await page.locator('::-p-aria([name="Sign in"][role="button"])').click();
  await page.waitForFunction(() => location.pathname === '/');
  await page.goto(`${hub.url}/agents/${agent}`);
  await page.locator('.connection[data-state="live"]').wait();

  await page.locator('::-p-aria([name="Message"][role="textbox"])').fill('script: draw');
  await page.locator('::-p-aria([name="Send"][role="button"])').click();
  await expect(watching.messages.last()).toHaveText('The page is drawn. Press Go.');
  await expect(watching.loops).toHaveCount(0);

  const frame = await page.waitForSelector('iframe[title="Page of Ada"]');
  const skin = await frame!.contentFrame();
  await skin.locator('#go').click();
  await skin.waitForFunction(() => document.querySelector('#count')?.textContent === 'Pressed.');
  await expect(watching.skin('Ada').locator('#count')).toHaveText('Pressed.');
  expect(await page.$$eval('iframe[title^="Loop of"]', (loops) => loops.length)).toBe(1);
});
