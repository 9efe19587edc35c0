// Dictating and reading aloud. The engine of the tests has neither a microphone nor a voice: what a device brings for
// that stands in for it, and tells what it was asked.

import { createAgent, expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import type { Page } from '@playwright/test';

/** A device that hears what the test says (`hear`), and notes what it is to speak (`spoken`). */
async function withVoice(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const device = { spoken: [] as string[], listener: undefined as Listener | undefined };
    class Listener extends EventTarget {
      onresult?: ((event: unknown) => void) | null;
      onerror?: (event: unknown) => void;
      onend?: () => void;
      lang = '';
      start(): void {
        device.listener = this;
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

const hear = (page: Page, ...words: string[]) =>
  page.evaluate((heard) => (globalThis as any).device.listener?.onresult?.({ results: heard.map((transcript) => [{ transcript }]) }), words);

test('what is spoken stands in the composer, behind what was written, and is sent by hand', async ({ laptop, endpoint }) => {
  await withVoice(laptop);
  const page = new AgentPage(laptop);
  await page.open(await createAgent(laptop, endpoint, 'Fern'));
  const field = page.composer;
  await field.fill('Please');
  await laptop.getByRole('button', { name: 'Dictate' }).click();
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

test('an answer is read aloud without its code, and stops when asked', async ({ laptop, endpoint }) => {
  await withVoice(laptop);
  const page = new AgentPage(laptop);
  await page.open(await createAgent(laptop, endpoint, 'Fern'));
  await page.say(`turns: ${JSON.stringify([[{ text: 'Run **this**:\n\n```sh\nrm moss\n```\n\nThen rest.' }]])}`);
  const answer = page.messages.last();
  await answer.hover();
  await answer.getByRole('button', { name: 'Read aloud' }).click();
  const spoken = () => laptop.evaluate(() => (globalThis as any).device.spoken as string[]);
  await expect.poll(spoken).toHaveLength(1);
  const [text] = await spoken();
  expect(text).toContain('Run this:');
  expect(text).toContain('Then rest.');
  expect(text).not.toContain('rm moss');
  await answer.getByRole('button', { name: 'Stop reading' }).click();
  await answer.getByRole('button', { name: 'Read aloud' }).click();
  await expect.poll(spoken).toHaveLength(2);
  await laptop.evaluate(() => (globalThis as any).finishSpeaking());
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
  await expect(laptop.getByRole('button', { name: /Dictate|Read aloud/ })).toHaveCount(0);
});
