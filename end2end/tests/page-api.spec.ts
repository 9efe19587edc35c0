// What the page of an agent can have of the person and their devices by `flo`: each function with
// devices that are made up, and that nothing of it comes without the person's word.

import type { Frame, Page } from '@playwright/test';
import { axe, createAgent, expect, screens, test, type Endpoint } from '../fixtures.ts';
import { deafEngine, hearingEngine, speakingEngine } from '../fixtures/engines.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { Services } from '../pages/services.ts';

declare const flo: any;

test.use({
  launchOptions: {
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--use-fake-device-for-media-stream',
      // The browser's own question is answered with yes: what is left to say no is the shell.
      '--use-fake-ui-for-media-stream',
      '--auto-select-desktop-capture-source=Entire screen',
    ],
  },
});

interface Opened {
  agent: string;
  services: Services;
  skin: Frame;
}

async function open(page: Page, endpoint: Endpoint): Promise<Opened> {
  const agent = await createAgent(page, endpoint, 'Ada');
  const services = new Services(page);
  return { agent, services, skin: await services.enter(agent, 'Ada') };
}

/** Begins something in the page, whose end can be asked for later: `ends` gives its value, or the name of its error. */
async function begin(skin: Frame, code: string): Promise<{ ends: () => Promise<any> }> {
  const name = `begun${Math.random().toString(36).slice(2)}`;
  await skin.evaluate(`window.${name} = (async () => { ${code} })().catch((error) => error.name), undefined`);
  return { ends: () => skin.evaluate(`window.${name}`) };
}

test('flo.notify_user tells the person, and not too often', async ({ laptop, endpoint }) => {
  const { services, skin } = await open(laptop, endpoint);
  await skin.evaluate(() => flo.notify_user('The kettle boils.'));
  await expect(services.notices).toHaveCount(1);
  await expect(services.notices).toContainText(/Ada.*The kettle boils\..*From the page of Ada/s);
  await skin.evaluate(() => flo.notify_user({ title: 'Tea', text: '<b>Ready</b>' }));
  await expect(services.notices.last()).toContainText(/Tea.*<b>Ready<\/b>/s);
  await services.notices.last().getByRole('button', { name: 'Close this notice' }).click();
  await expect(services.notices).toHaveCount(1);

  const refused = await begin(skin, `for (let i = 0; i < 5; i += 1) await flo.notify_user('again'); return 'all shown'`);
  expect(await refused.ends()).toBe('NotAllowedError');
  for (const wrong of [`''`, `'a'.repeat(1001)`, `{ title: 'no text' }`, `undefined`]) {
    const begun = await begin(skin, `await flo.notify_user(${wrong})`);
    expect(await begun.ends(), wrong).toBe('TypeError');
  }
});

test('flo.requestViewState offers, and the person decides', async ({ laptop, endpoint }) => {
  const { services, skin } = await open(laptop, endpoint);
  const main = laptop.locator('main.agent');
  expect(await skin.evaluate(() => flo.requestViewState('max'))).toBe('unchanged');

  const refused = await begin(skin, `return flo.requestViewState('ui-only')`);
  await expect(services.question).toContainText('Ada would like to show its page alone');
  await services.answer('Not now');
  expect(await refused.ends()).toBe('declined');
  await expect(main).toHaveAttribute('data-view', 'both');

  const taken = await begin(skin, `return flo.requestViewState('ui-only')`);
  await services.answer('Show');
  expect(await taken.ends()).toBe('changed');
  await expect(main).toHaveAttribute('data-view', 'skin');
});

