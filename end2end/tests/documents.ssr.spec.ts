// What a person sees of a document that an agent keeps, without script.

import { readFileSync } from 'node:fs';
import { createAgent, expect, test } from '../fixtures.ts';
import { FilesPage } from '../pages/files-page.ts';

const document = (name: string, end?: number) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: readFileSync(new URL(`../../server/hub/tests/it/fixtures/documents/${name}`, import.meta.url).pathname).subarray(0, end),
});

test('documents are looked at as text and tables', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern');
  const files = new FilesPage(laptop);
  const { contents } = files;
  const look = (name: string) => laptop.goto(`/agents/${id}/files/view?path=${name}`);
  await files.open(id);
  const rows = Array.from({ length: 9000 }, (_, row) => `fern ${row},${row}\n`).join('');
  const table = { name: 'ferns.csv', mimeType: 'text/csv', buffer: Buffer.from(`kind,count\n${rows}`) };
  await files.upload('', ...['mosses.xlsx', 'letter.docx', 'deck.pptx', 'report.pdf'].map((name) => document(name)), table);
  await files.upload('', { ...document('letter.docx', 9000), name: 'half.docx' });

  await look('mosses.xlsx');
  await expect(contents.getByRole('heading', { name: 'Sheet 1 of 3: Mosses' })).toBeVisible();
  await expect(contents.getByRole('row', { name: '2 Star moss 2026-03-01 09:30:00 3 0.5' })).toBeVisible();

  await look('letter.docx');
  await expect(contents.getByRole('heading', { name: 'On moss' })).toBeVisible();
  await expect(contents.getByRole('cell', { name: 'Star moss' })).toBeVisible();

  await look('deck.pptx');
  await expect(contents.getByRole('heading', { name: 'Slide 2 of 3' })).toBeVisible();
  await expect(contents).toContainText('Speak slowly');

  await look('report.pdf');
  await expect(contents.getByRole('heading', { name: 'Page 12 of 13' })).toBeVisible();
  await expect(contents).toContainText('Line 29 on page 12: moss is green.');

  const page = contents.getByRole('img', { name: 'Page 1 of 13' });
  const drawn = await laptop.request.get((await page.getAttribute('src')) ?? '');
  expect(drawn.headers()['content-type']).toBe('image/png');
  await contents.getByRole('link', { name: 'Next page' }).click();
  await expect(contents.getByRole('img', { name: 'Page 2 of 13' })).toBeVisible();
  await expect(contents.getByRole('link', { name: 'Previous page' })).toBeVisible();

  await look('ferns.csv');
  await expect(contents.getByRole('row', { name: 'fern 8 8', exact: true })).toBeVisible();
  await expect(contents).toContainText('Shown is ');

  await look('half.docx');
  await expect(contents).toContainText('It is broken, or not what its name says');
});
