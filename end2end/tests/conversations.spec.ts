// Several conversations of one agent, on a laptop and a phone.

import { axe, createAgent, expect, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { ConversationsPage } from '../pages/conversations-page.ts';

test('each conversation shows what was said in it, on every device', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await expect(agent.conversation).toHaveText('New conversation');
  await agent.say('Ferns');
  await expect(agent.messages.last()).toContainText('You said: Ferns');
  await expect(agent.conversation).toHaveText('Ferns');
  const ferns = laptop.url();

  await agent.newConversation.click();
  await expect(laptop).toHaveURL(/\/conversations\//);
  await expect(agent.conversation).toHaveText('New conversation');
  await expect(agent.messages).toHaveCount(0);
  await agent.isReady();
  await agent.say('Mosses');
  await expect(agent.messages.last()).toContainText('You said: Mosses');
  await expect(agent.messages).toHaveCount(2);

  // The phone opens the one that was used last, and hears what is said there.
  const there = new AgentPage(phone);
  await there.open(id);
  await expect(there.conversation).toHaveText('Mosses');
  await agent.say('More mosses');
  await expect(there.messages.last()).toContainText('You said: More mosses');

  // In the other one nothing of it is heard.
  await agent.allConversations.click();
  const list = new ConversationsPage(laptop);
  await expect(list.names).toHaveText(['Mosses', 'Ferns']);
  await list.row('Ferns').getByRole('link').click();
  await expect(agent.conversation).toHaveText('Ferns');
  await agent.isReady();
  await there.say('Still mosses');
  await expect(there.messages.last()).toContainText('You said: Still mosses');
  await expect(agent.messages).toHaveCount(2);
  expect(laptop.url()).not.toBe(ferns);
});

test('a conversation is renamed where it stands: Enter and leaving keep the name, Escape does not', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  for (const page of [laptop, phone]) {
    const agent = new AgentPage(page);
    await agent.open(id);
    await agent.isReady();
    const first = page === laptop ? 'New conversation' : 'Mosses';
    await expect(agent.conversation).toHaveText(first);
    await agent.rename.click();
    await expect(agent.nameField).toBeFocused();
    await agent.nameField.fill('Ferns');
    await agent.nameField.press('Escape');
    await expect(agent.conversation).toHaveText(first);
    await expect(agent.rename).toBeFocused();

    await agent.rename.click();
    await agent.nameField.fill('  Tree ferns ');
    await agent.nameField.press('Enter');
    await expect(agent.conversation).toHaveText('Tree ferns');
    await expect(agent.rename).toBeFocused();

    await agent.rename.click();
    await expect(agent.nameField).toHaveValue('Tree ferns');
    await agent.nameField.fill('Mosses');
    await agent.composer.click();
    await expect(agent.conversation).toHaveText('Mosses');
    await expect(agent.composer).toBeFocused();
  }
  const list = new ConversationsPage(laptop);
  await list.open(id);
  await expect(list.names).toHaveText(['Mosses']);
});

test('conversations are put into folders, and shown by them on every device', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  for (const text of ['Ferns', 'Taxes']) {
    await agent.open(id);
    if (text === 'Taxes') {
      await agent.newConversation.click();
      await expect(agent.messages).toHaveCount(0);
      await agent.isReady();
    }
    await agent.say(text);
    await expect(agent.messages.last()).toContainText(`You said: ${text}`);
  }
  const list = new ConversationsPage(laptop);
  await list.open(id);
  await list.isReady();
  await list.unfold('Ferns');
  await list.row('Ferns').getByLabel('Folder').fill('Garden');
  await list.row('Ferns').getByRole('button', { name: 'Move it there' }).click();
  const folders = (page: typeof laptop) => page.getByRole('navigation', { name: 'Folders' });
  await folders(laptop).getByRole('link', { name: 'Garden' }).click();
  await expect(list.names).toHaveText(['Ferns']);
  await axe(laptop);
  await screens(laptop, 'folders');

  const there = new ConversationsPage(phone);
  await there.open(id);
  await there.isReady();
  await folders(phone).getByRole('link', { name: 'Garden' }).click();
  await expect(there.names).toHaveText(['Ferns']);
  await there.unfold('Ferns');
  await there.row('Ferns').getByLabel('Folder').fill('');
  await there.row('Ferns').getByRole('button', { name: 'Move it there' }).click();
  await expect(phone.getByText('There is nothing more.')).toBeVisible();
  await folders(phone).getByRole('link', { name: 'All folders' }).click();
  await expect(there.names).toHaveText(['Taxes', 'Ferns']);
  await expect(folders(phone)).toHaveCount(0);
});