test('on a phone flo.requestViewState brings a pane to the front', async ({ phone, endpoint }) => {
  const agent = await createAgent(phone, endpoint, 'Ada');
  const page = new AgentPage(phone);
  await page.open(agent);
  await page.play('page-api');
  await expect(page.messages.last()).toHaveText('The window is drawn.');
  const element = await phone.locator('iframe[title="Page of Ada"]').elementHandle();
  const skin = (await element!.contentFrame())!;
  const services = new Services(phone);
  const begun = await begin(skin, `return flo.requestViewState('ui-only')`);
  await services.answer('Always');
  expect(await begun.ends()).toBe('changed');
  await expect(phone.locator('main.agent')).toHaveAttribute('data-pane', 'skin');
  expect(await skin.evaluate(() => flo.requestViewState('chat-only'))).toBe('changed');
  await expect(phone.locator('main.agent')).toHaveAttribute('data-pane', 'chat');
});

test('flo.requestPermission asks once, and not again after a no', async ({ laptop, endpoint }) => {
  const { services, skin } = await open(laptop, endpoint);
  const granted = await begin(skin, `return flo.requestPermission('camera')`);
  await expect(services.question).toContainText('Ada wants to use the camera');
  await services.answer('Allow once');
  expect(await granted.ends()).toBe('granted');
  expect(await skin.evaluate(() => flo.requestPermission('camera'))).toBe('granted');

  const denied = await begin(skin, `return flo.requestPermission('microphone')`);
  await services.answer('Deny');
  expect(await denied.ends()).toBe('denied');
  expect(await skin.evaluate(() => flo.requestPermission('microphone'))).toBe('denied');
  // Another document does not help the page, and what was allowed once is asked again.
  const frame = laptop.locator('iframe[title="Page of Ada"]');
  const old = await frame.elementHandle();
  await frame.evaluate((frame: HTMLIFrameElement) => (frame.src = frame.src));
  await expect.poll(() => old!.evaluate((frame) => frame.isConnected)).toBe(false);
  const page = laptop.frameLocator('iframe[title="Page of Ada"]');
  await page.getByRole('heading', { name: 'A window out' }).waitFor();
  const anew = (await (await frame.elementHandle())!.contentFrame())!;
  expect(await anew.evaluate(() => flo.requestPermission('microphone'))).toBe('denied');
  await begin(anew, 'await flo.getCamera()');
  await expect(services.question).toContainText('Ada wants to use the camera');
});

test('flo.getCamera gives a stream that moves, until the page stops it', async ({ laptop, endpoint }) => {
  const { services, skin } = await open(laptop, endpoint);
  const begun = await begin(skin, `window.stream = await flo.getCamera({ width: 320, height: 240 }); return stream instanceof MediaStream`);
  await services.answer('Allow once');
  expect(await begun.ends()).toBe(true);
  await expect(services.uses).toContainText('Ada uses the camera');
  expect(await skin.evaluate(pictures)).toBeGreaterThan(1);
  await skin.evaluate('flo.stopMediaStream(stream)');
  await expect(services.uses).toHaveCount(0);
  expect(await skin.evaluate('stream.getTracks()[0].readyState')).toBe('ended');
});

test('flo.getMicrophone gives sound', async ({ laptop, endpoint }) => {
  const { services, skin } = await open(laptop, endpoint);
  const begun = await begin(skin, `window.stream = await flo.getMicrophone(); return stream.getAudioTracks().length`);
  await services.answer('Allow once');
  expect(await begun.ends()).toBe(1);
  await expect(services.uses).toContainText('Ada uses the microphone');
  expect(await skin.evaluate(loudness)).toBeGreaterThan(0.001);
  // A page that ends the track itself has ended the capture as well.
  await skin.evaluate('stream.getTracks()[0].stop()');
  await expect(services.uses).toHaveCount(0);
});

