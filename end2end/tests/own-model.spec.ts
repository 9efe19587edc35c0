// Agents that think with the model that the browser has itself. The model is made up; what the browser
// shows of it is as the Prompt API has it.

import type { Page } from '@playwright/test';
import { createAgentInBrowser, expect, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { Providers } from '../pages/providers.ts';

declare const ownModel: { state: string; asked: { prompts: any[]; prompt: string }[]; fetched: (part: number) => void; open: () => void };

/** Gives the pages that come in this tab a browser's own model, which has to be fetched or is there. */
async function withOwnModel(page: Page, state: 'available' | 'downloadable' | 'unavailable'): Promise<void> {
  await page.addInitScript((state) => {
    const monitor = new EventTarget();
    let open = (): void => {};
    const opened = new Promise<void>((done) => (open = done));
    const model = {
      state,
      asked: [] as { prompts: any[]; prompt: string }[],
      fetched: (part: number) => monitor.dispatchEvent(Object.assign(new Event('downloadprogress'), { loaded: part })),
      open: () => open(),
    };
    const answer = (prompt: string): string => {
      // A first plan is asked for on the side.
      if (prompt.startsWith('The message:')) return 'No tool is needed.';
      if (prompt.includes('<tool_result')) return 'It is late.';
      return prompt.includes('What time') ? '<tool_call>{"name": "datetime", "arguments": {}}</tool_call>' : `You said: ${prompt.split('\n')[0]}`;
    };
    class Session {
      contextUsage = 7;
      constructor(private prompts: any[]) {}
      destroy(): void {}
      promptStreaming(prompt: string, { signal }: { signal: AbortSignal }): ReadableStream<string> {
        model.asked.push({ prompts: this.prompts, prompt });
        const pieces = answer(prompt).match(/.{1,5}/gs) ?? [];
        return new ReadableStream({
          start(to) {
            signal.addEventListener('abort', () => to.error(signal.reason));
            if (prompt.startsWith('Think for ever')) return to.enqueue('I think');
            for (const piece of pieces) to.enqueue(piece);
            to.close();
          },
        });
      }
    }
    Object.assign(window, {
      ownModel: model,
      LanguageModel: {
        availability: async () => model.state,
        create: async (options: any) => {
          if (model.state === 'downloadable') {
            const heard = new EventTarget();
            options.monitor?.(heard);
            monitor.addEventListener('downloadprogress', (event) => {
              heard.dispatchEvent(Object.assign(new Event('downloadprogress'), { loaded: (event as any).loaded }));
            });
            await opened;
            model.state = 'available';
          }
          return new Session(options.initialPrompts ?? []);
        },
      },
    });
  }, state);
}

test('the browser answers by itself, calls tools in its text, and another device watches', async ({ laptop, phone }) => {
  await withOwnModel(laptop, 'available');
  const agent = await createAgentInBrowser(laptop, 'Ada');
  const [onLaptop, onPhone] = [new AgentPage(laptop), new AgentPage(phone)];
  await onLaptop.open(agent);
  await onPhone.open(agent);
  await onLaptop.say('Hello');
  for (const page of [onLaptop, onPhone]) {
    await expect(page.messages.last()).toHaveText('You said: Hello');
    await expect(page.log.getByText('Told by a browser, unverified')).toBeVisible();
  }
  await onLaptop.say('What time is it?');
  await expect(onLaptop.messages.last()).toHaveText('It is late.');
  await expect(onLaptop.log.getByText('Read the clock', { exact: true })).toBeVisible();
  const asked = (await laptop.evaluate(() => ownModel.asked)).filter(({ prompt }) => !prompt.startsWith('The message:'));
  expect(asked.map(({ prompt }) => prompt.match(/^Hello|^What time is it\?|<tool_result/)?.[0])).toEqual(['Hello', 'What time is it?', '<tool_result']);
  expect(asked[0]!.prompts[0].role).toBe('system');
  expect(asked[2]!.prompts.map(({ role }: any) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant']);

  await onLaptop.say('Think for ever');
  await expect(onPhone.streaming).toHaveText('I think');
  await onPhone.stop.click();
  await expect(onLaptop.notice('Stopped.')).toBeVisible();
});

test('a browser without a model says so, and what to do', async ({ laptop, phone }) => {
  await laptop.addInitScript(() => Reflect.deleteProperty(window, 'LanguageModel'));
  const agent = await createAgentInBrowser(laptop, 'Ada');
  const page = new AgentPage(laptop);
  await page.open(agent);
  await page.say('Hello');
  await expect(page.notice('This browser has no model of its own.')).toBeVisible();

  await withOwnModel(phone, 'unavailable');
  const onPhone = new AgentPage(phone);
  await onPhone.open(agent);
  await onPhone.retry.click();
  await expect(onPhone.notice('cannot run its model on this device')).toBeVisible();
});

test('it is added without address and key, fetched at a press, and how far that is can be seen', async ({ laptop }) => {
  await withOwnModel(laptop, 'downloadable');
  const providers = new Providers(laptop);
  await providers.open();
  await providers.fill({ name: 'Here', kind: "The browser's own", baseUrl: '', key: '' });
  await providers.save();
  await expect(providers.provider('Here')).toContainText('In the browser that you use');
  await providers.testHere('Here');
  await expect.poll(async () => {
    await laptop.evaluate(() => ownModel.fetched(0.42));
    return laptop.getByText('This browser fetches its model: 42 %').count();
  }).toBe(1);
  await screens(laptop, 'own-model');
  await laptop.evaluate(() => ownModel.open());
  await expect(providers.done.filter({ hasText: 'The model of this browser is ready.' })).toBeVisible();
  await expect(laptop.getByText('This browser fetches its model')).toHaveCount(0);
});

test('an agent whose model has to be fetched first says how far that is, and then answers', async ({ laptop }) => {
  await withOwnModel(laptop, 'downloadable');
  const agent = await createAgentInBrowser(laptop, 'Ada');
  const page = new AgentPage(laptop);
  await page.open(agent);
  await page.say('Hello');
  await expect.poll(async () => {
    await laptop.evaluate(() => ownModel.fetched(0.17));
    return laptop.getByText('This browser fetches its model: 17 %').count();
  }).toBe(1);
  await laptop.evaluate(() => ownModel.open());
  await expect(page.messages.last()).toHaveText('You said: Hello');
  await expect(laptop.getByText('This browser fetches its model')).toHaveCount(0);
});
