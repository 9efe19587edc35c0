// Agents whose model is on the person's device: the browser calls it, the hub hears of it.

import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { createAgentOnDevice, Endpoint, expect, test } from '../fixtures.ts';
import { ask } from '../fixtures/api.ts';
import { AgentForm } from '../pages/agent-form.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { Providers } from '../pages/providers.ts';

const FIRST_HALF = 'The first half is here, and';
const WHOLE = `${FIRST_HALF} after the gate comes the second half.`;

const withModel = test.extend<{ near: Endpoint }>({
  near: async ({}, use) => {
    const near = await Endpoint.start('--near', '--cors');
    await use(near);
    await near.end();
  },
});

async function openBoth(laptop: Page, phone: Page, near: Endpoint): Promise<[AgentPage, AgentPage]> {
  const agent = await createAgentOnDevice(laptop, near, 'Ada');
  const pages: [AgentPage, AgentPage] = [new AgentPage(laptop), new AgentPage(phone)];
  for (const page of pages) await page.open(agent);
  return pages;
}

withModel('the browser calls the model, and another device watches live', async ({ hub, laptop, phone, near }) => {
  const [onLaptop, onPhone] = await openBoth(laptop, phone, near);
  await onLaptop.play('halves');
  await expect(onPhone.streaming).toHaveText(FIRST_HALF);
  await near.openGate();
  for (const page of [onLaptop, onPhone]) {
    await expect(page.messages.last()).toHaveText(WHOLE);
    await expect(page.log.getByText('Told by a browser, unverified')).toBeVisible();
  }
  await onLaptop.play('tools');
  await expect(onLaptop.messages.last()).toContainText('The tools answered:');
  await onLaptop.reload();
  await expect(onLaptop.messages.nth(1)).toHaveText(WHOLE);

  const asked = await near.requests();
  expect(asked.length).toBeGreaterThan(2);
  for (const { headers, key } of asked) {
    expect(headers).toMatchObject({ origin: hub.url });
    expect(headers).not.toHaveProperty('cookie');
    expect(key).toBe('none');
  }
});

withModel('many short pieces in a row do not make a frame look hostile', async ({ laptop, phone, near }) => {
  const [onLaptop] = await openBoth(laptop, phone, near);
  await onLaptop.play('twenty-calls');
  await expect(onLaptop.messages.last()).toHaveText('All were asked.', { timeout: 60_000 });
  await expect(onLaptop.stop).toHaveCount(0, { timeout: 60_000 });
  await expect(onLaptop.notice(/./)).toHaveCount(0);
});

withModel('Stop ends the request and keeps what was said', async ({ laptop, phone, near }) => {
  const [onLaptop, onPhone] = await openBoth(laptop, phone, near);
  await onLaptop.play('halves');
  await expect(onPhone.streaming).toHaveText(FIRST_HALF);
  await onPhone.stop.click();
  for (const page of [onLaptop, onPhone]) {
    await expect(page.notice('Stopped.')).toBeVisible();
    await expect(page.messages.last()).toHaveText(FIRST_HALF);
  }
  await expect.poll(async () => (await near.requests()).map(({ ended }) => ended)).toEqual(['aborted']);
});

withModel('a picture and a text go from the hub into the call', async ({ laptop, phone, near }) => {
  const [onLaptop] = await openBoth(laptop, phone, near);
  const file = new URL('../../server/hub/tests/it/fixtures/pictures/holes.png', import.meta.url);
  await onLaptop.files.setInputFiles([
    { name: 'holes.png', mimeType: 'image/png', buffer: readFileSync(file) },
    { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Ferns like shade') },
  ]);
  await expect(onLaptop.added).toHaveText([/holes\.png/, /notes\.md/]);
  await expect(onLaptop.added.locator('img')).toHaveCount(1);
  await onLaptop.say('What is this?');
  await expect(onLaptop.messages.last()).toContainText('You said:');
  const sent = JSON.stringify(await near.requests());
  expect(sent).toContain('data:image/png;base64,iVBORw0KGgo');
  expect(sent).toContain('notes.md:\\n```\\n# Ferns like shade');
  expect(sent).not.toMatch(/attachment(-text)?:[0-9a-f]{64}/);
});

withModel('a model that is not there is said to be not there', async ({ laptop, phone, near }) => {
  const [onLaptop] = await openBoth(laptop, phone, near);
  const gone = await Endpoint.start('--near');
  const agent = await createAgentOnDevice(laptop, gone, 'Eve');
  await gone.end();
  const page = new AgentPage(laptop);
  await page.open(agent);
  await page.say('Hello');
  await expect(onLaptop.notice('No model server answers this browser at')).toBeVisible({ timeout: 60_000 });
});

test('a model that refuses pages is told apart, with what to do', async ({ laptop }) => {
  const shy = await Endpoint.start('--near');
  const agent = await createAgentOnDevice(laptop, shy, 'Ada');
  const page = new AgentPage(laptop);
  await page.open(agent);
  await page.say('Hello');
  await expect(page.notice('does not let this page read its answers')).toBeVisible();

  const providers = new Providers(laptop);
  await providers.open();
  await providers.testHere('Model of Ada');
  await expect(providers.problem).toContainText('(CORS)');
  await shy.end();
});

withModel('on the hub such an agent says at once what to do', async ({ laptop, near }) => {
  const agent = await createAgentOnDevice(laptop, near, 'Ada', 'hub');
  const page = new AgentPage(laptop);
  await page.open(agent);
  await ask(laptop, agent, 'Hello');
  await expect(page.notice('Let it run in the browser')).toBeVisible();
  expect(await near.requests()).toEqual([]);
});

withModel('the form adds it, the browser tests it, and pages may connect there and nowhere else', async ({ laptop, near }) => {
  const policy = async () => (await laptop.request.get('/')).headers()['content-security-policy'];
  expect(await policy()).toContain("connect-src 'self';");
  const providers = new Providers(laptop);
  await providers.open();
  const draft = { name: 'Mine', kind: 'OpenAI-compatible', baseUrl: 'https://models.example.com/v1', key: '', reach: 'This browser' } as const;
  await providers.fill(draft);
  await providers.save();
  await expect(providers.problem).toContainText('in its own network');
  await providers.fill({ ...draft, baseUrl: `${near.url}/v1` });
  await providers.save();
  await expect(providers.provider('Mine')).toContainText('called by your browser');
  await expect(providers.done).toContainText('Mine is saved');
  await providers.testHere('Mine');
  await expect(providers.done).toContainText('Mine: connected from this browser, 3 models.');
  expect(await policy()).toContain(`connect-src 'self' ${near.url};`);

  const form = new AgentForm(laptop);
  await form.open();
  await form.chooseModel.click();
  await expect(form.models.filter({ hasText: Endpoint.openAiModel }).first()).toBeVisible();
});
