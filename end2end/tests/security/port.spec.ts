// S3: only the right window and port are believed, and nothing that comes over them can hurt the shell.

import type { Frame, Page } from '@playwright/test';
import { createAgent, expect, test } from '../../fixtures.ts';
import { AgentPage } from '../../pages/agent-page.ts';
import { FORGED, HOSTILE_MESSAGES } from '../../security/hostile.ts';

/** What the shell threw or complained of, and what it told the hub, from now on. */
function watch(page: Page) {
  const complaints: string[] = [];
  const sent: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))));
  return { complaints, sent };
}

// No script of a page gets its port, or a tree in which a frame can hide. This one is there before the
// frame's own.
test.beforeEach(({ laptop }) =>
  laptop.addInitScript(() => {
    Object.assign(window, { attachShadow: Element.prototype.attachShadow });
    addEventListener('message', ({ data, ports }) => {
      if (data?.vivarium === 'port') Object.assign(window, { stolen: ports[0] });
    });
  }),
);

/** The document in the skin frame of the agent, which is the attacker's, once its own port has come. */
async function skin(page: Page, agent: string): Promise<Frame> {
  const element = page.locator(`iframe[title="Page of ${agent}"]`);
  await element.waitFor({ state: 'attached' });
  const frame = await (await element.elementHandle())!.contentFrame();
  // By time: a frame that is not shown has no animation frames, in which it would be asked.
  await frame!.waitForFunction(() => 'stolen' in window, undefined, { polling: 50 });
  return frame!;
}

async function send(frame: Frame, messages: string[]): Promise<void> {
  const code = messages.map((message) => `stolen.postMessage(${message});`).join('\n');
  await frame.evaluate(code);
}

const setState = (key: string) => JSON.stringify(JSON.stringify({ type: 'set_state', key, value: 1 }));
const tells = (sent: string[], word: string) => sent.filter((text) => text.includes(word));

test('nothing that a frame makes up over its port is believed or does harm', async ({ laptop, endpoint }) => {
  const { complaints, sent } = watch(laptop);
  const agent = await createAgent(laptop, endpoint, 'Mallory');
  await new AgentPage(laptop).open(agent);
  const attacker = await skin(laptop, 'Mallory');
  for (const [name, message] of Object.entries(HOSTILE_MESSAGES)) {
    // What is right comes through afterwards: the shell has read what came before it, and hears on.
    const key = `after-${Object.keys(HOSTILE_MESSAGES).indexOf(name)}`;
    await send(attacker, [message, setState(key)]);
    await expect.poll(() => tells(sent, `"${key}"`), name).toHaveLength(1);
    expect(tells(sent, FORGED), name).toEqual([]);
  }
  expect(complaints).toEqual([]);
});