test('what is said while the agent works in another conversation is answered after that', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.play('halves');
  await expect(agent.streaming).toBeVisible();

  const there = new AgentPage(phone);
  await there.open(id);
  await there.newConversation.click();
  await expect(there.conversation).toHaveText('New conversation');
  await there.isReady();
  await expect(there.log.getByRole('link', { name: 'Go there' })).toBeVisible();
  await there.say('Mosses');
  await expect(there.messages).toHaveCount(1);
  await endpoint.openGate();
  await expect(there.messages.last()).toContainText('You said: Mosses');
  await expect(there.log.getByRole('link', { name: 'Go there' })).toHaveCount(0);
  await expect(agent.messages).toHaveCount(2);
  await expect(agent.log).not.toContainText('Mosses');
});

test('conversations are named, pinned, put away and brought back', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  for (const text of ['One', 'Two']) {
    if (text === 'Two') {
      await agent.newConversation.click();
      await expect(agent.conversation).toHaveText('New conversation');
      await agent.isReady();
    }
    await agent.say(text);
    await expect(agent.messages.last()).toContainText(`You said: ${text}`);
  }
  const list = new ConversationsPage(laptop);
  await list.open(id);
  await list.isReady();
  await expect(list.names).toHaveText(['Two', 'One']);
  await list.press('One', 'Pin');
  await expect(list.names).toHaveText(['One', 'Two']);
  await list.rename('Two', 'A second one');
  await expect(list.names).toHaveText(['One', 'A second one']);
  await list.press('One', 'Archive');
  await expect(list.names).toHaveText(['A second one']);
  await list.press('A second one', 'Delete');
  await expect(list.names).toHaveText(['New conversation']);
  await expect(list.told).toContainText('A second one is deleted.');
  await expect(list.undo).toBeFocused();
  await axe(laptop);
  await screens(laptop, 'conversation-deleted');
  await laptop.keyboard.press('Enter');
  await expect(list.names).toContainText(['A second one']);
  await expect(list.told).toHaveCount(0);
  await expect(laptop.getByLabel('Change A second one')).toBeFocused();
  await list.press('A second one', 'Delete');
  await expect(list.names).toHaveText(['New conversation']);
  await list.show('Archived');
  await expect(list.names).toHaveText(['One']);
  await list.show('Deleted');
  await list.row('A second one').getByRole('button', { name: 'Restore' }).click();
  await expect(list.names).toHaveCount(0);
  await list.show('All');
  await expect(list.names).toContainText(['A second one']);
  await list.row('A second one').getByRole('link').click();
  await expect(agent.messages.last()).toContainText('You said: Two');
});

test('while another conversation is on its way nothing is written into the one before', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.say('Ferns');
  await expect(agent.messages.last()).toContainText('You said: Ferns');
  await agent.newConversation.click();
  await expect(agent.conversation).toHaveText('New conversation');
  await agent.isReady();
  await agent.say('Mosses');
  await expect(agent.messages.last()).toContainText('You said: Mosses');
  const mosses = laptop.url();
  await agent.newConversation.click();
  await expect(laptop).not.toHaveURL(mosses);
  await expect(agent.conversation).toHaveText('New conversation');
  await agent.composer.fill('For nobody yet');

  let arrive = () => {};
  const held = new Promise<void>((resolve) => (arrive = resolve));
  await laptop.route(/\/api\/agents\/page\b/, async (route) => {
    await held;
    await route.continue();
  });
  await laptop.goBack();
  await expect(laptop).toHaveURL(mosses);
  const main = laptop.locator('main');
  await expect(main).toHaveAttribute('inert', '');
  await expect(main).toHaveAttribute('aria-busy', 'true');
  await laptop.keyboard.type(' or ferns');
  arrive();
  await expect(agent.conversation).toHaveText('Mosses');
  await expect(main).not.toHaveAttribute('inert');
  await expect(main).not.toHaveAttribute('aria-busy');
  await expect(agent.composer).toHaveValue('');

  // What was written is kept where it was written.
  await laptop.goForward();
  await expect(agent.conversation).toHaveText('New conversation');
  await expect(agent.composer).toHaveValue('For nobody yet');
});
