// The hub as an app on a phone: what a browser installs, what it shows while the hub is away, and what other apps
// share with it.

import { chromium, type Page } from '@playwright/test';
import { axe, createAgent, expect, type Hub, Person, screens, test as base } from '../fixtures.ts';
import { Account } from '../pages/account.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { hydrated } from '../pages/page.ts';
import { SignIn } from '../pages/sign-in.ts';
import { inChromium } from '../playwright.config.ts';

/** Attempts to connect may be fifteen seconds apart. */
const CONNECTED_AGAIN = { timeout: 20_000 };
/** As somebody else's page may have it. */
const SHARED = 'Grows & spreads &lt; </textarea><b>wild</b>';

const test = base.extend<{ installed: Page }>({
  /** The dashboard in a window of an app of its own, signed in as `person`. */
  installed: async ({ hub, person }, use) => {
    const page = await installed(hub, person);
    await use(page);
    await page.context().close();
  },
});

test('the hub can be installed as an app', async ({ installed, request }) => {
  const session = await installed.context().newCDPSession(installed);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  expect(installabilityErrors).toEqual([]);
  const { data, errors } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const manifest = JSON.parse(data ?? '') as { icons: { src: string; sizes: string }[]; shortcuts: { url: string }[] };
  for (const { src, sizes } of manifest.icons) {
    expect(await sizeOf(await (await request.get(src)).body()), src).toBe(sizes);
  }
  for (const { url } of manifest.shortcuts) {
    await installed.goto(url);
    await expect(installed.getByRole('heading', { level: 1 })).not.toHaveText('There is nothing here');
  }
});

test('an installed hub shows what was read last while it is away, and keeps what is written', async ({ installed, endpoint, hub }) => {
  const [read, other] = [await createAgent(installed, endpoint, 'Ada'), await createAgent(installed, endpoint, 'Grace')];
  const page = new AgentPage(installed);
  await page.open(read);
  await page.say('Remember me');
  await expect(page.messages).toHaveText([/Remember me/, 'You said: Remember me']);
  await untilKept(installed, 'You said: Remember me', 'is at work');

  await hub.kill9();
  await installed.reload();
  await expect(page.messages).toHaveText([/Remember me/, 'You said: Remember me']);
  await expect(page.connection).toContainText('Hub offline');
  await page.composer.fill('Written while it was away');
  await installed.goto(`/agents/${other}`);
  await expect(installed.getByRole('heading', { name: 'The hub cannot be reached' })).toBeVisible();
  await screens(installed, 'installed-offline');
  await axe(installed);
  await installed.getByRole('link', { name: 'Ada' }).click();
  await expect(page.composer).toHaveValue('Written while it was away');
  await page.send.click();
  await expect(page.connection).toContainText('1 not sent');

  await hub.restart();
  await expect(page.messages.last()).toHaveText('You said: Written while it was away', CONNECTED_AGAIN);
});

test('what stands for a page while the hub is away has the language and the colours of those that were kept', async ({ installed, endpoint, hub }) => {
  const [read, other] = [await createAgent(installed, endpoint, 'Ada'), await createAgent(installed, endpoint, 'Grace')];
  const account = new Account(installed);
  await account.open();
  await account.choose({ Language: 'Deutsch', Colours: 'Dark' });
  await expect(installed.locator('html')).toHaveAttribute('lang', 'de');
  await installed.goto(`/agents/${read}`);
  await untilKept(installed, '<html lang="de"');
  await hub.kill9();
  await installed.goto(`/agents/${other}`);
  await expect(installed.getByRole('heading', { name: 'Der Hub ist nicht zu erreichen' })).toBeVisible();
  await expect(installed.locator('html')).toHaveAttribute('lang', 'de');
  await expect(installed.locator('body')).toHaveCSS('color-scheme', 'dark');
  await hub.restart();
});

