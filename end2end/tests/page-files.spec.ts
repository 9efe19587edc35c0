// What the agent keeps, shown by its page: a picture out of /agent, after the person agreed, and what they keep from it.

import { readFileSync } from 'node:fs';
import type { Frame } from '@playwright/test';
import { createAgent, expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { FilesPage } from '../pages/files-page.ts';
import { Services } from '../pages/services.ts';

declare const flo: any;

const PICTURE = new URL('../../server/hub/tests/it/fixtures/pictures/holes.png', import.meta.url);

/** How the picture is that the page shows. */
async function shown(skin: Frame, path: string): Promise<{ type: string; width: number } | string> {
  return skin.evaluate(async (path) => {
    try {
      const blob: Blob = await flo.files.read(path);
      const picture = document.createElement('img');
      picture.src = URL.createObjectURL(blob);
      document.body.append(picture);
      await picture.decode();
      return { type: blob.type, width: picture.naturalWidth };
    } catch (error) {
      return (error as Error).message;
    }
  }, path);
}

test('the page of an agent shows a picture out of its files', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern', 'hub', ['dom', 'runjs', 'state', 'read', 'glob']);
  const files = new FilesPage(laptop);
  await files.open(id);
  const buffer = readFileSync(PICTURE);
  await files.upload('pictures', { name: 'holes.png', mimeType: 'image/png', buffer });
  const agent = new AgentPage(laptop);
  const services = new Services(laptop);
  const skin = await services.enter(id, 'Fern');

  const first = shown(skin, '/agent/pictures/holes.png');
  await expect(agent.question).toContainText('/agent/pictures/holes.png');
  await agent.question.getByText('More answers').click();
  await agent.question.getByRole('button', { name: 'Always' }).click();
  const width = buffer.readUInt32BE(16);
  expect(await first).toEqual({ type: 'image/png', width });

  const list = skin.evaluate(() => flo.files.list());
  await agent.question.getByRole('button', { name: 'Allow once' }).click();
  expect(await list).toEqual(['/agent/pictures/holes.png']);
  expect(await shown(skin, '/agent/pictures/holes.png')).toEqual({ type: 'image/png', width });
  const none = shown(skin, '/agent/none.png');
  await agent.question.getByRole('button', { name: 'Allow once' }).click();
  expect(await none).toContain('There is no file /agent/none.png');
  expect(await skin.evaluate(() => { try { flo.files.read(''); return 'read'; } catch (error) { return (error as Error).name; } })).toBe('TypeError');
  // The person's own bytes come through the port alone: the frame has no way of its own.
  expect(await skin.evaluate(() => fetch('/files').then(() => 'fetched', () => 'no way'))).toBe('no way');
});