test('a frame that goes on with nonsense is taken away, and the shell stays', async ({ laptop, endpoint }) => {
  const { complaints, sent } = watch(laptop);
  const agent = await createAgent(laptop, endpoint, 'Mallory');
  const page = new AgentPage(laptop);
  await page.open(agent);
  const attacker = await skin(laptop, 'Mallory');
  const flood = attacker.evaluate((word) => {
    const { stolen } = window as unknown as { stolen: MessagePort };
    for (let i = 0; i < 10_000; i += 1) stolen.postMessage(`${word} ${i}`);
  }, FORGED);
  // It may be gone before it has finished.
  await flood.catch(() => undefined);
  await expect(laptop.locator('iframe[title="Page of Mallory"]')).toHaveCount(0);
  await page.say('hello');
  await expect(page.messages.last()).toContainText('You said:');
  expect(tells(sent, FORGED)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('a second hello gets no port, and the first one goes on', async ({ laptop, endpoint }) => {
  const { complaints, sent } = watch(laptop);
  const agent = await createAgent(laptop, endpoint, 'Mallory');
  await new AgentPage(laptop).open(agent);
  const attacker = await skin(laptop, 'Mallory');
  await attacker.evaluate(() => {
    Object.assign(window, { heard: [] });
    addEventListener('message', ({ data }) => (window as any).heard.push(data));
    parent.postMessage({ vivarium: 'hello', version: 3 }, '*');
  });
  await send(attacker, [setState('later')]);
  await expect.poll(() => tells(sent, '"later"')).toHaveLength(1);
  expect(await attacker.evaluate('heard')).toEqual([]);
  expect(complaints).toEqual([]);
});

test('windows that are not a frame of the shell’s get no port, whatever they say', async ({ laptop, endpoint }) => {
  const { complaints } = watch(laptop);
  const agent = await createAgent(laptop, endpoint, 'Mallory');
  await new AgentPage(laptop).open(agent);
  const attacker = await skin(laptop, 'Mallory');
  const heard = await attacker.evaluate(async () => {
    const script = `
      addEventListener('message', ({ data }) => parent.postMessage({ heard: data }, '*'));
      for (const hello of [{ vivarium: 'hello', version: 3 }, 'hello', null, 1, { vivarium: 'port' }, new Map()])
        top.postMessage(hello, '*');
      const { port2 } = new MessageChannel();
      top.postMessage({ vivarium: 'port', version: 3 }, '*', [port2]);
      parent.postMessage({ vivarium: 'port', version: 3 }, '*', [new MessageChannel().port2]);
      parent.postMessage('said', '*');`;
    const nested = document.createElement('iframe');
    nested.srcdoc = `<script>${script}</script>`;
    const host = document.createElement('p');
    // Not in the body: the agent's page is drawn there when the port has come, in place of what there was.
    document.documentElement.append(host);
    const news: unknown[] = [];
    const said = new Promise<void>((resolve) => {
      addEventListener('message', ({ data, source }) => {
        if (source !== nested.contentWindow) return;
        if (data === 'said') resolve();
        else if (data.heard) news.push(data.heard);
      });
    });
    (window as any).attachShadow.call(host, { mode: 'closed' }).append(nested);
    await said;
    // The shell answers this one, and it has heard the others before.
    await (window as any).flo.notify_user('done');
    return news;
  });
  expect(heard).toEqual([]);
  expect(complaints).toEqual([]);
});

test('the shell does not know a page that opened it', async ({ laptop, hub }) => {
  await laptop.route('**/opener', (route) => route.fulfill({ contentType: 'text/html', body: '<title>Opener</title>' }));
  await laptop.goto(`${hub.url}/opener`);
  const [opened] = await Promise.all([laptop.waitForEvent('popup'), laptop.evaluate(() => void window.open('/'))]);
  await opened.waitForURL(`${hub.url}/`);
  expect(await opened.evaluate(() => window.opener)).toBeNull();
});

test('a skin takes its port from the shell alone', async ({ laptop, hub }) => {
  await laptop.route('**/harness', (route) => route.fulfill({ contentType: 'text/html', body: '<title>Harness</title>' }));
  await laptop.goto(`${hub.url}/harness`);
  // A page of the hub's own origin stands in for the shell, and holds back its answer until the
  // attacker, a frame beside the victim, has given his.
  const heard = await laptop.evaluate(async () => {
    const heard: Record<string, unknown[]> = { attacker: [], shell: [] };
    const open = () => {
      const frame = document.createElement('iframe');
      frame.setAttribute('sandbox', 'allow-scripts');
      return frame;
    };
    const hello = (frame: HTMLIFrameElement) =>
      new Promise<void>((resolve) => {
        addEventListener('message', ({ source, data }) => {
          if (source === frame.contentWindow && (data?.vivarium === 'hello' || data === 'given')) resolve();
        });
        document.body.append(frame);
      });
    const victim = open();
    victim.src = '/sandbox/skin';
    await hello(victim);
    const attacker = open();
    attacker.srcdoc = `<script>
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => parent.postMessage({ attacker: data }, '*');
      parent.frames[0].postMessage({ vivarium: 'port', version: 3 }, '*', [port2]);
      parent.postMessage('given', '*');
    </script>`;
    addEventListener('message', ({ data }) => data.attacker && heard.attacker!.push(data.attacker));
    await hello(attacker);
    const { port1, port2 } = new MessageChannel();
    await new Promise<void>((resolve) => {
      port1.onmessage = ({ data }) => {
        heard.shell!.push(data);
        resolve();
      };
      victim.contentWindow!.postMessage({ vivarium: 'port', version: 3 }, '*', [port2]);
    });
    return heard;
  });
  expect(heard).toEqual({ attacker: [], shell: ['{"type":"ready"}'] });
});