test('nothing is kept on a device whose person signed out, and nothing of a page that only a browser shows', async ({ installed, laptop, endpoint, hub }) => {
  const agent = await createAgent(installed, endpoint, 'Ada');
  await new AgentPage(laptop).open(agent);
  expect(await laptop.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);

  await new AgentPage(installed).open(agent);
  await untilKept(installed, 'Say something to Ada');
  await installed.goto('/account');
  await hydrated(installed);
  await installed.getByRole('button', { name: 'Sign out' }).first().click();
  await installed.waitForURL((url) => url.pathname === '/sign-in');
  await expect.poll(() => installed.evaluate(() => caches.keys())).toEqual([]);
  await hub.kill9();
  await installed.goto(`/agents/${agent}`);
  await expect(installed.getByRole('heading', { name: 'The hub cannot be reached' })).toBeVisible();
  await expect(installed.getByText('Ada')).toHaveCount(0);
  await hub.restart();
});

test('what another app shares is a draft for the agent that its person chooses', async ({ phone, endpoint }) => {
  await createAgent(phone, endpoint, 'Ada');
  await phone.goto(`/share-target?${new URLSearchParams({ title: 'Moss', text: SHARED, url: 'https://moss.example/?a=1' })}`);
  await hydrated(phone);
  await expect(phone.getByRole('textbox', { name: 'Text' })).toHaveValue(`Moss\n${SHARED}\nhttps://moss.example/?a=1`);
  await screens(phone, 'share-target');
  await axe(phone);
  await phone.getByRole('button', { name: 'Ada' }).click();
  const page = new AgentPage(phone);
  await expect(page.composer).toHaveValue(`Moss\n${SHARED}\nhttps://moss.example/?a=1`);
  // The address no longer asks, and nothing was sent.
  await expect.poll(() => new URL(phone.url()).search).toBe('');
  await expect(page.messages).toHaveCount(0);
  await phone.reload();
  await expect(page.composer).toHaveValue(`Moss\n${SHARED}\nhttps://moss.example/?a=1`);
  // What was written before is not lost to what comes.
  await phone.goto(`${new URL(phone.url()).pathname}?q=More`);
  await expect(page.composer).toHaveValue(`Moss\n${SHARED}\nhttps://moss.example/?a=1\nMore`);
});

test('files that another app shares come along to the agent that its person chooses', async ({ installed, endpoint }) => {
  await createAgent(installed, endpoint, 'Ada');
  await answeredByWorker(installed);
  const long = 'Moss grows. '.repeat(1000);
  await share(installed, { title: 'Moss', text: long }, [
    { name: 'Fern & moss.csv', type: 'text/csv', text: 'plant,water' },
    { name: 'note.md', type: '', text: '# Note' },
  ]);
  await expect(installed.getByRole('textbox', { name: 'Text' })).toHaveValue('Moss');
  const coming = installed.getByRole('list', { name: 'Files that come along' }).getByRole('listitem');
  await expect(coming).toHaveText(['Fern & moss.csv', 'note.md', 'shared.txt']);
  await screens(installed, 'share-target-files');
  await axe(installed);
  await installed.getByRole('button', { name: 'Ada' }).click();
  const page = new AgentPage(installed);
  await expect(page.composer).toHaveValue('Moss');
  await expect(page.added).toHaveText([/^Fern & moss\.csv\s*11 bytes$/, /^note\.md\s*6 bytes$/, /^shared\.txt/]);
  await expect.poll(() => installed.evaluate(() => caches.has('shared-files'))).toBe(false);
  await expect.poll(() => new URL(installed.url()).search).toBe('');
  await page.composer.press('Enter');
  await expect(page.messages.first()).toContainText('Fern & moss.csv');
});

test('files that are opened with the app come along like those that are shared', async ({ installed, endpoint }) => {
  await createAgent(installed, endpoint, 'Ada');
  await installed.addInitScript(() => {
    const setConsumer = (consume: (params: object) => void) => Object.assign(window, { open_with: consume });
    Object.defineProperty(window, 'launchQueue', { value: { setConsumer } });
  });
  await answeredByWorker(installed);
  await installed.waitForFunction(() => 'open_with' in window);
  await installed.evaluate(() => {
    const handle = { getFile: async () => new File(['# Note'], 'note.md') };
    (window as any).open_with({ files: [] });
    (window as any).open_with({ files: [handle] });
  });
  await installed.waitForURL((url) => url.pathname === '/share-target');
  await hydrated(installed);
  await expect(installed.getByRole('list', { name: 'Files that come along' }).getByRole('listitem')).toHaveText(['note.md']);
  await installed.getByRole('button', { name: 'Ada' }).click();
  await expect(new AgentPage(installed).added).toHaveText([/^note\.md\s*6 bytes$/]);
});