test('flo.getMediaStream gives both, or neither', async ({ laptop, endpoint }) => {
  const { services, skin } = await open(laptop, endpoint);
  const both = await begin(skin, `window.stream = await flo.getMediaStream({ video: true, audio: true }); return stream.getTracks().map((track) => track.kind)`);
  await expect(services.question).toContainText('camera');
  await services.answer('Allow once');
  await expect(services.question).toContainText('microphone');
  await services.answer('Deny');
  expect(await both.ends()).toBe('NotAllowedError');
  await expect(services.uses).toHaveCount(0);

  await laptop.reload();
  const again = await services.enter(laptop.url().split('/').at(-1)!, 'Ada');
  const begun = await begin(again, `window.stream = await flo.getMediaStream({ video: { width: 320 }, audio: true }); return stream.getTracks().map((track) => track.kind).sort().join()`);
  await services.answer('Allow once');
  await expect(services.question).toContainText('microphone');
  await services.answer('Allow once');
  expect(await begun.ends()).toBe('audio,video');
  await expect(services.uses).toHaveCount(2);
  await again.evaluate('flo.stopMediaStream(stream)');
  await expect(services.uses).toHaveCount(0);
});

test('flo.getScreen shows the page what the person chose', async ({ laptop, endpoint }) => {
  const { services, skin } = await open(laptop, endpoint);
  const begun = await begin(skin, `window.stream = await flo.getScreen(); return stream.getVideoTracks().length`);
  await expect(services.question).toContainText('Ada wants to see your screen');
  await services.answer('Allow once');
  expect(await begun.ends()).toBe(1);
  await expect(services.uses).toContainText('Ada sees your screen');
  expect(await skin.evaluate(pictures)).toBeGreaterThan(0);
});

test('nothing works without the person, although the browser would allow it', async ({ laptop, endpoint, hub }) => {
  await laptop.context().grantPermissions(['camera', 'microphone', 'geolocation'], { origin: hub.url });
  await laptop.context().setGeolocation({ latitude: 48.2, longitude: 16.4 });
  await laptop.addInitScript(hearingEngine);
  const { services, skin } = await open(laptop, endpoint);
  for (const call of [
    'flo.getCamera()',
    'flo.getMicrophone()',
    'flo.getScreen()',
    'flo.geolocation.getCurrentPosition()',
    'flo.speech.listen()',
  ]) {
    const begun = await begin(skin, `await ${call}; return 'worked'`);
    await expect(services.question, call).toBeVisible();
    await expect(services.uses, call).toHaveCount(0);
    await services.answer('Deny');
    expect(await begun.ends(), call).toBe('NotAllowedError');
  }
  // By itself the frame has none of it.
  for (const call of [
    'navigator.mediaDevices.getUserMedia({ video: true })',
    'navigator.mediaDevices.getDisplayMedia()',
    'new Promise((resolve, reject) => navigator.geolocation.getCurrentPosition(resolve, ({ code }) => reject({ name: `code ${code}` })))',
  ]) {
    const begun = await begin(skin, `await ${call}; return 'worked'`);
    expect(await begun.ends(), call).toMatch(/NotAllowedError|SecurityError|TypeError|code 1/);
  }
});

test('Stop ends it, and the page cannot begin again', async ({ laptop, endpoint }) => {
  const { services, skin } = await open(laptop, endpoint);
  const begun = await begin(skin, `
    const stream = await flo.getCamera();
    await new Promise((resolve) => stream.getTracks()[0].addEventListener('ended', resolve));
    return 'told';`);
  await services.answer('Allow once');
  await services.stop(/uses the camera/);
  expect(await begun.ends()).toBe('told');
  await expect(services.uses).toHaveCount(0);
  const again = await begin(skin, 'await flo.getCamera()');
  expect(await again.ends()).toBe('NotAllowedError');
  await expect(services.question).toHaveCount(0);
});

