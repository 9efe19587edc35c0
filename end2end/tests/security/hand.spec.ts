// What a hostile page cannot do with a hand of the person: presses, keys and drags are real input.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame, Page } from '@playwright/test';
import { createAgent, expect, test, type Endpoint } from '../../fixtures.ts';
import { AgentPage } from '../../pages/agent-page.ts';
import { Services } from '../../pages/services.ts';

declare const flo: any;

interface Opened {
  page: AgentPage;
  services: Services;
  skin: Frame;
}

async function open(laptop: Page, endpoint: Endpoint): Promise<Opened> {
  const agent = await createAgent(laptop, endpoint, 'Mallory');
  const services = new Services(laptop);
  const skin = await services.enter(agent, 'Mallory');
  return { page: new AgentPage(laptop), services, skin };
}

/** Takes the focus as often as it can. */
function takeFocus() {
  const steal = () => {
    window.focus();
    document.querySelector<HTMLElement>('#go')!.focus();
  };
  addEventListener('blur', steal);
  setInterval(steal, 1);
}

test('while the person writes in the shell a page does not get the keyboard', async ({ laptop, endpoint }) => {
  const { page, skin } = await open(laptop, endpoint);
  await skin.getByRole('heading').click();
  await page.composer.click();
  await laptop.keyboard.type('m');
  await skin.evaluate(takeFocus);
  await laptop.keyboard.type('y secret words', { delay: 40 });
  await expect(page.composer).toHaveValue('my secret words');
  await expect(page.broken).toContainText('took the keyboard');
});

test('nor while they write a passphrase', async ({ laptop, endpoint }) => {
  const { skin } = await open(laptop, endpoint);
  // Any field of the shell is the same to the guard; this one hides what is written.
  await laptop.evaluate(() => {
    const field = Object.assign(document.createElement('input'), { type: 'password', id: 'passphrase' });
    document.querySelector('.composer')!.prepend(field);
  });
  const field = laptop.locator('#passphrase');
  await field.click();
  await laptop.keyboard.type('seven');
  await skin.evaluate(takeFocus);
  await laptop.keyboard.type(' green kettles', { delay: 40 });
  await expect(field).toHaveValue('seven green kettles');
});

test('a press in the page, or Tab, gives it the keyboard', async ({ laptop, endpoint }) => {
  const { page, skin } = await open(laptop, endpoint);
  await skin.evaluate(() => document.querySelector('main')!.insertAdjacentHTML('beforeend', '<input id="in" aria-label="In">'));
  const field = skin.locator('#in');
  for (let i = 0; i < 4; i += 1) {
    await page.composer.click();
    await laptop.keyboard.type('a');
    await field.click();
    await laptop.keyboard.type('b');
  }
  await expect(page.composer).toHaveValue('aaaa');
  await expect(field).toHaveValue('bbbb');
});

test('what is dragged out of a page does not take the tab along', async ({ laptop, endpoint }) => {
  const { page, skin } = await open(laptop, endpoint);
  const asked: string[] = [];
  await laptop.context().route('https://example.org/**', (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: 'text/html', body: '<title>There</title>' });
  });
  const address = laptop.url();
  for (const target of [page.composer, page.log, laptop.locator('.agent-bar')]) {
    const from = (await skin.locator('#out').boundingBox())!;
    const to = (await target.boundingBox())!;
    await laptop.mouse.move(from.x + 5, from.y + 5);
    await laptop.mouse.down();
    await laptop.mouse.move(from.x + 25, from.y + 15, { steps: 5 });
    await laptop.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 10 });
    await laptop.mouse.up();
  }
  await page.say('Still there?');
  await expect(page.messages.last()).toHaveText('You said: Still there?');
  expect(laptop.url()).toBe(address);
  expect(asked).toEqual([]);
});