test('what another app shares where nobody is signed in comes along once its person is', async ({ installed, person, endpoint }) => {
  await createAgent(installed, endpoint, 'Ada');
  await answeredByWorker(installed);
  await installed.context().clearCookies();
  await share(installed, { title: 'Moss' }, [{ name: 'note.md', type: '', text: '# Note' }], '/sign-in');
  await new SignIn(installed).signIn(person);
  await installed.waitForURL((url) => url.pathname === '/share-target');
  await installed.getByRole('button', { name: 'Ada' }).click();
  const page = new AgentPage(installed);
  await expect(page.composer).toHaveValue('Moss');
  await expect(page.added).toHaveText([/^note\.md\s*6 bytes$/]);
});

test('what is shared before the hub was opened as an app is not lost in silence', async ({ phone, endpoint }) => {
  await createAgent(phone, endpoint, 'Ada');
  await phone.goto('/');
  await share(phone, { title: 'Moss' }, [{ name: 'note.md', type: '', text: '# Note' }]);
  await expect(phone.getByRole('alert')).toContainText('Not all that was shared arrived.');
  await screens(phone, 'share-target-missed');
  await axe(phone);
});

/** Until the worker answers for the page. */
async function answeredByWorker(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      await page.goto('/');
      return page.evaluate(() => navigator.serviceWorker.controller?.state);
    })
    .toBe('activated');
}

type SharedFile = { name: string; type: string; text: string };

/** As a browser hands over what another app shares. It leads to the page at `path`. */
async function share(page: Page, texts: Record<string, string>, files: SharedFile[], path = '/share-target'): Promise<void> {
  await hydrated(page);
  await Promise.all([
    page.waitForURL((url) => url.pathname === path),
    page.evaluate(
      ({ texts, files }) => {
        const form = document.createElement('form');
        Object.assign(form, { method: 'post', action: '/share-target', enctype: 'multipart/form-data' });
        for (const [name, value] of Object.entries(texts)) {
          form.append(Object.assign(document.createElement('textarea'), { name, value }));
        }
        const field = Object.assign(document.createElement('input'), { type: 'file', name: 'files', multiple: true });
        const all = new DataTransfer();
        for (const { name, type, text } of files) all.items.add(new File([text], name, { type }));
        field.files = all.files;
        form.append(field);
        document.body.append(form);
        form.submit();
      },
      { texts, files },
    ),
  ]);
}

/** As a phone opens it from its home screen, apart from the engine. */
async function installed(hub: Hub, person: Person): Promise<Page> {
  const args = [...inChromium.args, `--app=${hub.url}`];
  const viewport = { width: 390, height: 844 };
  const context = await chromium.launchPersistentContext('', { ...inChromium, args, viewport, baseURL: hub.url });
  const page = context.pages()[0];
  const form = new SignIn(page);
  await form.open();
  await form.signIn(person);
  await page.waitForURL((url) => url.pathname === '/');
  return page;
}

/** Until the page that is shown is kept with this text, without what passes, and the worker answers for it. */
async function untilKept(page: Page, text: string, passing?: string): Promise<void> {
  const kept = async () => {
    const url = page.url();
    return page.evaluate(async (url) => {
      // As when its person leaves it.
      Object.defineProperty(document, 'hidden', { get: () => true, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
      return (await (await caches.match(url))?.text()) ?? '';
    }, url);
  };
  await expect.poll(kept).toContain(text);
  if (passing) await expect.poll(kept).not.toContain(passing);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
}

/** Of a PNG, as a manifest has it. */
function sizeOf(png: Buffer): string {
  return `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;
}