test('Always is kept on every device, and revoking it ends what is in use', async ({ laptop, phone, endpoint }) => {
  const { agent, services, skin } = await open(laptop, endpoint);
  const first = await begin(skin, `await flo.getCamera(); return 'worked'`);
  await services.answer('Always');
  expect(await first.ends()).toBe('worked');

  const onPhone = new Services(phone);
  const there = await onPhone.enter(agent, 'Ada');
  expect(await (await begin(there, `await flo.getCamera(); return 'worked'`)).ends()).toBe('worked');

  await phone.goto(`/agents/${agent}/edit`);
  await expect(phone.getByRole('row', { name: /Camera/ })).toContainText('Always');
  await phone.getByRole('button', { name: 'Forget: Camera' }).click();
  await expect(phone.getByText('Nothing so far. The page asks each time.')).toBeVisible();
  await expect(services.uses).toHaveCount(0);
  await begin(skin, 'await flo.getCamera()');
  await expect(services.question).toContainText('Ada wants to use the camera');
});

test('what is in use ends when another page is shown', async ({ laptop, endpoint }) => {
  const { services, skin } = await open(laptop, endpoint);
  await laptop.evaluate(() => {
    const devices = navigator.mediaDevices;
    const real = devices.getUserMedia.bind(devices);
    devices.getUserMedia = async (wanted) => Object.assign(window, { opened: await real(wanted) }).opened;
  });
  const begun = await begin(skin, `await flo.getCamera(); return 'worked'`);
  await services.answer('Allow once');
  expect(await begun.ends()).toBe('worked');
  const state = () => laptop.evaluate(() => (window as any).opened.getTracks()[0].readyState);
  expect(await state()).toBe('live');
  await laptop.getByRole('link', { name: 'All agents' }).click();
  await expect.poll(state).toBe('ended');
});

test('flo.speech.speak and voices, and stop', async ({ laptop, endpoint }) => {
  await laptop.addInitScript(speakingEngine);
  const { services, skin } = await open(laptop, endpoint);
  expect(await skin.evaluate(() => flo.speech.voices())).toEqual([
    { name: 'Alice', lang: 'en-GB', default: true },
    { name: 'Berta', lang: 'de-DE', default: false },
  ]);
  await skin.evaluate(() => flo.speech.speak('Guten Tag', { lang: 'de-DE', rate: 2 }));
  const begun = await begin(skin, `await flo.speech.speak('for ever')`);
  await expect(services.uses).toContainText('Ada is speaking');
  await skin.evaluate(() => flo.speech.stop());
  expect(await begun.ends()).toBe('AbortError');
  await expect(services.uses).toHaveCount(0);

  const stopped = await begin(skin, `await flo.speech.speak('for ever')`);
  await services.stop(/is speaking/);
  expect(await stopped.ends()).toBe('AbortError');
  expect(await laptop.evaluate('spoken')).toEqual(['de-DE: Guten Tag (2)', ': for ever (1)', 'cancelled', ': for ever (1)', 'cancelled']);
  const tooLong = await begin(skin, `await flo.speech.speak('a'.repeat(2001))`);
  expect(await tooLong.ends()).toBe('TypeError');
});

test('flo.speech.listen writes down what is said', async ({ laptop, endpoint }) => {
  await laptop.addInitScript(hearingEngine);
  const { services, skin } = await open(laptop, endpoint);
  const begun = await begin(skin, `
    const heard = [];
    const whole = await flo.speech.listen({ interim: true, onResult: ({ transcript, isFinal }) => heard.push([transcript, isFinal]) });
    return { whole, heard };`);
  await expect(services.question).toContainText('Ada wants to write down what you say');
  await services.answer('Allow once');
  expect(await begun.ends()).toEqual({ whole: 'good morning', heard: [['good', false], ['good morning', true]] });
  expect(await (await begin(skin, `await flo.speech.listen({ lang: 'tlh' })`)).ends()).toBe('NotSupportedError');
});

test('flo.speech says honestly what a browser cannot do', async ({ laptop, endpoint }) => {
  await laptop.addInitScript(deafEngine);
  await laptop.addInitScript(() => Object.defineProperty(window, 'speechSynthesis', { value: undefined }));
  const { services, skin } = await open(laptop, endpoint);
  const begun = await begin(skin, 'await flo.speech.listen()');
  await services.answer('Allow once');
  expect(await begun.ends()).toBe('NotSupportedError');
  expect(await (await begin(skin, `await flo.speech.speak('Hello')`)).ends()).toBe('NotSupportedError');
});

