// What somebody does on a slow network, before the browser's program is there.

import type { Page } from '@playwright/test';
import { createAgent, expect, test } from '../fixtures.ts';
import { AgentForm } from '../pages/agent-form.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { hydrated } from '../pages/page.ts';

test('what is written, ticked and chosen before the page reacts stays', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const form = new AgentForm(laptop);
  const react = await slow(laptop, `/agents/${id}/edit`);
  await form.name.fill('Fern');
  await form.instructions.fill('Grow.');
  await laptop.getByText('Loop', { exact: true }).click();
  await form.effort.selectOption({ index: 2 });
  await form.home('browser').check();
  await form.tool('create_tool').check();
  await form.tool('state').uncheck();
  const effort = await form.effort.inputValue();
  await react();
  const check = async () => {
    await expect(form.name).toHaveValue('Fern');
    await expect(form.instructions).toHaveValue('Grow.');
    await expect(form.effort).toHaveValue(effort);
    await expect(form.home('browser')).toBeChecked();
    await expect(form.tool('create_tool')).toBeChecked();
    await expect(form.tool('state')).not.toBeChecked();
  };
  await check();
  await form.save();
  await laptop.goto(`/agents/${id}/edit`);
  await hydrated(laptop);
  await check();
});

test('a field that the page fills in by itself leaves what was written in it', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const react = await slow(laptop, `/agents/${id}/schedules`);
  const zone = laptop.getByLabel('Time zone');
  await laptop.getByRole('radio', { name: /cron/i }).check();
  await zone.fill('Pacific/Chatham');
  await react();
  await expect(zone).toHaveValue('Pacific/Chatham');
});

test('a message that is written before the page reacts is sent by it', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  const react = await slow(laptop, `/agents/${id}`);
  await agent.composer.fill('Ferns');
  await react();
  await expect(agent.composer).toHaveValue('Ferns');
  await agent.composer.press('Enter');
  await expect(agent.messages.last()).toContainText('You said: Ferns');
});

/** Opens a page of which the program does not come before it may. */
async function slow(page: Page, path: string): Promise<() => Promise<void>> {
  let arrive = () => {};
  const held = new Promise<void>((resolve) => (arrive = resolve));
  await page.route('**/*.wasm', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'commit' });
  return async () => {
    arrive();
    await hydrated(page);
  };
}
