// Archives and templates with JavaScript switched off.

import { expect, test } from '../fixtures.ts';
import { archive } from '../fixtures/zip.ts';
import { Gallery } from '../pages/gallery.ts';

test('an archive is sent in, reviewed and made into an agent', async ({ laptop }) => {
  const gallery = new Gallery(laptop);
  await gallery.send(archive('voice-note'));
  await expect(gallery.notices).toContainText('needs the extension com.example.recorder');
  await expect(laptop.getByText('With it come a page, 1 value of its page, 1 value of its own, 1 rule about its state and 1 file')).toBeVisible();
  const id = await gallery.make();
  await expect(laptop.getByRole('heading', { name: 'Voice notes', level: 1 })).toBeVisible();
  await expect(laptop.getByText('Where it comes from')).toBeVisible();

  await laptop.goto(`/agents/${id}/edit`);
  await laptop.getByLabel('Name of the page that is put aside').fill('First');
  await laptop.getByRole('button', { name: 'Put the page aside' }).click();
  await expect(laptop.getByRole('button', { name: 'Show First' })).toBeVisible();
  await laptop.getByRole('link', { name: 'All its files' }).click();
  await laptop.getByRole('link', { name: 'skins', exact: true }).click();
  await expect(laptop.getByRole('link', { name: 'First.srcdoc', exact: true })).toBeVisible();
  await laptop.goto(`/agents/${id}/edit`);
  await laptop.getByRole('button', { name: 'Delete First' }).click();
  await expect(laptop.getByRole('button', { name: 'Show First' })).toHaveCount(0);
});

test('what cannot be opened is told', async ({ laptop }) => {
  const gallery = new Gallery(laptop);
  await gallery.send(Buffer.from('hello'));
  await expect(gallery.problem).toContainText('This is no zip archive.');
  await laptop.getByRole('button', { name: 'Forget it' }).click();
  await expect(gallery.look).toBeVisible();
});