test('a card that appears under quick presses takes none of them', async ({ laptop, endpoint }) => {
  const { services, skin } = await open(laptop, endpoint);
  await skin.locator('#out').click();
  const button = services.question.getByRole('button', { name: 'Open', exact: true });
  const { x, y, width, height } = (await button.boundingBox())!;
  for (let i = 0; i < 10; i += 1) await laptop.mouse.click(x + width / 2, y + height / 2, { delay: 60 + 30 * i });
  await expect(services.question).toBeVisible();
  expect(laptop.context().pages()).toHaveLength(1);
  await laptop.context().route('https://example.org/**', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  const [opened] = await Promise.all([laptop.context().waitForEvent('page'), services.answer('Open')]);
  await opened.waitForURL('https://example.org/a/b?c=d');
});

test.describe('with a server that should hear nothing', () => {
  let server: Server;
  let away: string;
  let connections = 0;

  test.beforeEach(async () => {
    connections = 0;
    server = createServer((_, response) => response.end('there')).on('connection', () => (connections += 1));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    away = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret`;
  });

  test.afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const BLOCK = 'style="display:block;width:300px;height:200px"';
  const inShadow = (html: string) =>
    `const p = document.createElement('p'); p.id = 'target'; document.body.prepend(p); p.attachShadow({ mode: 'closed' }).innerHTML = \`${html}\``;
  const ways: Record<string, string> = {
    'a link': `document.body.insertAdjacentHTML('afterbegin', '<a id="target" href="$URL" ${BLOCK}>a</a>')`,
    'a link in a closed shadow tree': inShadow(`<a href="$URL" ${BLOCK}>a</a>`),
    'a button of a form in a closed shadow tree': inShadow(`<form action="$URL"><button ${BLOCK}>a</button></form>`),
    'an old link of SVG': `document.body.insertAdjacentHTML('afterbegin', '<svg id="target" width="300" height="200"><a xlink:href="$URL"><rect width="300" height="200"/></a></svg>')`,
    'a link that an animation sets': `document.body.insertAdjacentHTML('afterbegin', '<svg id="target" width="300" height="200"><a><animate attributeName="href" values="$URL" begin="0s" dur="99s"/><rect width="300" height="200"/></a></svg>')`,
    'a press that a script makes of one': `document.body.insertAdjacentHTML('afterbegin', '<p id="target" ${BLOCK}>a</p>'); for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) addEventListener(type, () => { const a = document.createElement('a'); a.href = '$URL'; a.dispatchEvent(new MouseEvent('click', { altKey: true })); }, true)`,
  };

  test('a press with Alt saves nothing that a page links to', async ({ laptop, endpoint }) => {
    const { skin } = await open(laptop, endpoint);
    const saved: string[] = [];
    laptop.on('download', (download) => saved.push(download.url()));
    for (const [name, code] of Object.entries(ways)) {
      await skin.evaluate(code.replaceAll('$URL', away));
      const target = skin.locator('#target');
      await target.click({ modifiers: ['Alt'], position: { x: 20, y: 20 } });
      await skin.evaluate(() => document.querySelector('#target')!.remove());
      expect(saved, name).toEqual([]);
    }
    await laptop.evaluate(() => fetch('/health'));
    expect(connections).toBe(0);
  });

  test('a page that opens its document anew is made anew, and has no frame inside it', async ({ laptop, endpoint }) => {
    const { page, skin } = await open(laptop, endpoint);
    await skin.evaluate((html) => {
      document.body.insertAdjacentHTML('beforeend', html);
    }, `<iframe id="inside" srcdoc="<a href='${away}'>a</a>"></iframe>`);
    await expect(skin.locator('iframe')).toHaveCount(0);
    const made = page.skin('Mallory');
    await skin.evaluate(() => {
      document.body.dataset.before = '';
    });
    const opened = skin.evaluate(() => {
      document.open();
      document.write('<body data-before><h1>Mine</h1>');
    });
    // The frame may be gone before its answer is here.
    opened.catch(() => undefined);
    await expect(made.locator('body')).not.toHaveAttribute('data-before');
    await expect(made.getByRole('heading', { name: 'A window out' })).toBeVisible();
    expect(connections).toBe(0);
  });

  test('a link in a conversation tells nobody that it is read, before it is followed', async ({ laptop, endpoint }) => {
    const agent = await createAgent(laptop, endpoint, 'Ada');
    const page = new AgentPage(laptop);
    await page.open(agent);
    await page.say(`[there](${away})`);
    const link = page.messages.last().getByRole('link', { name: 'there' });
    await link.hover();
    await laptop.mouse.down();
    await laptop.mouse.move(5, 5);
    await laptop.mouse.up();
    await laptop.evaluate(() => fetch('/health'));
    expect(connections).toBe(0);

    const [pressed] = await Promise.all([laptop.context().waitForEvent('page'), link.click()]);
    await pressed.waitForURL(away);
    expect(await pressed.evaluate(() => [window.opener, document.referrer])).toEqual([null, '']);
    await link.focus();
    const [entered] = await Promise.all([laptop.context().waitForEvent('page'), laptop.keyboard.press('Enter')]);
    await entered.waitForURL(away);
    await link.click({ button: 'right' });
    await expect(link).toHaveAttribute('href', away);
  });
});

test('what a page sends beside its port is not read, and a frame that sends much of it goes', async ({ laptop, endpoint }) => {
  const { page, skin } = await open(laptop, endpoint);
  await laptop.evaluate(() => {
    const { get } = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data')!;
    Object.assign(window, { read: 0 });
    Object.defineProperty(MessageEvent.prototype, 'data', {
      get(this: MessageEvent) {
        if (this.target === window) (window as any).read += 1;
        return get!.call(this);
      },
    });
  });
  await skin.evaluate(() => {
    for (let i = 0; i < 50; i += 1) parent.postMessage({ vivarium: 'hello', version: 3 }, '*');
    return flo.notify_user('said');
  });
  expect(await laptop.evaluate('read')).toBe(0);
  await skin.evaluate(() => {
    for (let i = 0; i < 200; i += 1) top!.postMessage(i, '*');
  });
  await expect(page.broken).toContainText('messages');
});

test('a page that never ends holds up no other agent’s', async ({ laptop, endpoint }) => {
  const { skin } = await open(laptop, endpoint);
  const other = await laptop.context().newPage();
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const free = await new Services(other).enter(agent, 'Ada');
  await skin.evaluate(() => {
    setTimeout(() => {
      for (;;);
    }, 0);
  });
  expect(await free.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0, 'free')))).toBe('free');
});
