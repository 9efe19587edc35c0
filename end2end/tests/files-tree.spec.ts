// Files as a tree: folders that open in place, many files at once, what is dragged, and both devices at the same time.

import { axe, createAgent, expect, screens, test } from '../fixtures.ts';
import { ask } from '../fixtures/api.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { FilesPage } from '../pages/files-page.ts';

const turns = (...calls: [string, object][]) =>
  `turns: ${JSON.stringify([...calls.map(([tool, input]) => [{ tool, input }]), [{ text: 'Done.' }]])}`;

const text = (name: string, content = `${name}\n`) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });

test('folders open in place, and what is done on one device is seen on the other', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern', 'hub', ['write', 'files']);
  const [here, there] = [new FilesPage(laptop), new FilesPage(phone)];
  await here.open(id);
  await here.upload('notes/old', text('one.txt'), text('two.txt'));
  await here.upload('notes', text('plan.txt'));
  await here.upload('', text('main.rs', 'fn main() {\n    let moss = "green"; // moss\n}\n'));
  await expect(here.rows).toHaveCount(2);
  await there.open(id);
  await here.unfold('notes');
  await here.unfold('notes/old');
  await expect(here.rows).toHaveCount(6);
  await there.unfold('notes');
  await expect(there.rows).toHaveCount(4);
  await axe(laptop);
  await axe(phone);
  await screens(laptop, 'files-tree');
  await screens(phone, 'files-tree');

  // The agent writes, and both pages show it with their folders as they were.
  await ask(laptop, id, turns(['write', { path: 'notes/new.md', content: '# New\n' }]));
  await expect(here.line('notes/new.md')).toBeVisible();
  await expect(there.line('notes/new.md')).toBeVisible();
  await expect(here.line('notes/old/two.txt')).toBeVisible();

  // Several are moved with one press, and come back with one.
  await here.choose('notes/old', 'notes/plan.txt');
  await here.move('kept');
  await expect(laptop.getByRole('status')).toContainText(['3 files are in kept now.']);
  await expect(there.line('kept/')).toBeVisible();
  await expect(there.line('notes/plan.txt')).toHaveCount(0);
  await expect(there.line('notes/new.md')).toBeVisible();
  await laptop.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(there.line('notes/plan.txt')).toBeVisible();
  await expect(here.line('kept/')).toHaveCount(0);

  // A folder is renamed, and a name that is there is refused in words.
  await here.choose('notes/old');
  await here.move('notes', 'older');
  await expect(here.line('notes/older/')).toBeVisible();
  await here.choose('notes/new.md');
  await here.move('', 'main.rs');
  await expect(laptop.getByRole('alert')).toContainText('There is a file main.rs already. Choose another name or folder.');

  await there.press('notes', 'Delete');
  await expect(phone.getByRole('button', { name: 'Undo', exact: true })).toBeVisible();
  await expect(here.line('notes/')).toHaveCount(0);
  await expect(here.bin).toContainText('notes/older/one.txt');
  await screens(phone, 'files-undo');
  await phone.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(here.line('notes/')).toBeVisible();

  await laptop.getByRole('link', { name: 'main.rs', exact: true }).click();
  await expect(here.contents.locator('pre[data-language=rust]')).toContainText('let moss');
  await screens(laptop, 'file-code');
});

test('the keyboard walks through the tree, opens, chooses, deletes and goes on', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern');
  const files = new FilesPage(laptop);
  await files.open(id);
  await files.upload('a/b', text('deep.txt'));
  await files.upload('a', text('one.txt'));
  await files.upload('', text('two.txt'));
  await files.open(id);
  await files.ready();
  await files.line('a/').focus();
  const at = (name: string) => expect(files.line(name)).toBeFocused();
  await laptop.keyboard.press('ArrowRight');
  await expect(files.line('a/one.txt')).toBeVisible();
  await laptop.keyboard.press('ArrowRight');
  await at('a/b/');
  await laptop.keyboard.press('Enter');
  await expect(files.line('a/b/deep.txt')).toBeVisible();
  await laptop.keyboard.press('End');
  await at('two.txt');
  await laptop.keyboard.press('ArrowUp');
  await at('a/one.txt');
  await laptop.keyboard.press(' ');
  await expect(files.line('a/one.txt')).toHaveAttribute('aria-selected', 'true');
  await laptop.keyboard.press('Delete');
  await expect(files.line('a/one.txt')).toHaveCount(0);
  await at('two.txt');
  await laptop.keyboard.press('Home');
  await at('a/');
  await laptop.keyboard.press('ArrowLeft');
  await expect(files.line('a/b/')).toHaveCount(0);
  await laptop.keyboard.press('End');
  await laptop.keyboard.press('F2');
  await expect(laptop.getByLabel('Name, of one alone')).toBeFocused();
  await laptop.keyboard.type('three.txt');
  await laptop.keyboard.press('Enter');
  await expect(files.line('three.txt')).toBeVisible();
  await expect(files.line('two.txt')).toHaveCount(0);
  await files.line('three.txt').focus();
  await laptop.keyboard.press('Enter');
  await expect(files.contents).toContainText('two.txt');
});

test('files are dragged from the machine into a folder, and from one folder into another', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern');
  const files = new FilesPage(laptop);
  await files.open(id);
  await files.upload('a', text('one.txt'));
  await files.upload('b', text('two.txt'));
  await files.open(id);
  const drop = async (target: string, ...dropped: string[]) => {
    const data = await laptop.evaluateHandle((names) => {
      const data = new DataTransfer();
      for (const name of names) data.items.add(new File([name], name, { type: 'text/plain' }));
      return data;
    }, dropped);
    for (const type of ['dragenter', 'dragover', 'drop']) await files.line(target).dispatchEvent(type, { dataTransfer: data });
  };
  await files.ready();
  await drop('a/', 'three.txt', 'four.txt');
  await expect(laptop.getByRole('status')).toContainText(['Uploaded 2 files.']);
  await files.unfold('a');
  await expect(files.line('a/four.txt')).toBeVisible();

  await files.line('a/one.txt').dragTo(files.line('b/'));
  await expect(files.line('a/one.txt')).toHaveCount(0);
  await files.unfold('b');
  await expect(files.line('b/one.txt')).toBeVisible();
  await expect(laptop).toHaveURL(new RegExp(`/agents/${id}/files$`));

  const download = laptop.waitForEvent('download');
  await files.choose('a', 'b');
  await laptop.getByRole('button', { name: 'Download', exact: true }).click();
  expect((await download).suggestedFilename()).toBe('Files of Fern.zip');
});

test('what a call did to whole files is shown in the conversation and taken back there', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern', 'hub', ['files']);
  const files = new FilesPage(laptop);
  await files.open(id);
  await files.upload('', text('plan.md', '# Water the moss\n'));
  const agent = new AgentPage(phone);
  await ask(laptop, id, turns(['files', { action: 'delete', path: '/agent/plan.md' }]));
  await expect(files.line('plan.md')).toHaveCount(0);
  await agent.open(id);
  const call = agent.log.locator('.tool').filter({ hasText: 'files' });
  await call.locator('summary').click();
  await call.getByRole('button', { name: 'Show what changed' }).click();
  await expect(call.locator('.diff-line[data-kind="removed"]')).toContainText(['Water the moss']);
  await axe(phone);
  await screens(phone, 'files-call');
  await call.getByRole('button', { name: 'Undo this change' }).click();
  await expect(call).toContainText('1 file is as it was before.');
  await expect(files.line('plan.md')).toBeVisible();
});