test('an engine without its service fails in its own words', async ({ laptop, endpoint }) => {
  const { services, skin } = await open(laptop, endpoint);
  const begun = await begin(skin, 'await flo.speech.listen()');
  await services.answer('Allow once');
  expect(await begun.ends()).toMatch(/^(NotAllowedError|NotSupportedError|TimeoutError|NotFoundError)$/);
});

test('flo.geolocation tells where the person is, and as they go', async ({ laptop, endpoint, hub }) => {
  const context = laptop.context();
  await context.grantPermissions(['geolocation'], { origin: hub.url });
  await context.setGeolocation({ latitude: 48.2, longitude: 16.4, accuracy: 10 });
  const { services, skin } = await open(laptop, endpoint);
  const promised = await begin(skin, `return (await flo.geolocation.getCurrentPosition({ timeout: 5000 })).coords.latitude`);
  await expect(services.question).toContainText('Ada wants to know where you are');
  await services.answer('Allow once');
  expect(await promised.ends()).toBe(48.2);
  const called = await begin(skin, `return new Promise((resolve) => flo.geolocation.getCurrentPosition(({ coords }) => resolve(coords.longitude)))`);
  expect(await called.ends()).toBe(16.4);

  await skin.evaluate(`window.seen = []; window.watch = flo.geolocation.watchPosition(({ coords }) => seen.push(coords.latitude)), undefined`);
  await expect.poll(() => skin.evaluate('seen.join()')).toBe('48.2');
  await expect(services.uses).toContainText('Ada follows where you are');
  await context.setGeolocation({ latitude: 50, longitude: 16.4 });
  await expect.poll(() => skin.evaluate('seen.at(-1)')).toBe(50);
  await skin.evaluate('flo.geolocation.clearWatch(watch)');
  await expect(services.uses).toHaveCount(0);
});

test('flo.geolocation fails with the codes of the web', async ({ laptop, endpoint }) => {
  const { services, skin } = await open(laptop, endpoint);
  const code = `return new Promise((resolve) => flo.geolocation.getCurrentPosition(() => resolve('worked'), (error) => resolve(error.code)))`;
  const denied = await begin(skin, code);
  await services.answer('Deny');
  expect(await denied.ends()).toBe(1);
  expect(await (await begin(skin, `return flo.geolocation.getCurrentPosition().catch((error) => error.code)`)).ends()).toBe(1);
});

