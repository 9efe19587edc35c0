// Starts Firefox and does with it what the lines on the standard input say; each is answered with one
// that has its id. Who ran in a page is told as it happens.
//
//     nsenter … node firefox.mjs PROFILE
//
//     { id, open: ADDRESS }                   opens a tab, whose number is this id
//     { id, tab, run: FUNCTION, argument }    runs a function in a tab's page

import { createInterface } from 'node:readline';
import puppeteer from 'puppeteer-core';

const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);

const browser = await puppeteer.launch({
  browser: 'firefox',
  executablePath: process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr',
  userDataDir: process.argv[2],
  headless: true,
});
const tabs = new Map();

async function obey({ id, open, tab, run, argument }) {
  if (open === undefined) return tabs.get(tab).evaluate(`(${run})(${JSON.stringify(argument)})`);
  const page = await browser.newPage();
  tabs.set(id, page);
  await page.exposeFunction('ran', (number) => say({ ran: number }));
  await page.goto(open);
}

createInterface(process.stdin)
  .on('line', (line) => {
    const order = JSON.parse(line);
    obey(order).then(
      () => say({ id: order.id }),
      (error) => say({ id: order.id, failed: String(error) }),
    );
  })
  .on('close', () => browser.close().finally(() => process.exit()));
say({ ready: true });
