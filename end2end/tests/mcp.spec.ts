// Prompts of MCP servers as commands in a conversation, on a laptop and a phone.

import { createAgent, EverythingMcp, expect, screens, test } from '../fixtures.ts';
import { post } from '../fixtures/api.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { McpPage } from '../pages/mcp-page.ts';

test('a slash offers what the page can do and the prompts of its servers', async ({ laptop, phone, endpoint }) => {
  const server = await EverythingMcp.start();
  const servers = new McpPage(laptop);
  await servers.open();
  await servers.add('every', server.url);
  await expect(laptop.getByRole('heading', { name: '/every:simple-prompt' })).toBeVisible();
  const id = await createAgent(laptop, endpoint, 'Ada');
  const { pathname } = new URL(laptop.url());
  await post(laptop, 'mcp_servers/choose', [
    ['agent', id],
    ['servers[]', pathname.split('/').at(-1)!],
  ]);

  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.composer.pressSequentially('/');
  await expect(agent.commands).toContainText(['/new', '/temporary', '/every:']);
  await expect(agent.command).toContainText('/new');
  await screens(laptop, 'commands');
  await agent.composer.press('ArrowUp');
  await expect(agent.command).toContainText('/every:');
  await agent.composer.press('Escape');
  await expect(agent.commands).toHaveCount(0);
  await agent.composer.fill('');
  await agent.composer.pressSequentially('/simple');
  await expect(agent.command).toContainText('/every:simple-prompt');
  await agent.composer.press('Enter');
  await expect(agent.composer).toHaveValue(/^Follow the prompt simple-prompt of my MCP server every:\n<words-of-strangers>\nThis is a simple prompt/);
  await agent.send.click();
  await expect(agent.log.locator('blockquote')).toHaveText(/^This is a simple prompt without arguments/);
  await expect(agent.messages.last()).toContainText('You said:');
  await screens(laptop, 'commands-sent');

  const there = new AgentPage(phone);
  await there.open(id);
  await there.composer.pressSequentially('/args');
  await there.commands.filter({ hasText: 'every:args-prompt' }).tap();
  const questions = phone.getByRole('dialog', { name: '/every:args-prompt' });
  await questions.getByLabel('city').fill('Ulm');
  await screens(phone, 'commands-arguments');
  await questions.getByRole('button', { name: 'Put it into the message' }).click();
  await expect(there.composer).toHaveValue(/Ulm\?\n<\/words-of-strangers>$/);
  await expect(there.composer).toBeFocused();

  // What the server suggests goes by what is written, and by the other arguments.
  await there.composer.fill('');
  await there.composer.pressSequentially('/completable');
  await there.commands.filter({ hasText: 'every:completable-prompt' }).tap();
  const suggesting = phone.getByRole('dialog', { name: '/every:completable-prompt' });
  await suggesting.getByLabel('department').fill('S');
  const suggested = (place: number) => suggesting.locator(`#command-argument-${place}-suggested option`);
  await expect(suggested(0)).toHaveCount(2);
  await suggesting.getByLabel('department').fill('Sales');
  await suggesting.getByLabel('name').fill('D');
  await expect(suggested(1)).toHaveCount(1);
  await expect(suggested(1)).toHaveAttribute('value', 'David');
  await suggesting.getByRole('button', { name: 'Cancel' }).click();

  await there.composer.fill('');
  await there.composer.pressSequentially('/every:attach');
  await there.composer.press('Enter');
  const resources = phone.getByRole('dialog', { name: 'Attach a resource of every' });
  await resources.getByRole('button', { name: /dynamic\/text/ }).first().tap();
  await screens(phone, 'commands-resources');
  await resources.getByLabel('resourceId').fill('7');
  await expect(resources.getByLabel('Address')).toHaveValue('demo://resource/dynamic/text/7');
  await expect(resources.locator('#resource-part-0-suggested option')).toHaveAttribute('value', '7');
  await resources.getByRole('button', { name: 'Attach', exact: true }).click();
  await expect(there.added).toHaveText(/7/);
  await there.say('What is this?');
  await expect(there.messages.last()).toContainText('You said: What is this?');
  expect(JSON.stringify((await endpoint.requests()).at(-1))).toContain('Resource 7: This is a plaintext resource');
  await expect(there.log.getByText('From the MCP server every')).toBeVisible();
  server.end();
});

test('a server from the cards is added for an agent, which uses it in its next message', async ({ laptop, endpoint }) => {
  const server = await EverythingMcp.start();
  const id = await createAgent(laptop, endpoint, 'Ada');
  const servers = new McpPage(laptop);
  await servers.open();
  await servers.choose('DeepWiki');
  await expect(servers.address).toHaveValue('https://mcp.deepwiki.com/mcp');
  await servers.choose('GitHub');
  await expect(servers.address).toHaveValue('https://api.githubcopilot.com/mcp/');
  await expect(laptop.getByLabel('Name', { exact: true })).toHaveValue('github');
  await screens(laptop, 'mcp-known');
  await laptop.getByRole('checkbox', { name: 'Ada' }).check();
  await servers.add('every', server.url);
  await expect(servers.done).toContainText('The server is added.');

  const agent = new AgentPage(laptop);
  await agent.open(id);
  const call = { tool: 'mcp_every_echo', input: { message: 'Moss' } };
  await agent.say(`turns: ${JSON.stringify([[call], [{ text: 'Echoed.' }]])}`);
  await agent.approval.getByRole('button', { name: 'Allow once' }).click();
  await expect(agent.messages.last()).toHaveText('Echoed.');
  expect(JSON.stringify((await endpoint.requests()).at(-1))).toContain('Echo: Moss');
  server.end();
});

