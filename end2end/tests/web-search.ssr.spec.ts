// Where agents search the web, and what a search shows, with JavaScript switched off.

import { createAgent, Endpoint, expect, screens, Searxng, test } from '../fixtures.ts';
import { ask, reachEverything } from '../fixtures/api.ts';
import { WebSearchPage } from '../pages/web-search-page.ts';

test('sources are added, tested, put in order and removed, and a key is never shown', async ({ laptop }) => {
  const [good, closed] = [await Searxng.start(), await Searxng.start({ json: false })];
  const page = new WebSearchPage(laptop);
  await page.open();
  await expect(laptop.getByRole('heading', { name: 'No source of your own yet' })).toBeVisible();
  await page.add('SearXNG');
  await expect(page.problem).toContainText('Enter the address of your SearXNG');

  await page.add('SearXNG', { url: closed.url });
  await expect(page.done).toContainText('The source is added');
  await page.add('SearXNG', { url: good.url });
  await page.add('Brave Search', { key: 'brave-key-canary' });
  await expect(page.sources).toHaveCount(3);
  expect(await laptop.content()).not.toContain('brave-key-canary');
  await expect(page.source('Brave Search')).toContainText('Saved');

  await page.test(`SearXNG at ${closed.host}`);
  await expect(page.problem).toContainText('Add json to search.formats in the settings.yml of this SearXNG.');
  await page.test(`SearXNG at ${good.host}`);
  await expect(page.done).toContainText(`SearXNG at ${good.host} answers.`);

  await page.up(`SearXNG at ${good.host}`);
  await expect(page.sources.first()).toContainText(good.host);
  await screens(laptop, 'web-search');
  await page.remove(`SearXNG at ${closed.host}`);
  await expect(page.sources).toHaveCount(2);
  for (const server of [good, closed]) server.end();
});

test('the search of a provider itself is a source like others, with a provider and a model', async ({ laptop, endpoint }) => {
  await createAgent(laptop, endpoint, 'Ada');
  const page = new WebSearchPage(laptop);
  await page.open();
  await page.add("A provider's own search");
  await expect(page.problem).toContainText('Choose the provider whose search it is');
  await page.addProvider('Endpoint of Ada', Endpoint.anthropicModel);
  await expect(page.done).toContainText('The source is added');
  const name = `Endpoint of Ada: its own search, by ${Endpoint.anthropicModel}`;
  await expect(page.source(name)).toContainText("The provider's");
  await page.test(name);
  await expect(page.done).toContainText(`${name} answers.`);
  await screens(laptop, 'web-search-provider');
});

test('a search is shown as links with host and date, and with what did not answer', async ({ laptop, endpoint }) => {
  const [good, closed] = [await Searxng.start(), await Searxng.start({ json: false })];
  const page = new WebSearchPage(laptop);
  await page.open();
  await page.add('SearXNG', { url: closed.url });
  await page.add('SearXNG', { url: good.url });
  const id = await createAgent(laptop, endpoint, 'Ada');
  await reachEverything(laptop, id);
  const input = { query: 'moss' };
  const turns = [[{ tool: 'research_topic', input }], [{ tool: 'web_search', input }], [{ text: 'Found [1](https://moss.example/on).' }]];
  await ask(laptop, id, `turns: ${JSON.stringify(turns)}`);
  await laptop.goto(`/agents/${id}`);
  const call = laptop.locator('details').filter({ hasText: 'web_search' });
  await call.locator('summary').click();
  const found = call.getByRole('listitem');
  await expect(found).toHaveCount(2);
  await expect(found.first().getByRole('link', { name: 'On moss' })).toHaveAttribute('data-address', 'https://moss.example/on');
  await expect(found.first()).toContainText('moss.example');
  await expect(found.first()).toContainText('2026-03-04');
  await expect(found.first()).toContainText('It grows where it is damp.');
  await expect(call).toContainText(`SearXNG (${closed.host}): It refuses JSON.`);
  await screens(laptop, 'web-results');
  await laptop.getByRole('button', { name: 'Source 1: On moss, moss.example' }).click();
  await expect(laptop.getByRole('dialog', { name: 'Source 1' })).toContainText('It grows where it is damp.');
  await laptop.keyboard.press('Escape');
  // Nobody is at these addresses, so what the search says of them is all there is.
  const topic = laptop.locator('details').filter({ hasText: 'research_topic' });
  await topic.locator('summary').click();
  await expect(topic.getByRole('listitem')).toHaveCount(2);
  await expect(topic.getByRole('listitem').first()).toContainText(/It grows where it is damp\.\s*Not read\./);
  await screens(laptop, 'research-results');
  for (const server of [good, closed]) server.end();
});
