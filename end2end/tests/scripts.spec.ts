// `runjs` in a worker: scripts of an agent beside its page, whichever home its loop has.

import { createAgent, expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';

for (const home of ['hub', 'browser'] as const) {
  test(`a script runs in a worker, home ${home}`, async ({ laptop, endpoint }) => {
    const agent = await createAgent(laptop, endpoint, 'Ada', home);
    const page = new AgentPage(laptop);
    await page.open(agent);
    await page.play('runjs-worker');
    const last = page.messages.last();
    await expect(last).toContainText('It answered:');
    await expect(last).toContainText('"answer":42');
    await expect(last).toContainText('"keys":[]');
    await expect(last).toContainText('"big":"[bigint 10]"');
    await expect(last).toContainText('log: in undefined undefined');
  });
}

test('scripts that fail, lie or never end are answered, and the page goes on', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const page = new AgentPage(laptop);
  await page.open(agent);
  await page.play('runjs-worker-faults');
  const last = page.messages.last();
  await expect(last).toContainText('They answered:', { timeout: 40_000 });
  await expect(last).toContainText('it did not finish within 5000 ms and was ended');
  await expect(last).toContainText('SyntaxError');
  await expect(last).toContainText('RangeError: too far');
  await expect(last).toContainText('warn: first');
  await expect(last).toContainText('the answer is no JSON');
});

test('no way out of the worker is open', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const page = new AgentPage(laptop);
  await page.open(agent);
  await page.play('runjs-worker-ways-out');
  const last = page.messages.last();
  await expect(last).toContainText('It tried:');
  for (const way of ['fetch', 'importScripts', 'import', 'eval', 'function', 'socket', 'xhr', 'storage']) {
    await expect(last).toContainText(`"${way}":"shut"`);
  }
});
