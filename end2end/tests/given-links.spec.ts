// Addresses of files that are given away: seen on both devices, with who opened them, and taken back.

import { axe, createAgent, expect, screens, test } from '../fixtures.ts';
import { FilesPage } from '../pages/files-page.ts';

const text = (name: string, content: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });

test('an address that was given away is seen on both devices, counts, and opens nothing once it is taken back', async ({
  laptop,
  phone,
  endpoint,
  browser,
}) => {
  const id = await createAgent(laptop, endpoint, 'Fern');
  const [here, there] = [new FilesPage(laptop), new FilesPage(phone)];
  await here.open(id);
  await here.upload('', text('plan.txt', 'Water the fern.'), text('other.txt', 'Moss.'));
  await there.open(id);
  await there.ready();
  await expect(there.given).toContainText('No address is given away.');

  await laptop.getByRole('link', { name: 'plan.txt', exact: true }).click();
  const make = laptop.getByRole('button', { name: 'Make an address to give away' });
  await make.click();
  const address = laptop.getByLabel('Address of the file');
  await expect(address).toHaveCount(1);
  await expect(there.given).toContainText('plan.txt');
  await expect(there.given).toContainText('Never');

  const stranger = await browser.newContext();
  const first = await address.inputValue();
  const got = await stranger.request.get(first);
  expect([got.status(), await got.text()]).toEqual([200, 'Water the fern.']);
  await expect(here.handOn).toContainText('Once, last');
  await expect(there.given).toContainText('Once, last');
  await axe(laptop);
  await axe(phone);
  await screens(laptop, 'given-file');
  await screens(phone, 'given-all');

  // The phone takes it back, and the laptop sees it go.
  await phone.getByRole('button', { name: 'Take back an address of plan.txt' }).click();
  await expect(address).toHaveCount(0);
  expect((await stranger.request.get(first)).status()).toBe(403);

  await make.click();
  await expect(address).toHaveCount(1);
  await make.click();
  await expect(address).toHaveCount(2);
  const second = await address.first().inputValue();
  await phone.getByText('Take all back', { exact: true }).click();
  await phone.getByRole('button', { name: 'Take all of them back' }).click();
  await expect(there.given).toContainText('No address is given away.');
  await expect(address).toHaveCount(0);
  expect((await stranger.request.get(second)).status()).toBe(403);
  await stranger.close();
});

test('who deletes is asked where files would leave the bin for good', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern');
  const files = new FilesPage(laptop);
  const five = (name: string) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.alloc(5 * 1024 * 1024, name) });
  await files.open(id);
  await files.upload('', five('first'));
  await files.ready();
  await files.press('first', 'Delete');
  await expect(files.bin).toContainText('first');
  for (const part of [0, 1]) {
    await files.upload('many', ...[0, 1, 2, 3, 4].map((number) => five(`${part}${number}`)));
    await expect(laptop).toHaveURL(/in=many/);
  }
  await files.open(id);
  await files.ready();
  await files.press('many', 'Delete');
  await expect(laptop.getByRole('alert')).toContainText('a file that was deleted before leaves it for good');
  await screens(laptop, 'bin-asks');
  await laptop.getByRole('button', { name: 'Keep them' }).click();
  await expect(files.line('many/')).toBeVisible();
  await files.press('many', 'Delete');
  await laptop.getByRole('button', { name: 'Delete all the same' }).click();
  await expect(files.line('many/')).toHaveCount(0);
  await expect(files.bin).not.toContainText('first');
});
