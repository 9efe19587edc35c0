// What an agent keeps as files: uploaded, looked at, moved, deleted and brought back, without script.

import { readFileSync } from 'node:fs';
import { createAgent, expect, test } from '../fixtures.ts';
import { FilesPage } from '../pages/files-page.ts';

const PICTURE = new URL('../../server/hub/tests/it/fixtures/pictures/holes.png', import.meta.url).pathname;
const text = (name: string, content: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });

test('files are uploaded, looked at, moved, deleted and brought back', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern');
  const files = new FilesPage(laptop);
  await files.open(id);
  await expect(laptop.getByText('No files yet.')).toBeVisible();
  await files.upload('notes', text('plan.txt', 'one\ntwo\n'), text('list.md', '# Moss\n'));
  await files.upload('', { name: 'holes.png', mimeType: 'image/png', buffer: readFileSync(PICTURE) });
  await expect(files.rows).toHaveText([/notes.*2 files/s, /holes\.png/]);
  await laptop.getByRole('link', { name: 'notes', exact: true }).click();
  await expect(files.rows).toHaveText([/list\.md/, /plan\.txt.*8 bytes.*You/s]);

  await laptop.getByRole('link', { name: 'list.md', exact: true }).click();
  await expect(files.contents.getByRole('heading', { name: 'Moss' })).toBeVisible();
  await files.open(id);
  await laptop.getByRole('link', { name: 'holes.png', exact: true }).click();
  await expect(files.contents.getByRole('img')).toHaveJSProperty('complete', true);

  await files.open(id);
  await files.upload('notes', text('plan.txt', 'three\n'));
  await laptop.getByRole('link', { name: 'plan.txt', exact: true }).click();
  await expect(files.contents).toContainText('three');
  await expect(files.versions).toHaveText([/^2.*Now/s, /^1.*Restore version 1|^1.*Restore/s]);
  await laptop.getByRole('button', { name: 'Restore version 1' }).click();
  await expect(files.contents).toContainText('one');
  await expect(files.versions).toHaveCount(3);

  await laptop.getByLabel('Its new path').fill('plan.txt');
  await laptop.getByRole('button', { name: 'Move' }).click();
  await expect(files.rows).toHaveText([/notes/, /holes\.png/, /plan\.txt/]);
  await files.press('plan.txt', 'Delete');
  await expect(files.rows).toHaveCount(2);
  await expect(files.bin).toContainText('plan.txt');
  await files.press('plan.txt', 'Restore');
  await expect(files.rows).toHaveCount(3);

  // Several at once, by the boxes that are ticked.
  await files.choose('holes.png', 'notes');
  await files.move('kept');
  await expect(files.rows).toHaveText([/kept.*2 files/s, /plan\.txt/]);
  await laptop.getByText('New folder', { exact: true }).click();
  await laptop.getByLabel('Name of the new folder').fill('later');
  await laptop.getByRole('button', { name: 'Make and open it' }).click();
  await expect(laptop.getByText('Nothing is in this folder.')).toBeVisible();
  await files.crumbs.getByRole('link', { name: 'Fern' }).click();
  await expect(files.rows).toHaveText([/kept.*2 files/s, /later.*0 files/s, /plan\.txt/]);
  await files.choose('kept', 'later');
  await laptop.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(files.rows).toHaveText([/plan\.txt/]);
});

test('a file that cannot be uploaded is refused in words', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern');
  const files = new FilesPage(laptop);
  await files.open(id);
  await files.upload('../up', text('a.txt', 'a'));
  await expect(laptop.getByRole('alert')).toContainText('no part that leads up');
  await files.upload('', { name: 'large.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) });
  await expect(laptop.getByRole('alert')).toContainText('A file can have 5 MB');
  await expect(files.rows).toHaveCount(0);
});

test('a file is copied into the files of another agent, and opened by an address that was given away', async ({
  laptop,
  endpoint,
  browser,
}) => {
  const id = await createAgent(laptop, endpoint, 'Fern');
  const other = await createAgent(laptop, endpoint, 'Moss');
  const files = new FilesPage(laptop);
  await files.open(id);
  await files.upload('notes', text('plan.txt', 'Water the fern.'));
  await laptop.getByRole('link', { name: 'plan.txt', exact: true }).click();
  await laptop.getByLabel('Whose files it goes into').selectOption('Moss');
  await laptop.getByRole('button', { name: 'Copy into these files' }).click();
  await expect(laptop).toHaveURL(new RegExp(`/agents/${other}/files`));
  await expect(files.rows).toHaveText([/notes.*1 file/s]);

  await files.open(id, 'notes');
  await laptop.getByRole('link', { name: 'plan.txt', exact: true }).click();
  await laptop.getByLabel('How long an address holds').selectOption('For a week');
  await laptop.getByRole('button', { name: 'Make an address to give away' }).click();
  const address = await laptop.getByLabel('Address of the file').inputValue();
  const stranger = await browser.newContext();
  const got = await stranger.request.get(address);
  expect([got.status(), await got.text()]).toEqual([200, 'Water the fern.']);
  await stranger.close();
});
