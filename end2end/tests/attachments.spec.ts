// Pictures and texts that come with messages, on a laptop and a phone.

import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { axe, Cable, createAgent, expect, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { FilesPage } from '../pages/files-page.ts';

const PICTURES = new URL('../../server/hub/tests/it/fixtures/pictures/', import.meta.url).pathname;
const LETTER = new URL('../../server/hub/tests/it/fixtures/documents/office/letter.docx', import.meta.url).pathname;
const bytesOf = (name: string) => readFileSync(`${PICTURES}${name}`);
const picture = (name: string) => ({ name, mimeType: 'image/png', buffer: bytesOf(name) });
const notes = { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Ferns like shade') };

/** Gives the page a file as if it were pasted or dropped there. */
async function give(page: Page, place: string, event: 'paste' | 'drop', name: string): Promise<void> {
  const bytes = bytesOf(name).toString('base64');
  await page.evaluate(
    ([place, event, name, bytes]) => {
      const data = new DataTransfer();
      const blob = Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0));
      data.items.add(new File([blob], name, { type: 'image/png' }));
      const target = document.querySelector(place)!;
      const options = { bubbles: true, cancelable: true };
      if (event === 'paste') target.dispatchEvent(new ClipboardEvent(event, { ...options, clipboardData: data }));
      else target.dispatchEvent(new DragEvent(event, { ...options, dataTransfer: data }));
    },
    [place, event, name, bytes] as const,
  );
}

/** Lets files go no further than the device until the answer is called. */
async function hold(page: Page): Promise<() => void> {
  let go = () => {};
  const held = new Promise<void>((resolve) => (go = resolve));
  await page.route('**/attachments?*', async (route) => {
    await held;
    await route.continue();
  });
  return () => go();
}

test('a picture is seen by the model and on every device', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const there = new AgentPage(phone);
  await there.open(id);
  await agent.files.setInputFiles([picture('turned.jpg'), notes]);
  await expect(agent.added).toHaveText([/turned\.jpg/, /notes\.md/]);
  await expect(agent.added.locator('img')).toHaveCount(1);
  await agent.say('What is this?');
  await expect(agent.added).toHaveCount(0);
  await expect(agent.messages.last()).toContainText('You said:');
  for (const page of [agent, there]) {
    await expect(page.pictures).toHaveCount(1);
    await expect(page.pictures).toHaveJSProperty('complete', true);
    // It was turned upright.
    expect(await page.pictures.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])).toEqual([40, 60]);
    await expect(page.log.getByRole('link', { name: /notes\.md/ })).toBeVisible();
  }
  const requests = await endpoint.requests();
  const sent = JSON.stringify(requests.at(-1));
  expect(sent).toContain('image/jpeg');
  expect(sent).toContain('# Ferns like shade');

  // It stands there after a reload, drawn by the server.
  await agent.reload();
  await expect(agent.pictures).toHaveCount(1);
});

test('what came with messages lies on the page of files as well, to look at and to download', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const files = new FilesPage(phone);
  await files.open(id);
  await files.ready();
  await expect(files.uploads).toContainText('Nothing so far.');

  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.files.setInputFiles([picture('turned.jpg'), notes]);
  await expect(agent.added).toHaveCount(2);
  await agent.say('What is this?');
  await expect(agent.messages.last()).toContainText('You said:');

  // The page that stands open follows.
  await expect(files.uploads.locator('tbody tr')).toHaveText([/notes\.md.*With a message/s, /turned\.jpg.*With a message/s]);
  await files.uploads.getByRole('link', { name: 'notes.md', exact: true }).click();
  const opened = phone.getByRole('region', { name: '/uploads/notes.md' });
  await expect(opened.getByRole('heading', { name: 'Ferns like shade' })).toBeVisible();
  await expect(opened.getByRole('link', { name: 'What is this?' })).toHaveAttribute('href', new RegExp(`^/agents/${id}/conversations/`));
  const coming = phone.waitForEvent('download');
  await opened.getByRole('link', { name: 'Download' }).click();
  expect((await coming).suggestedFilename()).toBe('notes.md');
  await axe(phone);
  await screens(phone, 'uploads');

  await files.uploads.getByRole('link', { name: 'turned.jpg', exact: true }).click();
  const shown = phone.getByRole('region', { name: '/uploads/turned.jpg' }).getByRole('img');
  expect(await shown.evaluate((image: HTMLImageElement) => image.decode().then(() => [image.naturalWidth, image.naturalHeight]))).toEqual([40, 60]);
});

