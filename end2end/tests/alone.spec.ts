// Agents whose page nobody has open: the hub changes it and runs scripts in its place.

import type { Page } from '@playwright/test';
import { createAgent, expect, test } from '../fixtures.ts';
import { ask, read } from '../fixtures/api.ts';
import { AgentPage } from '../pages/agent-page.ts';

test('what an agent draws and sets with no page open is there when somebody opens it', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  await ask(laptop, agent, 'script: alone');
  expect((await read(laptop, 'agents/state', { id: agent })).leaves).toBe(3);

  const page = new AgentPage(laptop);
  await page.open(agent);
  await expect(page.skin('Ada').getByRole('heading', { name: 'Moss' })).toBeVisible();
  await page.skin('Ada').getByRole('heading', { name: 'Moss' }).click();
  await expect(page.messages.last()).toContainText('page event: click h1');
});

test('the hub does to a page what a browser does', async ({ laptop, endpoint }) => {
  const shown = await createAgent(laptop, endpoint, 'Ada');
  const page = new AgentPage(laptop);
  await page.open(shown);
  await page.play('dom');
  await expect(page.messages.last()).toHaveText('Every call was made.');
  const inBrowser = await outcome(laptop, shown);

  const alone = await createAgent(laptop, endpoint, 'Beatrix');
  await ask(laptop, alone, 'script: dom');
  const inHub = await outcome(laptop, alone);

  expect(inBrowser.results.length).toBeGreaterThan(30);
  expect(inBrowser.backends).toEqual(['page']);
  expect(inHub.backends).toEqual(['hub']);
  expect(inHub.results).toEqual(inBrowser.results);
  expect(inHub.page).toEqual(inBrowser.page);
});

/** What the tools answered, without what needs a screen, and the page that came of it. */
async function outcome(person: Page, agent: string) {
  const entries = await read(person, 'agents/entries', { agent, after: '0' });
  const backends = new Set<string>();
  // Calls that only look are made side by side, and answered in any order.
  const calls: string[] = entries.flatMap(({ body }: any) => (body.block?.type === 'tool_use' ? [body.block.id] : []));
  const results = entries
    .filter(({ body }: any) => body.type === 'tool_finished')
    .sort((one: any, other: any) => calls.indexOf(one.body.result.call) - calls.indexOf(other.body.result.call))
    .map(({ body }: any) => {
      const { backend, note, rendered, ...result } = JSON.parse(body.result.content);
      backends.add(backend);
      for (const element of result.elements ?? []) delete element.rendered;
      return { failed: body.result.is_error ?? false, ...result };
    });
  expect(calls.length).toBe(results.length);
  const { page } = await read(person, 'agents/skin', { id: agent });
  return { results, backends: [...backends], page };
}
