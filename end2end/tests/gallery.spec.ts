// The gallery: every template becomes an agent whose page works, and really asks its agent.

import type { FrameLocator } from '@playwright/test';
import { axe, expect, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { Gallery } from '../pages/gallery.ts';
import { Providers, providerAt } from '../pages/providers.ts';

/** What a person does on the page of a template to ask its agent. */
const TEMPLATES: Record<string, (skin: FrameLocator) => Promise<void>> = {
  'List by voice': async (skin) => {
    await skin.getByLabel('What to put on the list').fill('lemons and bread');
    await skin.getByRole('button', { name: 'Add' }).click();
  },
  'Drawing board': async (skin) => {
    await skin.getByLabel('What the agent should draw').fill('a fox');
    await skin.getByRole('button', { name: 'Ask' }).click();
  },
  Dashboard: async (skin) => {
    await skin.getByLabel('A figure, or what you want to see').fill('ran 6 km');
    await skin.getByRole('button', { name: 'Tell' }).click();
  },
  Quiz: async (skin) => {
    await skin.getByLabel('What to ask about').fill('rivers');
    await skin.getByRole('button', { name: 'New quiz' }).click();
  },
  Notes: async (skin) => {
    await skin.getByLabel('Find a note').fill('the plumber');
    await skin.getByRole('button', { name: 'Find' }).click();
  },
  Timer: async (skin) => {
    await skin.getByLabel('What you are going to do').fill('write, then walk');
    await skin.getByRole('button', { name: 'Plan' }).click();
  },
};

for (const [name, act] of Object.entries(TEMPLATES)) {
  test(`${name}: the page asks its agent and shows the answer`, async ({ laptop, endpoint }) => {
    const providers = new Providers(laptop);
    await providers.open();
    await providers.add(providerAt(endpoint));
    const gallery = new Gallery(laptop);
    await gallery.open();
    await gallery.choose(name);
    await expect(laptop.getByLabel('Provider', { exact: true })).not.toHaveValue('');
    await expect(laptop.getByLabel('Model', { exact: true })).not.toHaveValue('');
    await gallery.make();
    const agent = new AgentPage(laptop);
    await agent.isReady();
    const said = agent.skin(name).locator('#said');
    // The page lays itself out anew when its script runs: a press at that moment may go beside the button.
    await expect(async () => {
      await act(agent.skin(name));
      await expect(said).not.toBeEmpty({ timeout: 2_000 });
    }).toPass();
    await expect(said).toContainText('You said: [page question]');
  });
}

test('what was said to the list is on it even when no agent answers', async ({ laptop }) => {
  const gallery = new Gallery(laptop);
  await gallery.open();
  await gallery.choose('List by voice');
  await gallery.make();
  const agent = new AgentPage(laptop);
  await agent.isReady();
  const skin = agent.skin('List by voice');
  const item = skin.getByRole('checkbox', { name: 'lemons and bread' }).first();
  await expect(async () => {
    if ((await item.count()) === 0) await TEMPLATES['List by voice'](skin);
    await expect(item).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await item.check();
  await agent.reload();
  await expect(item).toBeChecked();
});

test('a line that is drawn stays, on the phone too', async ({ laptop, phone }) => {
  const gallery = new Gallery(laptop);
  await gallery.open();
  await gallery.choose('Drawing board');
  const id = await gallery.make();
  const agent = new AgentPage(laptop);
  await agent.isReady();
  const board = agent.skin('Drawing board').locator('#board');
  // The mouse waits for nothing: the frame has to be in its place.
  await agent.skinFrame('Drawing board').hover();
  await board.hover();
  await expect(board.locator('path')).toHaveCount(0);
  const box = (await board.boundingBox())!;
  await laptop.mouse.move(box.x + 50, box.y + 50);
  await laptop.mouse.down();
  await laptop.mouse.move(box.x + 150, box.y + 120, { steps: 5 });
  await laptop.mouse.up();
  await expect(board.locator('path')).toHaveCount(1);
  const onPhone = new AgentPage(phone);
  await onPhone.open(id);
  await onPhone.show('Page');
  await expect(onPhone.skin('Drawing board').locator('#board path')).toHaveCount(1);
});

test('the gallery and a review break no accessibility rule', async ({ laptop, endpoint }) => {
  const providers = new Providers(laptop);
  await providers.open();
  await providers.add(providerAt(endpoint));
  const gallery = new Gallery(laptop);
  await gallery.open();
  await expect(gallery.cards).toHaveCount(6);
  await axe(laptop);
  await screens(laptop, 'gallery');
  await gallery.choose('Notes');
  await axe(laptop);
  await screens(laptop, 'gallery-review');
});
