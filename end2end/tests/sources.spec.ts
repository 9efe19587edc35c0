// Where what an agent says comes from: numbers behind its claims, and what is known of each page behind a press.

import { createAgent, expect, screens, Searxng, test } from '../fixtures.ts';
import { ask, reachEverything } from '../fixtures/api.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { WebSearchPage } from '../pages/web-search-page.ts';

const MOSS = 'Source 1: On moss, moss.example';
const FERNS = 'Source 2: Ferns beside it, fern.example';
const SAID =
  'Moss grows where it is damp [1](https://moss.example/on). It holds twenty times its weight in water, and dries without harm. ' +
  'Then come [the ferns](https://fern.example), which [stand in the shade](https://elsewhere.example/?of=you) beside it [3](https://moss.example/on#end).';

test('a claim stands with its source, while it is written and after, by keyboard and on a phone', async ({ laptop, phone, endpoint }) => {
  const server = await Searxng.start();
  const places = new WebSearchPage(laptop);
  await places.open();
  await places.add('SearXNG', { url: server.url });
  const id = await createAgent(laptop, endpoint, 'Ada');
  await reachEverything(laptop, id);
  const pages = [new AgentPage(laptop), new AgentPage(phone)] as const;
  for (const page of pages) await page.open(id);
  const turns = [[{ tool: 'web_search', input: { query: 'moss' } }], [{ text: SAID, gate: 'Then' }]];
  await pages[0].say(`turns: ${JSON.stringify(turns)}`);

  for (const page of pages) {
    await expect(page.streaming.getByRole('button', { name: MOSS })).toHaveText('1');
    await expect(page.streaming.getByRole('list', { name: 'Sources' }).getByRole('listitem')).toHaveCount(1);
  }
  await endpoint.openGate();
  for (const page of pages) {
    for (const when of ['live', 'loaded']) {
      if (when === 'loaded') await page.reload();
      const answer = page.messages.last();
      await expect(page.streaming).toHaveCount(0);
      await expect(answer.locator('.cite')).toHaveText(['1', '2', '1']);
      await expect(answer.getByRole('list', { name: 'Sources' }).getByRole('listitem')).toHaveCount(2);
      // No tool brought this address, so it is a link like any.
      await expect(answer.getByRole('link', { name: 'stand in the shade' })).toHaveAttribute('data-address', 'https://elsewhere.example/?of=you');
      await expect(answer.locator('.prose')).toContainText('Then come the ferns');
    }
  }

  const [onLaptop, onPhone] = pages;
  const chip = onLaptop.log.getByRole('button', { name: FERNS });
  await chip.hover();
  await screens(laptop, 'sources');
  await chip.focus();
  await laptop.keyboard.press('Enter');
  const preview = laptop.getByRole('dialog', { name: 'Source 2' });
  await expect(preview).toContainText('They stand in the shade.');
  await expect(preview.getByRole('link', { name: 'Open the page' })).toHaveAttribute('data-address', 'https://fern.example/');
  await screens(laptop, 'source-preview');
  await laptop.keyboard.press('Escape');
  await expect(preview).toBeHidden();
  await expect(chip).toBeFocused();

  await onPhone.log.getByRole('list', { name: 'Sources' }).getByRole('button', { name: /On moss/ }).tap();
  const sheet = phone.getByRole('dialog', { name: 'Source 1' });
  await expect(sheet).toContainText('2026-03-04');
  const { x, y, width, height } = (await sheet.boundingBox())!;
  expect([x, width, y + height]).toEqual([0, 390, 844]);
  server.end();
});

test('what a search of the provider itself found is a source too, and the page that it names is a stranger', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const page = new AgentPage(laptop);
  await page.open(id);
  const cites = [{ url: 'https://moss.example/old(1)', title: 'Old [moss]' }, { url: 'javascript:alert(1)', title: 'Bad' }];
  await ask(laptop, id, `turns: ${JSON.stringify([[{ text: 'Moss is old.', cites }]])}`);
  for (const when of ['live', 'loaded']) {
    if (when === 'loaded') await page.reload();
    const answer = page.messages.last();
    await expect(answer.getByRole('button', { name: 'Source 1: Old moss, moss.example' })).toHaveText('1');
    await expect(answer.locator('.prose')).toHaveText(/^Moss is old\.\s*1$/);
    await expect(answer.getByRole('list', { name: 'Sources' }).getByRole('listitem')).toHaveCount(1);
  }
});
