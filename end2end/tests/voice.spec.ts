// Dictating and reading aloud. The engine of the tests has neither a microphone nor a voice: what a device brings for
// that stands in for it, and tells what it was asked.

import { axe, createAgent, expect, screens, test } from '../fixtures.ts';
import { post } from '../fixtures/api.ts';
import { AgentPage } from '../pages/agent-page.ts';
import type { Page } from '@playwright/test';

/** A device that hears what the test says (`hear`), and notes what it is to speak (`spoken`). */
async function withVoice(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const device = { spoken: [] as string[], listened: 0, listener: undefined as Listener | undefined };
    class Listener extends EventTarget {
      onresult?: ((event: unknown) => void) | null;
      onerror?: (event: unknown) => void;
      onend?: () => void;
      lang = '';
      start(): void {
        device.listener = this;
        device.listened += 1;
      }
      stop(): void {
        device.listener = undefined;
        this.onend?.();
      }
      abort(): void {
        this.stop();
      }
    }
    class Utterance {
      lang = '';
      onend?: () => void;
      constructor(readonly text: string) {}
    }
    let now: Utterance | undefined;
    const synthesis = {
      cancel: () => (now = undefined),
      speak: (utterance: Utterance) => {
        now = utterance;
        device.spoken.push(utterance.text);
      },
    };
    Object.assign(globalThis, {
      device,
      SpeechRecognition: Listener,
      SpeechSynthesisUtterance: Utterance,
      finishSpeaking: () => now?.onend?.(),
    });
    Object.defineProperty(globalThis, 'speechSynthesis', { value: synthesis });
  });
}

/** Waits until the device listens, for the time given by `nth`. */
const listens = (page: Page, nth = 1) => expect.poll(() => page.evaluate(() => (globalThis as any).device.listened)).toBe(nth);

const spoken = (page: Page): Promise<string[]> => page.evaluate(() => (globalThis as any).device.spoken);

const finishSpeaking = (page: Page) => page.evaluate(() => (globalThis as any).finishSpeaking());

const hear = (page: Page, ...words: string[]) =>
  page.evaluate((heard) => (globalThis as any).device.listener?.onresult?.({ results: heard.map((transcript) => [{ transcript }]) }), words);

test('what is spoken stands in the composer, behind what was written, and is sent by hand', async ({ laptop, endpoint }) => {
  await withVoice(laptop);
  const page = new AgentPage(laptop);
  await page.open(await createAgent(laptop, endpoint, 'Fern'));
  const field = page.composer;
  await field.fill('Please');
  await laptop.getByRole('button', { name: 'Dictate' }).click();
  await listens(laptop);
  await hear(laptop, 'water');
  await expect(field).toHaveValue('Please water');
  await hear(laptop, 'water the', ' ferns');
  await expect(field).toHaveValue('Please water the ferns');
  await expect(laptop.getByRole('button', { name: 'Stop dictating' })).toBeVisible();
  await field.press('Enter');
  await expect(page.messages.last()).toHaveText('You said: Please water the ferns');
  await expect(laptop.getByRole('button', { name: 'Dictate' })).toBeVisible();
  await hear(laptop, 'too late');
  await expect(field).toHaveValue('');
});

test('what is spoken is taken for the language that its person chose, as it is spoken where they are', async ({ laptop, endpoint }) => {
  await withVoice(laptop);
  await laptop.addInitScript(() => {
    Object.defineProperty(navigator, 'languages', { value: ['fr-FR', 'de-AT', 'en-GB'] });
    Object.defineProperty(navigator, 'language', { value: 'fr-FR' });
  });
  const page = new AgentPage(laptop);
  const id = await createAgent(laptop, endpoint, 'Fern');
  let times = 0;
  for (const [chosen, dictate, heard] of [
    ['', 'Dictate', 'fr-FR'],
    ['de', 'Diktieren', 'de-AT'],
    ['en', 'Dictate', 'en-GB'],
  ] as const) {
    await post(laptop, 'account/set_appearance', [['language', chosen], ['stay', 'true']]);
    await page.open(id);
    await page.isReady();
    await laptop.getByRole('button', { name: dictate, exact: true }).click();
    await listens(laptop);
    times += 1;
    expect(await laptop.evaluate(() => (globalThis as any).device.listener.lang), String(times)).toBe(heard);
  }
});