test('a link opens outside, after a press that sees where it leads', async ({ laptop, endpoint }) => {
  await laptop.context().route('https://example.org/**', (route) => route.fulfill({ contentType: 'text/html', body: '<title>There</title>' }));
  const { services, skin } = await open(laptop, endpoint);
  await skin.locator('#out').click();
  await expect(services.question).toContainText(/Open a page of example\.org\?.*https:\/\/example\.org\/a\/b\?c=d/s);
  await services.answer('Cancel');
  await expect(services.question).toHaveCount(0);

  await skin.locator('#out').click();
  const [opened] = await Promise.all([laptop.context().waitForEvent('page'), services.answer('Open')]);
  await opened.waitForURL('https://example.org/a/b?c=d');
  expect(await opened.evaluate(() => [window.opener, document.referrer])).toEqual([null, '']);

  await skin.locator('#same').click();
  const [second] = await Promise.all([laptop.context().waitForEvent('page'), services.answer('Always open example.org')]);
  await second.waitForURL('https://example.org/second');
  const [third] = await Promise.all([laptop.context().waitForEvent('page'), skin.locator('#out').click()]);
  await third.waitForURL('https://example.org/a/b?c=d');
  expect(laptop.url()).toMatch(/\/agents\//);
});

test('a link that hides where it leads, or that nobody pressed, opens nothing', async ({ laptop, endpoint }) => {
  const { services, skin } = await open(laptop, endpoint);
  await skin.locator('#disguised').click();
  await skin.evaluate(() => document.querySelector<HTMLAnchorElement>('#out')!.click());
  // What comes after it is answered: the shell has dealt with both.
  await skin.evaluate(() => flo.notify_user('done'));
  await expect(services.notices).toHaveCount(1);
  await expect(services.question).toHaveCount(0);
  expect(laptop.context().pages()).toHaveLength(1);
});

test('a page that has patched everything changes nothing for the shell', async ({ laptop, endpoint }) => {
  const { services, skin } = await open(laptop, endpoint);
  await skin.evaluate(() => {
    const seen: unknown[] = [];
    Object.assign(window, { seen });
    const spy = (prototype: any, name: string) => {
      const real = prototype[name];
      prototype[name] = function (...values: unknown[]) {
        seen.push(name);
        return real.apply(this, values);
      };
    };
    spy(MediaStream.prototype, 'addTrack');
    spy(MediaStream.prototype, 'getTracks');
    spy(CanvasRenderingContext2D.prototype, 'drawImage');
    spy(HTMLCanvasElement.prototype, 'captureStream');
    spy(MessagePort.prototype, 'postMessage');
    spy(JSON, 'parse');
    spy(JSON, 'stringify');
    spy(Array.prototype, 'push');
    for (const name of ['media', 'bitmap', 'type', 'value']) {
      Object.defineProperty(Object.prototype, name, { get: () => seen.push(`read ${name}`), set() {}, configurable: true });
    }
  });
  const begun = await begin(skin, `window.stream = await flo.getCamera(); return 'worked'`);
  await services.answer('Allow once');
  expect(await begun.ends()).toBe('worked');
  expect(await skin.evaluate('seen.filter((name) => !name.startsWith("read")).join()')).toBe('');
});

test('a question can be answered with the keyboard, and breaks no rule', async ({ laptop, endpoint }) => {
  const { services, skin } = await open(laptop, endpoint);
  await skin.evaluate(() => flo.notify_user({ title: 'Tea', text: 'The kettle boils. Shall I pour?' }));
  await begin(skin, 'await flo.getCamera()');
  await services.answer('Allow once');
  await expect(services.uses).toHaveCount(1);
  const begun = await begin(skin, `await flo.getMicrophone(); return 'worked'`);
  await expect(services.question.getByRole('button', { name: 'Allow once' })).toBeEnabled();
  await axe(laptop);
  await screens(laptop, 'services');
  await services.question.getByRole('button', { name: 'Allow once' }).focus();
  await laptop.keyboard.press('Enter');
  expect(await begun.ends()).toBe('worked');
  await skin.locator('#out').click();
  await expect(services.question).toContainText('example.org');
  await axe(laptop);
  await screens(laptop, 'services-link');
});

/** Plays `stream` for a while; counts how many different pictures were seen. */
async function pictures(): Promise<number> {
  const { stream } = window as unknown as { stream: MediaStream };
  const video = Object.assign(document.createElement('video'), { srcObject: stream, muted: true });
  document.body.append(video);
  await video.play();
  const canvas = Object.assign(document.createElement('canvas'), { width: 32, height: 24 });
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  const seen = new Set<string>();
  for (let i = 0; i < 40 && seen.size < 3; i += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    context.drawImage(video, 0, 0, 32, 24);
    const { data } = context.getImageData(0, 0, 32, 24);
    if (data.some((value, at) => at % 4 !== 3 && value > 0)) seen.add(data.join());
  }
  return seen.size;
}

/** The loudest sample of `stream` within a while. */
async function loudness(): Promise<number> {
  const { stream } = window as unknown as { stream: MediaStream };
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  let loudest = 0;
  for (let i = 0; i < 80 && loudest < 0.01; i += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    analyser.getFloatTimeDomainData(samples);
    loudest = Math.max(loudest, ...samples.map(Math.abs));
  }
  return loudest;
}
