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

  await there.composer.fill('');
  await there.composer.pressSequentially('/every:attach');
  await there.composer.press('Enter');
  const resources = phone.getByRole('dialog', { name: 'Attach a resource of every' });
  await resources.getByRole('button', { name: /dynamic\/text/ }).first().tap();
  await screens(phone, 'commands-resources');
  await resources.getByLabel('Address').fill('demo://resource/dynamic/text/7');
  await resources.getByRole('button', { name: 'Attach', exact: true }).click();
  await expect(there.added).toHaveText(/7/);
  await there.say('What is this?');
  await expect(there.messages.last()).toContainText('You said: What is this?');
  expect(JSON.stringify((await endpoint.requests()).at(-1))).toContain('Resource 7: This is a plaintext resource');
  server.end();
});