test('what the model makes of a file is said before it goes out', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.files.setInputFiles([LETTER]);
  await expect(agent.added).toHaveText([/letter\.docx.*This model gets the text/s]);
  await agent.say('What is this?');
  await expect(agent.messages.last()).toContainText('You said:');
  expect(JSON.stringify(await endpoint.requests())).toContain('# On moss');
});

test('files can be pasted, dropped and taken back, and wait with the draft', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await give(laptop, '.composer-text', 'paste', 'holes.png');
  await expect(agent.added).toHaveText([/holes\.png/]);
  await give(laptop, '.transcript', 'drop', 'palette.png');
  await expect(agent.added).toHaveText([/holes\.png/, /palette\.png/]);
  // The hub has both.
  await expect(agent.added.locator('img')).toHaveCount(2);
  await agent.reload();
  await expect(agent.added).toHaveText([/holes\.png/, /palette\.png/]);
  await laptop.getByRole('button', { name: 'Remove holes.png' }).click();
  await expect(agent.added).toHaveText([/palette\.png/]);
  await expect(agent.composer).toBeFocused();

  // A picture says enough.
  await agent.send.click();
  await expect(agent.pictures).toHaveCount(1);
  await expect(agent.conversation).toHaveText('palette.png');
});

test('files of a draft stand on every device, can be taken away on each, and go with the message from either', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const cable = await Cable.under(phone);
  const [here, there] = [new AgentPage(laptop), new AgentPage(phone)];
  await here.open(id);
  await there.open(id);
  await there.show('Conversation');
  // A picture from the phone comes to what is written at the laptop.
  await here.composer.fill('Look at');
  await there.files.setInputFiles([picture('holes.png')]);
  for (const page of [here, there]) {
    await expect(page.added).toHaveText([/holes\.png/]);
    await expect(page.composer).toHaveValue('Look at');
  }
  await here.files.setInputFiles([picture('palette.png')]);
  await expect(there.added).toHaveText([/holes\.png/, /palette\.png/]);
  await phone.getByRole('button', { name: 'Remove palette.png' }).click();
  await expect(here.added).toHaveText([/holes\.png/]);
  await there.send.click();
  for (const page of [here, there]) {
    await expect(page.pictures).toHaveCount(1);
    await expect(page.added).toHaveCount(0);
    await expect(page.composer).toHaveValue('');
  }

  // What was sent while the phone had no hub does not come back with the words that were written there.
  await here.files.setInputFiles([notes]);
  await expect(there.added).toHaveText([/notes\.md/]);
  await cable.pull();
  await expect(phone.locator('.connection')).not.toHaveAttribute('data-state', 'live');
  await there.composer.fill('Ferns');
  await here.send.click();
  await expect(here.added).toHaveCount(0);
  await cable.plugIn();
  await expect(here.composer).toHaveValue('Ferns');
  await expect(there.composer).toHaveValue('Ferns');
  for (const page of [here, there]) await expect(page.added).toHaveCount(0);
});

test('a file of a draft that the hub does not keep any more is told', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  // The hub has no such file.
  await laptop.route('**/api/conversations/keep_draft', (route) => {
    const told = route.request().postData() ?? '';
    return route.continue({ postData: told.replace(/[0-9a-f]{64}/, 'none') });
  });
  await agent.files.setInputFiles([picture('holes.png')]);
  await expect(agent.added).toHaveText([/holes\.png is not kept any more\. Attach it again\./]);
});

