// A piece of interface within the conversation, on two devices.

import type { FrameLocator, Page } from '@playwright/test';
import { createAgent, expect, test } from '../fixtures.ts';
import { screens } from '../fixtures/look.ts';
import { AgentPage } from '../pages/agent-page.ts';

const TITLE = 'A choice of days';

function piece(page: Page): FrameLocator {
  return page.frameLocator(`iframe[title="${TITLE}"]`);
}

test('a choice within the conversation is the same on every device, and wakes the agent', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada', 'hub', ['render_ui']);
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.play('artifact');
  await expect(agent.messages.last()).toHaveText('Choose a day.');
  await expect(piece(laptop).getByRole('heading', { name: 'When shall we meet?' })).toBeVisible();
  const place = laptop.locator('.artifact-place');
  await expect(place).not.toHaveAttribute('style', /160px/);
  const inside = piece(laptop).locator('html');
  const [wide, narrow] = [laptop.viewportSize(), { width: 360, height: 800 }];
  const rest = async (): Promise<number> => inside.evaluate((html) => html.getBoundingClientRect().height - innerHeight);
  await expect.poll(rest).toBeLessThanOrEqual(0);
  await laptop.setViewportSize(narrow);
  await expect.poll(rest).toBeLessThanOrEqual(0);
  if (wide) await laptop.setViewportSize(wide);
  await screens(laptop, 'artifact');

  const away = new AgentPage(phone);
  await away.open(id);
  await away.show('Conversation');
  await still(phone);
  await piece(phone).getByRole('button', { name: 'Sunday' }).click();
  await expect(agent.messages.last()).toContainText('"day":"Sunday"');
  for (const page of [laptop, phone]) await expect(piece(page).locator('#out')).toHaveText('Sunday it is.');

  await agent.reload();
  await expect(piece(laptop).getByRole('button', { name: 'Saturday' })).toBeVisible();
});

test('it reaches neither the page around it, nor the network, nor tools, nor devices', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada', 'hub', ['render_ui']);
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.play('artifact');
  await expect(agent.messages.last()).toHaveText('Choose a day.');
  await still(laptop);
  await piece(laptop).getByRole('button', { name: 'Reach out' }).click();
  await expect(piece(laptop).locator('#out')).toHaveText(
    'parent: closed, storage: closed, network: closed, tools: closed, camera: closed',
  );
});

test('a piece that a script keeps busy is taken away, and can be opened again', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada', 'hub', ['render_ui']);
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const html = `<button>Hang</button><script>document.querySelector('button').onclick = () => setTimeout(() => { for (;;); }, 50);</script>`;
  await agent.say(`turns: ${JSON.stringify([[{ tool: 'render_ui', input: { title: TITLE, html } }], [{ text: 'Shown.' }]])}`);
  await expect(agent.messages.last()).toHaveText('Shown.');
  await still(laptop);
  await piece(laptop).getByRole('button', { name: 'Hang' }).click();
  await expect(agent.notice('It did not answer any more and was taken away.')).toBeVisible({ timeout: 20_000 });
  await agent.say('Still there?');
  await expect(agent.messages.last()).toHaveText('You said: Still there?');
  await laptop.getByRole('button', { name: 'Show it again' }).click();
  await expect(piece(laptop).getByRole('button', { name: 'Hang' })).toBeVisible({ timeout: 15_000 });
});

/** Its frame takes the height of what is in it: a press meanwhile goes beside. */
async function still(page: Page): Promise<void> {
  await expect(page.locator('.artifact-place')).not.toHaveAttribute('style', /160px/);
  await page.locator(`iframe[title="${TITLE}"]`).hover();
}
