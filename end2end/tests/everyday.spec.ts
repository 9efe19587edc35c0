// What is the same on every device at once: names of conversations, what was read, and who is paused.

import { createAgent, expect, screens, test } from '../fixtures.ts';
import { post } from '../fixtures/api.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { ConversationsPage } from '../pages/conversations-page.ts';
import { hydrated } from '../pages/page.ts';

for (const home of ['hub', 'browser'] as const) {
  test(`a model names a conversation, which both devices see, for an agent at home in the ${home}`, async ({ laptop, phone, endpoint }) => {
    await laptop.goto('/account');
    await hydrated(laptop);
    await laptop.getByRole('checkbox', { name: 'Name conversations' }).check();
    const section = laptop.getByRole('region', { name: 'In the background' });
    await section.getByRole('button', { name: 'Save' }).click();
    await expect(section.getByRole('status')).toBeVisible();
    if (process.env.PICTURES && home === 'hub') await screens(laptop, 'side-calls');

    const id = await createAgent(laptop, endpoint, 'Ada', home);
    const list = new ConversationsPage(phone);
    await list.open(id);
    await list.isReady();
    const agent = new AgentPage(laptop);
    await agent.open(id);
    await agent.say('Was blüht im Mai?\ntitle: "Blüten im **Mai**"');
    await expect(agent.conversation).toHaveText('Blüten im Mai');
    await expect(list.names).toHaveText(['Blüten im Mai']);

    // What a person calls it, it stays.
    await list.rename('Blüten im Mai', 'Garden');
    await expect(agent.conversation).toHaveText('Garden');
    await agent.say('And in June?\ntitle: June');
    await expect(agent.messages).toHaveCount(4);
    await expect(agent.messages.last()).toContainText('And in June?');
    await laptop.reload();
    await expect(agent.conversation).toHaveText('Garden');
  });
}

test('what is new is marked on every device until one looks', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  await laptop.goto('/');
  await hydrated(laptop);
  const list = new ConversationsPage(phone);
  await list.open(id);
  await list.isReady();
  await post(laptop, 'agents/ask', [['agent', id], ['text', 'Ferns']]);
  const onCard = laptop.getByRole('main').getByRole('listitem').filter({ hasText: 'Ada' }).getByTitle('New answer');
  const inList = list.row('Ferns').getByTitle('New answer');
  await expect(onCard).toBeVisible();
  await expect(inList).toBeVisible();
  if (process.env.PICTURES) {
    await screens(laptop, 'unread-card');
    await screens(phone, 'unread-list');
  }

  await list.row('Ferns').getByRole('link').click();
  await expect(new AgentPage(phone).conversation).toHaveText('Ferns');
  await expect(onCard).toHaveCount(0);
  await list.open(id);
  await expect(list.names).toHaveText(['Ferns']);
  await expect(inList).toHaveCount(0);
});

test('a paused agent takes nothing up before it is resumed, on whatever device', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(phone);
  await agent.open(id);
  await agent.isReady();
  await laptop.goto('/');
  await hydrated(laptop);
  await laptop.getByRole('button', { name: 'Pause Ada' }).click();
  await expect(laptop.getByRole('button', { name: 'Resume Ada' })).toBeVisible();
  await expect(laptop.getByRole('button', { name: 'Resume all' })).toBeVisible();
  await screens(laptop, 'paused-card');

  const banner = phone.getByRole('status').filter({ hasText: 'is paused' });
  await expect(banner).toBeVisible();
  const before = (await endpoint.requests()).length;
  await agent.say('Ferns');
  await expect(agent.messages).toHaveCount(1);
  expect(await endpoint.requests()).toHaveLength(before);
  await screens(phone, 'paused-conversation');
  await banner.getByRole('button', { name: 'Resume Ada' }).click();
  await expect(agent.messages.last()).toContainText('You said: Ferns');
  await expect(banner).toHaveCount(0);
  await expect(laptop.getByRole('button', { name: 'Pause Ada' })).toBeVisible();

  // All at once, and back.
  await laptop.getByRole('button', { name: 'Pause all' }).click();
  await expect(banner).toBeVisible();
  await laptop.getByRole('button', { name: 'Resume all' }).click();
  await expect(banner).toHaveCount(0);
});

test('a temporary conversation says what it is, and no other is joined to it', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.isReady();
  await laptop.getByRole('button', { name: 'Temporary conversation' }).click();
  await expect(laptop.getByRole('note').filter({ hasText: 'Temporary' })).toBeVisible();
  await agent.isReady();
  await agent.say('Orchids');
  await expect(agent.messages.last()).toContainText('You said: Orchids');
  await screens(laptop, 'temporary');

  const list = new ConversationsPage(phone);
  await list.open(id);
  await expect(list.row('Orchids').getByText('Temporary', { exact: true })).toBeVisible();
  await screens(phone, 'temporary-list');
  await phone.goto(`/agents/${id}`);
  await expect(new AgentPage(phone).conversation).toHaveText('New conversation');
  await phone.goto('/search?q=Orchids');
  await expect(phone.getByRole('main')).not.toContainText('You said: Orchids');
});

test('a command of the definition is a button at first and stands behind the slash, and what it says waits for its person', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  await laptop.goto(`/agents/${id}/edit`);
  await hydrated(laptop);
  await laptop.getByText('no commands').click();
  await laptop.getByLabel('Behind the slash').fill('plan');
  await laptop.getByLabel('On the button').fill('Plan the week');
  const told = 'Plan my week.\n\nDay by day.';
  await laptop.getByLabel('What it is told').fill(told);
  await laptop.getByRole('button', { name: 'Save' }).click();
  await laptop.waitForURL(`**/agents/${id}`);
  await laptop.goto(`/agents/${id}/edit`);
  await expect(laptop.getByLabel('What it is told').first()).toHaveValue(told);

  const agent = new AgentPage(laptop);
  await agent.open(id);
  const button = laptop.getByRole('list', { name: 'Quick actions' }).getByRole('button', { name: 'Plan the week' });
  await button.click();
  await expect(agent.composer).toHaveValue(told);
  await expect(agent.composer).toBeFocused();
  await expect(agent.messages).toHaveCount(0);
  await agent.send.click();
  await expect(agent.messages.last()).toContainText('You said: Plan my week.');
  await expect(button).toHaveCount(0);
  await agent.composer.fill('/pl');
  await expect(agent.commands).toHaveText([/\/plan\s*Plan the week/]);
  await agent.composer.press('Enter');
  await expect(agent.composer).toHaveValue(told);
});
