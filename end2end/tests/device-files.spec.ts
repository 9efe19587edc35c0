// What an agent has on the device that shows its page: files that the browser keeps, folders that the person opens, its
// place and its clipboard.

import type { Page } from '@playwright/test';
import { axe, createAgent, expect, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { FilesPage } from '../pages/files-page.ts';
import { Services } from '../pages/services.ts';

const turns = (...calls: [string, object][]) => {
  const said = calls.map(([tool, input]) => [{ tool, input }]);
  return `turns: ${JSON.stringify([...said, [{ text: 'Done.' }]])}`;
};

/** Has the person pick this folder, where a dialog of the browser would ask: a real one, of those that it keeps. */
async function pickable(page: Page, name: string): Promise<void> {
  await page.addInitScript((name) => {
    Object.assign(window, {
      showDirectoryPicker: async () => {
        const root = await navigator.storage.getDirectory();
        return root.getDirectoryHandle(name, { create: true });
      },
    });
  }, name);
}

/** What is in a file of a folder that was picked. */
function held(page: Page, folder: string, path: string): Promise<string> {
  return page.evaluate(
    async ([folder, path]) => {
      const root = await navigator.storage.getDirectory();
      const file = await (await root.getDirectoryHandle(folder!)).getFileHandle(path!);
      return (await file.getFile()).text();
    },
    [folder, path],
  );
}

for (const home of ['hub', 'browser'] as const) {
  test(`an agent at home in the ${home} works in a folder of its person's, and asks before it changes something`, async ({ laptop, phone, endpoint }) => {
    const id = await createAgent(laptop, endpoint, 'Fern', home, ['read', 'write', 'edit', 'glob', 'grep', 'files']);
    await pickable(laptop, 'garden notes');
    const files = new FilesPage(laptop);
    await files.open(id);
    await expect(files.device).toContainText('No folder is open for Fern here.');
    await files.device.getByRole('button', { name: 'Open a folder' }).click();
    await expect(files.device).toContainText('/local/garden notes');
    if (home === 'hub') {
      await axe(laptop);
      await screens(laptop, 'device-files');
    }
    await laptop.evaluate(async () => {
      const root = await navigator.storage.getDirectory();
      const file = await (await root.getDirectoryHandle('garden notes')).getFileHandle('plan.md', { create: true });
      const stream = await file.createWritable();
      await stream.write('# Plan\n\n- water the moss\n');
      await stream.close();
    });

    const agent = new AgentPage(laptop);
    await agent.open(id);
    const path = '/local/garden notes/plan.md';
    const edited = { path, old_string: 'moss', new_string: 'fern' };
    await agent.say(turns(['files', { action: 'list', path: '/local' }], ['read', { path }], ['edit', edited], ['write', { path: '/opfs/seen.md', content: 'moss\n' }], ['grep', { pattern: 'fern', path: '/local/garden notes' }]));
    // The question is on the phone as well; the files are not. While the phone shows the page, what is kept may be kept there.
    const onPhone = new AgentPage(phone);
    await onPhone.open(id);
    await onPhone.show('Conversation');
    await expect(onPhone.approval).toContainText(path);
    await phone.goto('/');
    await agent.approval.getByRole('button', { name: 'Allow once' }).click();
    await expect(agent.messages.last()).toHaveText('Done.');
    const change = agent.log.locator('.tool').filter({ hasText: 'edit' });
    await change.locator('summary').click();
    await expect(change.locator('.diff-line[data-kind="added"]')).toHaveText('+- water the fern');
    await expect(change).toContainText('where nothing keeps versions');
    await expect(change.getByRole('button', { name: 'Undo this change' })).toHaveCount(0);
    const kept = agent.log.locator('.tool').filter({ hasText: '/opfs/seen.md' });
    await kept.locator('summary').click();
    await expect(kept).toContainText('created');
    expect(await held(laptop, 'garden notes', 'plan.md')).toBe('# Plan\n\n- water the fern\n');

    await files.open(id);
    await expect(files.device).toContainText('The browser keeps one file for it, 5 bytes.');
    await files.device.getByText('Delete what the browser keeps').click();
    await files.device.getByRole('button', { name: 'Delete all of it' }).click();
    await expect(files.device).toContainText('The browser keeps nothing for it.');
    await files.device.getByRole('button', { name: 'Take away garden notes' }).click();
    await expect(files.device).toContainText('No folder is open for Fern here.');
    expect(await held(laptop, 'garden notes', 'plan.md')).toContain('fern');
  });
}

test('a folder whose permission the browser forgot is asked for again, and what is refused is not read', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern', 'hub', ['files']);
  await pickable(laptop, 'notes');
  // Only folders outside of the browser have a permission that can be forgotten: a real one cannot be picked here.
  await laptop.addInitScript(() => {
    const asked = { state: 'prompt' };
    Object.assign(FileSystemHandle.prototype, {
      queryPermission: async () => asked.state,
      requestPermission: async () => {
        asked.state = navigator.userActivation.isActive ? 'granted' : 'denied';
        return asked.state;
      },
    });
  });
  const files = new FilesPage(laptop);
  await files.open(id);
  await files.device.getByRole('button', { name: 'Open a folder' }).click();
  await expect(files.device).toContainText('/local/notes');

  const agent = new AgentPage(laptop);
  await agent.open(id);
  const services = new Services(laptop);
  const list = turns(['files', { action: 'list', path: '/local/notes' }]);
  for (const [answer, expected] of [['Not now', 'does not allow it'], ['Open', '"files": 0']] as const) {
    await agent.say(list);
    await expect(services.question).toContainText('Let Fern into the folder notes again?');
    if (answer === 'Open') {
      await axe(laptop);
      await screens(laptop, 'device-folder');
    }
    await services.answer(answer);
    const call = agent.log.locator('.tool').last();
    await call.locator('summary').click();
    await expect(call).toContainText(expected);
    await expect(agent.messages.last()).toHaveText('Done.');
  }
});