test('an answer is read aloud without its code, and stops when asked', async ({ laptop, endpoint }) => {
  await withVoice(laptop);
  const page = new AgentPage(laptop);
  await page.open(await createAgent(laptop, endpoint, 'Fern'));
  await page.say(`turns: ${JSON.stringify([[{ text: 'Run **this**:\n\n```sh\nrm moss\n```\n\nThen rest.' }]])}`);
  const answer = page.messages.last();
  await answer.hover();
  await answer.getByRole('button', { name: 'Read aloud' }).click();
  await expect.poll(() => spoken(laptop)).toHaveLength(1);
  const [text] = await spoken(laptop);
  expect(text).toContain('Run this:');
  expect(text).toContain('Then rest.');
  expect(text).not.toContain('rm moss');
  await answer.getByRole('button', { name: 'Stop reading' }).click();
  await answer.getByRole('button', { name: 'Read aloud' }).click();
  await expect.poll(() => spoken(laptop)).toHaveLength(2);
  await finishSpeaking(laptop);
  await expect(answer.getByRole('button', { name: 'Read aloud' })).toBeVisible();
});

test('a device without a voice has no buttons for one', async ({ laptop, endpoint }) => {
  await laptop.addInitScript(() => {
    for (const name of ['SpeechRecognition', 'webkitSpeechRecognition', 'speechSynthesis']) Object.defineProperty(globalThis, name, { value: undefined });
  });
  const page = new AgentPage(laptop);
  await page.open(await createAgent(laptop, endpoint, 'Fern'));
  await page.say('Hello');
  await expect(page.messages.last()).toHaveText('You said: Hello');
  await expect(laptop.getByRole('button', { name: /Dictate|Read aloud|Talk/ })).toHaveCount(0);
});

test('a conversation without hands sends what was said, reads the answer by its sentences, and listens again', async ({ phone, endpoint }) => {
  await withVoice(phone);
  const page = new AgentPage(phone);
  await page.open(await createAgent(phone, endpoint, 'Fern'));
  await page.composer.fill('A draft');
  await phone.getByRole('button', { name: 'Talk hands-free' }).click();
  const session = phone.getByRole('group', { name: 'Hands-free conversation' });
  await expect(session).toContainText('Listening');
  await expect(session.getByRole('button', { name: 'Send now' })).toBeFocused();
  await listens(phone);
  const answer = 'Moss is green. It has no roots!';
  await hear(phone, `turns: ${JSON.stringify([[{ text: answer }]])}`);
  await session.getByRole('button', { name: 'Send now' }).press('Enter');
  await expect(session).toContainText('Speaking');
  await expect.poll(() => spoken(phone)).toEqual(['Moss is green.']);
  await axe(phone);
  await screens(phone, 'hands-free');
  await finishSpeaking(phone);
  await expect.poll(() => spoken(phone)).toEqual(['Moss is green.', 'It has no roots!']);
  await finishSpeaking(phone);
  await listens(phone, 2);
  await expect(session).toContainText('Listening');
  await expect(page.composer).toHaveValue('A draft');

  // A press stops the reading at once, and what was left of the answer is not read.
  await hear(phone, `turns: ${JSON.stringify([[{ text: 'One. Two. Three.' }]])}`);
  await session.getByRole('button', { name: 'Send now' }).click();
  await expect.poll(() => spoken(phone)).toHaveLength(3);
  await session.getByRole('button', { name: 'Stop and speak' }).click();
  await listens(phone, 3);
  await phone.keyboard.press('Escape');
  await expect(session).toBeHidden();
  expect(await spoken(phone)).toHaveLength(3);
  await expect(phone.getByRole('button', { name: 'Talk hands-free' })).toBeFocused();

  // The same by the list of commands.
  await page.composer.fill('/talk');
  await page.command.waitFor();
  await page.composer.press('Enter');
  await expect(session).toContainText('Listening');
  await session.getByRole('button', { name: 'End', exact: true }).click();
  await expect(session).toBeHidden();
});
