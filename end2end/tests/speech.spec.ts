// Dictating, reading aloud and talking by an endpoint of the person's: a real server that hears and speaks, and a browser
// whose microphone plays a file over and over: somebody speaks for two seconds, and then there is quiet.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgent, expect, Speech, test as base } from '../fixtures.ts';
import { post } from '../fixtures/api.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { Providers } from '../pages/providers.ts';
import type { Page } from '@playwright/test';

const RATE = 16_000;

/** What the microphone plays, in seconds of quiet, words and quiet. */
function saidOnce(before: number, words: number, after: number): string {
  const samples = RATE * (before + words + after);
  const wav = Buffer.alloc(44 + 2 * samples);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(36 + 2 * samples, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(RATE, 24);
  wav.writeUInt32LE(2 * RATE, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(2 * samples, 40);
  for (let at = RATE * before; at < RATE * (before + words); at += 1) {
    // Syllables: a voice comes and goes, which tells it from the noise of a room.
    const loud = Math.max(0, Math.sin((2 * Math.PI * 4 * at) / RATE));
    const tone = [140, 280, 560, 1120].reduce((sum, hertz) => sum + Math.sin((2 * Math.PI * hertz * at) / RATE), 0);
    wav.writeInt16LE(Math.round(6000 * loud * tone), 44 + 2 * at);
  }
  const file = join(mkdtempSync(join(tmpdir(), 'voice-')), 'said.wav');
  writeFileSync(file, wav);
  return file;
}

const test = base.extend<{}, { speech: Speech }>({
  speech: [
    async ({}, use) => {
      const speech = await Speech.start();
      await use(speech);
      await speech.end();
    },
    { scope: 'worker' },
  ],
});

test.use({
  launchOptions: {
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-audio-capture=${saidOnce(2, 2, 6)}`,
    ],
  },
});

/** Adds the server to the person's providers and has it hear and speak. */
async function withEndpoint(page: Page, speech: Speech, hears = 'whisper-1', speaks = 'tts-1'): Promise<void> {
  const { id } = await post(page, 'providers/save', [
    ['name', 'Parrot'],
    ['kind', 'open_ai'],
    ['base_url', speech.url],
    ['key', Speech.key],
  ]);
  await choose(page, id, hears, speaks);
}

async function choose(page: Page, provider: string, hears: string, speaks: string): Promise<void> {
  const of = (part: string, model: string): [string, string][] => [
    ['part', part],
    ['provider', provider],
    ['model', model],
    ['voice', 'alloy'],
  ];
  await post(page, 'speech/choose', of('hearing', hears));
  await post(page, 'speech/choose', of('speaking', speaks));
}

/** Dictates until the page has noticed that somebody speaks. */
async function dictate(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Dictate' }).click();
  const stop = page.getByRole('button', { name: 'Stop dictating' });
  await expect(stop).toHaveAttribute('data-on', 'heard');
  await stop.click();
}

test('a provider is chosen for speech by hand, hears what is dictated and reads an answer aloud', async ({ laptop, endpoint, speech }) => {
  const providers = new Providers(laptop);
  await providers.open();
  const voice = laptop.getByRole('region', { name: 'Voice' });
  await expect(voice).toContainText('Your device does it');
  await providers.add({ name: 'Parrot', kind: 'OpenAI-compatible', baseUrl: speech.url, key: Speech.key });
  await voice.getByLabel('Dictation', { exact: true }).selectOption('Parrot');
  await voice.getByLabel('Model for dictation').fill('whisper-1');
  await voice.getByRole('button', { name: 'Save dictation' }).click();
  await expect(voice.getByRole('status')).toContainText('Dictate in any conversation');
  await voice.getByLabel('Reading aloud', { exact: true }).selectOption('Parrot');
  await voice.getByLabel('Model for reading aloud').fill('tts-1');
  await voice.getByLabel('Voice', { exact: true }).fill('alloy');
  await voice.getByRole('button', { name: 'Save reading aloud' }).click();
  await expect(voice.getByRole('status')).toContainText('Have an answer read aloud');

  const page = new AgentPage(laptop);
  await page.open(await createAgent(laptop, endpoint, 'Fern'));
  const heardBefore = (await speech.asked()).length;
  await speech.next({ words: [`turns: ${JSON.stringify([[{ text: 'Moss is green. It has no roots!' }]])}`] });
  await dictate(laptop);
  await expect(page.composer).toHaveValue(/^turns: /);
  const [heard] = (await speech.asked()).slice(heardBefore);
  expect(heard).toMatchObject({ path: '/v1/audio/transcriptions', model: 'whisper-1', kind: 'webm' });
  await page.composer.press('Enter');
  const answer = page.messages.last();
  await expect(answer).toContainText('It has no roots!');
  await answer.hover();
  await answer.getByRole('button', { name: 'Read aloud' }).click();
  await expect(answer.getByRole('button', { name: 'Stop reading' })).toBeVisible();
  // It is over when both sentences were heard.
  await expect(answer.getByRole('button', { name: 'Read aloud' })).toBeVisible();
  expect(await speech.spoken()).toEqual(['Moss is green.', 'It has no roots!']);
});

test('what an endpoint refuses is said with what to do, and without the key', async ({ laptop, endpoint, speech }) => {
  await laptop.goto('/');
  await withEndpoint(laptop, speech, 'echo', 'silent');
  const page = new AgentPage(laptop);
  await page.open(await createAgent(laptop, endpoint, 'Fern'));
  await dictate(laptop);
  const says = laptop.locator('.voice-says');
  await expect(says).toContainText('Nothing is heard with');
  await expect(says).not.toContainText('key-good');
  await page.say('Hello');
  const answer = page.messages.last();
  await expect(answer).toHaveText('You said: Hello');
  await answer.hover();
  await answer.getByRole('button', { name: 'Read aloud' }).click();
  await expect(says).toContainText('is no sound');
  await expect(answer.getByRole('button', { name: 'Read aloud' })).toBeVisible();
});

test('without hands, a pause sends what was said, and speaking stops the reading', async ({ laptop, endpoint, speech }) => {
  await laptop.goto('/');
  await withEndpoint(laptop, speech);
  const page = new AgentPage(laptop);
  await page.open(await createAgent(laptop, endpoint, 'Fern'));
  // The first sentence takes longer than the microphone is quiet.
  const turns = (text: string) => `turns: ${JSON.stringify([[{ text }]])}`;
  await speech.next({ words: [turns('This is long. This is never heard.'), 'Thank you'], seconds: 40 });
  await laptop.keyboard.press('Alt+Shift+KeyV');
  const session = laptop.getByRole('group', { name: 'Hands-free conversation' });
  await expect(session).toHaveAttribute('data-state', 'listening');
  await expect(session).toHaveAttribute('data-state', 'speaking');
  await expect(page.messages.last()).toContainText('This is long.');
  // Somebody speaks again, and is heard.
  await expect(page.messages.last()).toContainText('You said: Thank you');
  await laptop.keyboard.press('Escape');
  await expect(session).toBeHidden();
  const heard = (await speech.asked()).filter(({ path }) => path.endsWith('transcriptions'));
  expect(heard.every(({ kind, bytes }) => kind === 'webm' && bytes! > 500)).toBe(true);
});
