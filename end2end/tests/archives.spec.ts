// Archives: one of flo.monster's is opened and works, goes out, and comes in again as it was.

import { createAgent, expect, test } from '../fixtures.ts';
import { archive, zip } from '../fixtures/zip.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { Gallery } from '../pages/gallery.ts';

test('an archive is opened, pressed, reloaded, exported and opened again', async ({ laptop, phone }) => {
  const gallery = new Gallery(laptop);
  await gallery.send(archive('counter'));
  await expect(laptop.getByRole('heading', { name: 'Counter', level: 1 })).toBeVisible();
  await expect(gallery.notices).toContainText('budget of 500000 tokens');
  await expect(gallery.notices).toContainText('It asks for a terminal.');
  const id = await gallery.make();

  const agent = new AgentPage(laptop);
  await agent.isReady();
  const count = agent.skin('Counter').locator('#count');
  await expect(count).toHaveText('0');
  await agent.skinFrame('Counter').hover();
  await agent.skin('Counter').getByRole('button', { name: 'More' }).click();
  await agent.skin('Counter').getByRole('button', { name: 'More' }).click();
  await expect(count).toHaveText('2');
  const onPhone = new AgentPage(phone);
  await onPhone.open(id);
  await onPhone.show('Page');
  await expect(onPhone.skin('Counter').locator('#count')).toHaveText('2');
  await agent.reload();
  await expect(count).toHaveText('2');

  await laptop.goto(`/agents/${id}/edit`);
  const [download] = await Promise.all([
    laptop.waitForEvent('download'),
    laptop.getByRole('link', { name: 'Download as an archive' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Counter.flo.zip');
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  await gallery.send(Buffer.concat(chunks));
  await expect(gallery.notices).toHaveCount(0);
  const copy = await gallery.make();
  expect(copy).not.toBe(id);
  await agent.isReady();
  await expect(count).toHaveText('2');
  await agent.skin('Counter').getByRole('button', { name: 'Less' }).click();
  await expect(count).toHaveText('1');
});

test('a captured page comes with its listeners', async ({ laptop }) => {
  const gallery = new Gallery(laptop);
  await gallery.send(archive('todo'));
  await gallery.make();
  const agent = new AgentPage(laptop);
  await agent.isReady();
  const skin = agent.skin('Todo list');
  await expect(skin.getByRole('heading', { name: 'Things to do' })).toBeVisible();
  await skin.getByLabel('What').fill('Buy moss');
  await skin.getByRole('button', { name: 'Add' }).click();
  await expect(agent.messages.first()).toContainText(/The page said submit #add.*Buy moss/s);
});

test('what is not in order makes nothing and says why', async ({ laptop }) => {
  const gallery = new Gallery(laptop);
  const manifest: [string, Buffer] = ['manifest.yaml', Buffer.from('name: A\nversion: "1"\n')];
  for (const [bytes, words] of [
    [Buffer.from('hello'), 'This is no zip archive.'],
    [zip([['srcdoc.html', Buffer.from('<p>')]]), 'no manifest.yaml'],
    [zip([manifest, ['../evil', Buffer.from('x')]]), 'it leads up'],
  ] as const) {
    await gallery.send(bytes);
    await expect(gallery.problem).toContainText(words);
    await expect(gallery.create).toHaveCount(0);
  }
  await laptop.getByRole('link', { name: 'Choose another file' }).click();
  await expect(gallery.look).toBeVisible();
});

test('a page is put aside and shown again, on every device', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.play('draw');
  await expect(agent.messages.last()).toHaveText('The page is drawn. Press Go.');
  await laptop.goto(`/agents/${id}/edit`);
  await laptop.getByLabel('Name of the page that is put aside').fill('Garden');
  await laptop.getByRole('button', { name: 'Put the page aside' }).click();
  await expect(laptop.getByRole('button', { name: 'Show Garden' })).toBeVisible();

  await agent.open(id);
  await agent.play('flo');
  await expect(agent.messages.last()).toHaveText('The counter is drawn.');
  const onPhone = new AgentPage(phone);
  await onPhone.open(id);
  await onPhone.show('Page');
  await expect(onPhone.skin('Ada').getByText('Count: 0')).toBeVisible();

  await laptop.goto(`/agents/${id}/edit`);
  await laptop.getByRole('button', { name: 'Show Garden' }).click();
  await laptop.waitForURL(`/agents/${id}`);
  for (const page of [agent, onPhone]) {
    await expect(page.skin('Ada').getByRole('heading', { name: 'A small garden' })).toBeVisible();
    await expect(page.skin('Ada').getByText('Count: 0')).toHaveCount(0);
  }
});