test('a file that cannot be attached says why, and the words stay', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.composer.fill('Look at these');
  await agent.files.setInputFiles([
    picture('bomb.png'),
    { name: 'photo.heic', mimeType: 'image/heic', buffer: Buffer.from('\0\0\0\x18ftypheic\0\0') },
    picture('holes.png'),
  ]);
  await expect(agent.added).toHaveText([/40000 × 40000 pixels/, /Export it as JPEG/, /holes\.png/]);
  await agent.send.click();
  await expect(agent.pictures).toHaveCount(1);
  // What was refused is not forgotten without a word.
  await expect(agent.added).toHaveText([/bomb\.png/, /photo\.heic/]);
});

test('a picture that was written without the hub goes out when it is there again', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.files.setInputFiles([picture('holes.png')]);
  await expect(agent.added).toHaveText([/holes\.png/]);
  await laptop.route('**/api/agents/send', (route) => route.abort());
  await agent.say('Look');
  await expect(agent.log.getByText('Waits for the hub')).toBeVisible();
  await expect(agent.pictures).toHaveCount(1);
  await laptop.unroute('**/api/agents/send');
  await expect(agent.messages.last()).toContainText('You said:');
  await expect(agent.pictures).toHaveCount(1);
});

test('a message waits for its file, says so, and goes out when the file is there', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const arrive = await hold(laptop);
  await agent.files.setInputFiles([picture('holes.png')]);
  await expect(agent.added).toHaveText([/holes\.png.*Sending/s]);
  await agent.composer.fill('Look');
  await agent.composer.press('Enter');
  const waits = laptop.getByRole('status').filter({ hasText: 'Sends when 1 file is there' });
  await expect(waits).toBeVisible();
  await expect(agent.composer).toHaveValue('Look');

  // It can be taken back, and whoever writes on does so.
  await laptop.getByRole('button', { name: 'Do not send yet' }).click();
  await expect(waits).toHaveCount(0);
  await agent.send.click();
  await expect(waits).toBeVisible();
  await agent.composer.pressSequentially(' here');
  await expect(waits).toHaveCount(0);

  await agent.composer.press('Enter');
  await expect(waits).toBeVisible();
  arrive();
  await expect(agent.pictures).toHaveCount(1);
  await expect(agent.messages.first()).toContainText('Look here');
  await expect(agent.composer).toHaveValue('');
  await expect(waits).toHaveCount(0);
});

test('a file that did not get to the hub is sent again at a press', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await laptop.route('**/attachments?*', (route) => route.abort());
  await agent.composer.fill('Look');
  await agent.files.setInputFiles([picture('holes.png')]);
  await expect(agent.added).toHaveText([/holes\.png.*The hub could not be reached/s]);
  await laptop.unroute('**/attachments?*');
  await laptop.getByRole('button', { name: 'Send holes.png again' }).click();
  await expect(agent.added.locator('img')).toHaveCount(1);
  await agent.send.click();
  await expect(agent.pictures).toHaveCount(1);
});

test('a message that waits for a file does not go out without it', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const arrive = await hold(laptop);
  await agent.composer.fill('Look at this');
  await agent.files.setInputFiles([picture('bomb.png')]);
  await agent.composer.press('Enter');
  await expect(laptop.getByText('Sends when 1 file is there')).toBeVisible();
  arrive();
  await expect(agent.added).toHaveText([/40000 × 40000 pixels/]);
  await expect(agent.composer).toHaveValue('Look at this');
  await expect(agent.messages).toHaveCount(0);
});

test('a loop in the browser sends the same, and never holds the picture', async ({ laptop, endpoint }) => {
  const frames: string[] = [];
  laptop.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => frames.push(String(payload)));
    socket.on('framereceived', ({ payload }) => frames.push(String(payload)));
  });
  const id = await createAgent(laptop, endpoint, 'Ada', 'browser');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.files.setInputFiles([picture('holes.png')]);
  await agent.say('What is this?');
  await expect(agent.messages.last()).toContainText('You said:');
  const sent = JSON.stringify((await endpoint.requests()).at(-1));
  const data = /"data":"([^"]+)"/.exec(sent)?.[1] ?? '';
  expect(Buffer.from(data, 'base64').subarray(1, 4).toString()).toBe('PNG');
  expect(frames.some((frame) => frame.includes('holes.png'))).toBe(true);
  expect(frames.filter((frame) => frame.includes(data.slice(0, 40)))).toEqual([]);
});