test('an agent learns where its person is and what they copied once they say yes', async ({ laptop, hub, endpoint }) => {
  const context = laptop.context();
  await context.grantPermissions(['geolocation', 'clipboard-read', 'clipboard-write'], { origin: hub.url });
  await context.setGeolocation({ latitude: 52.52, longitude: 13.41, accuracy: 30 });
  const id = await createAgent(laptop, endpoint, 'Fern', 'hub', ['location', 'clipboard']);
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.say(turns(['get_location', {}], ['clipboard_write', { text: 'moss and fern' }], ['clipboard_read', {}]));
  for (const asked of ['learns where you are', '"write"', 'learns what you copied']) {
    await expect(agent.approval).toContainText(asked);
    if (asked === 'learns where you are') await screens(laptop, 'device-location');
    await agent.approval.getByRole('button', { name: 'Allow once' }).click();
  }
  await expect(agent.messages.last()).toHaveText('Done.');
  const [place, , copied] = await agent.log.locator('.tool').all();
  await place!.locator('summary').click();
  await expect(place!).toContainText('52.52');
  await copied!.locator('summary').click();
  await expect(copied!).toContainText('moss and fern');
  expect(await laptop.evaluate(() => navigator.clipboard.readText())).toBe('moss and fern');
});

test('what is on this device is listed, read, saved and deleted by its person', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern', 'hub', ['read', 'write', 'files']);
  await pickable(laptop, 'garden notes');
  const files = new FilesPage(laptop);
  await files.open(id);
  await files.device.getByRole('button', { name: 'Open a folder' }).click();
  await expect(files.device).toContainText('/local/garden notes');
  await laptop.evaluate(async (id) => {
    const root = await navigator.storage.getDirectory();
    const put = async (folder: FileSystemDirectoryHandle, name: string, text: string) => {
      const stream = await (await folder.getFileHandle(name, { create: true })).createWritable();
      await stream.write(text);
      await stream.close();
    };
    const own = await (await root.getDirectoryHandle('agents', { create: true })).getDirectoryHandle(id, { create: true });
    await put(own, 'seen.md', '# Seen\n');
    await put(own, 'other.bin', '\u0000');
    await put(await (await root.getDirectoryHandle('garden notes')).getDirectoryHandle('beds', { create: true }), 'plan.md', 'moss');
  }, id);
  await files.open(id);
  const device = files.device;
  await device.getByRole('button', { name: 'Look into /opfs' }).click();
  await expect(device.locator('tbody')).toContainText(['/local/garden notes', 'seen.md']);
  await expect(device).toContainText('Only this browser has these files.');
  await device.getByRole('button', { name: 'Read seen.md of this device' }).click();
  await expect(device.getByRole('heading', { name: 'Seen', exact: true })).toBeVisible();
  await axe(laptop);
  await screens(laptop, 'device-browse');
  await device.getByRole('button', { name: 'Read other.bin of this device' }).click();
  await expect(device).toContainText('It is no text');
  const saved = laptop.waitForEvent('download');
  await device.getByRole('button', { name: 'Save seen.md of this device' }).click();
  expect((await saved).suggestedFilename()).toBe('seen.md');
  await device.getByLabel('Delete seen.md of this device').click();
  await device.getByRole('button', { name: 'Delete it from this device' }).locator('visible=true').click();
  await expect(device.getByRole('status')).toHaveText('seen.md was deleted from this device.');
  await expect(device).toContainText('The browser keeps one file for it');
  await expect(device.getByText('seen.md', { exact: true })).toHaveCount(0);

  await device.getByRole('button', { name: 'Look into garden notes' }).click();
  await device.getByRole('button', { name: 'Read beds/plan.md of this device' }).click();
  await expect(device).toContainText('moss');
});