test('what a server asks in the middle of a call is answered on the phone, and declined there', async ({ laptop, phone, endpoint }) => {
  const server = await EverythingMcp.start();
  const servers = new McpPage(laptop);
  await servers.open();
  await servers.add('every', server.url);
  await expect(laptop.getByRole('heading', { name: 'trigger-elicitation-request' })).toBeVisible();
  const id = await createAgent(laptop, endpoint, 'Ada');
  const { pathname } = new URL(laptop.url());
  await post(laptop, 'mcp_servers/choose', [
    ['agent', id],
    ['servers[]', pathname.split('/').at(-1)!],
  ]);
  await post(laptop, 'policy/add', [
    ['tool', 'mcp_*'],
    ['about', server.host],
    ['verdict', 'allow'],
  ]);
  const tool = 'mcp_every_trigger-elicitation-request';
  const asks = `turns: ${JSON.stringify([[{ tool, input: {} }], [{ text: 'Done.' }]])}`;
  const [onLaptop, onPhone] = [new AgentPage(laptop), new AgentPage(phone)];
  await onLaptop.open(id);
  await onPhone.open(id);
  await onLaptop.say(asks);
  for (const page of [onLaptop, onPhone]) {
    await expect(page.approval).toContainText('every asks you something, while Ada calls it.');
    await expect(page.approval).toContainText('no password and no key');
  }
  await screens(laptop, 'asked-back');
  await screens(phone, 'asked-back-phone');
  const form = onPhone.approval;
  await form.getByLabel('String', { exact: true }).fill('Ada');
  await form.getByRole('spinbutton', { name: 'Integer' }).fill('7');
  await form.getByText('Green Lantern').tap();
  await form.getByRole('button', { name: 'Send' }).tap();
  for (const page of [onLaptop, onPhone]) {
    await expect(page.approval).toHaveCount(0);
    await expect(page.messages.last()).toHaveText('Done.');
  }
  const last = JSON.stringify((await endpoint.requests()).at(-1));
  for (const said of ['- Name: Ada', '- Favorite Integer: 7', 'hero-2']) expect(last).toContain(said);

  await onLaptop.say(asks);
  await onPhone.approval.getByRole('button', { name: 'Decline' }).tap();
  await expect(onLaptop.notice(/^every asked: .* Declined, on Chrome on Android\.$/)).toBeVisible();
  await expect(onLaptop.messages.last()).toHaveText('Done.');
  expect(JSON.stringify((await endpoint.requests()).at(-1))).toContain('User declined');

  const url = 'https://pay.invalid/moss?bed=north';
  await onLaptop.say(`turns: ${JSON.stringify([[{ tool: 'mcp_every_trigger-url-elicitation', input: { url } }], [{ text: 'Paid.' }]])}`);
  await expect(onPhone.approval.getByRole('link', { name: url })).toBeVisible();
  await expect(onPhone.approval).toContainText('It leads to pay.invalid:');
  await screens(phone, 'asked-visit-phone');
  await onPhone.approval.getByRole('button', { name: 'I have opened it' }).tap();
  await expect(onLaptop.messages.last()).toHaveText('Paid.');
  expect(JSON.stringify((await endpoint.requests()).at(-1))).toContain('User completed the URL elicitation flow');
  server.end();
});

test('how far a call is stands on its line on every device, until it is over', async ({ laptop, phone, endpoint }) => {
  const server = await EverythingMcp.start();
  const servers = new McpPage(laptop);
  await servers.open();
  await servers.add('every', server.url);
  await expect(laptop.getByRole('heading', { name: 'trigger-long-running-operation' })).toBeVisible();
  const id = await createAgent(laptop, endpoint, 'Ada');
  const { pathname } = new URL(laptop.url());
  await post(laptop, 'mcp_servers/choose', [
    ['agent', id],
    ['servers[]', pathname.split('/').at(-1)!],
  ]);
  await post(laptop, 'policy/add', [
    ['tool', 'mcp_*'],
    ['about', server.host],
    ['verdict', 'allow'],
  ]);
  const call = { tool: 'mcp_every_trigger-long-running-operation', input: { duration: 4, steps: 4 } };
  const [onLaptop, onPhone] = [new AgentPage(laptop), new AgentPage(phone)];
  await onLaptop.open(id);
  await onPhone.open(id);
  await onLaptop.say(`turns: ${JSON.stringify([[call], [{ text: 'Done.' }]])}`);
  const progress = (page: AgentPage) => page.log.locator('.tool-progress');
  for (const page of [onLaptop, onPhone]) await expect(progress(page)).toHaveText(/^[1-4] of 4/);
  await screens(phone, 'progress');
  for (const page of [onLaptop, onPhone]) {
    await expect(page.messages.last()).toHaveText('Done.');
    await expect(progress(page)).toHaveText('');
  }
  server.end();
});
