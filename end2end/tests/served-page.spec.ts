// The page of an agent where a client of MCP shows it: the hub as the client of its own server, which lets no frame be
// in the page of a tool, and one that does as the standard says.

import { createAgent, expect, screens, test } from '../fixtures.ts';
import { post } from '../fixtures/api.ts';
import { McpHost } from '../fixtures/mcp-host.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { McpPage } from '../pages/mcp-page.ts';

/** What the agent is called by MCP. */
const toolOf = (name: string, agent: string) => `${name}_${agent.replaceAll('-', '').slice(-8)}`;

test('whoever asks an agent over MCP sees its page below the call, as it is now, on every device', async ({ laptop, phone, endpoint, hub, person }) => {
  const moss = await createAgent(laptop, endpoint, 'Moss');
  const onMoss = new AgentPage(laptop);
  await onMoss.open(moss);
  await onMoss.play('draw');
  await expect(onMoss.log).toContainText('The page is drawn.');

  const token = (await hub.cli(['token', 'create', '--user', person.name])).trim();
  const servers = new McpPage(laptop);
  await servers.open();
  await servers.add('home', `${hub.url}/mcp`, { token });
  await laptop.waitForURL(/\/mcp-servers\/[^/?]+/);
  const fern = await createAgent(laptop, endpoint, 'Fern');
  await post(laptop, 'mcp_servers/choose', [
    ['agent', fern],
    ['servers[]', new URL(laptop.url()).pathname.split('/').at(-1)!],
  ]);
  await post(laptop, 'policy/add', [
    ['tool', 'mcp_home_*'],
    ['about', new URL(hub.url).host],
    ['verdict', 'allow'],
  ]);

  const onFern = new AgentPage(laptop);
  await onFern.open(fern);
  const tool = `mcp_home_${toolOf('moss', moss)}`;
  await onFern.say(`turns: ${JSON.stringify([[{ tool, input: { message: 'Hello' } }], [{ text: 'Done.' }]])}`);
  await expect(onFern.messages.last()).toHaveText('Done.');
  const onPhone = new AgentPage(phone);
  await onPhone.open(fern);
  for (const page of [laptop, phone]) {
    const shown = page.frameLocator('iframe[data-role="app"]');
    await expect(shown.getByRole('heading', { name: 'A small garden' })).toBeVisible();
    await expect(shown.getByRole('status')).toHaveText('Moss');
    await screens(page, page === phone ? 'served-page-phone' : 'served-page');
  }

  // What it draws later is seen by whoever looks again.
  await post(laptop, 'agents/send', [
    ['agent', moss],
    ['text', `turns: ${JSON.stringify([[{ tool: 'dom', input: { action: 'modify', selector: 'h1', text: 'A large garden' } }], [{ text: 'Done.' }]])}`],
  ]);
  const shown = laptop.frameLocator('iframe[data-role="app"]');
  await expect(async () => {
    await shown.getByRole('button', { name: 'Look again' }).click();
    await expect(shown.getByRole('heading', { name: 'A large garden' })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  // What a page might still have in it when it is read there does not run.
  const refused = await shown.locator('body').evaluate((body) => {
    const violation = new Promise<SecurityPolicyViolationEvent>((tell) => addEventListener('securitypolicyviolation', tell, { once: true }));
    body.insertAdjacentHTML('beforeend', '<button onclick="document.title = 1" hidden></button>');
    (body.lastElementChild as HTMLElement).click();
    return violation.then(({ effectiveDirective }) => effectiveDirective);
  });
  expect(refused).toBe('script-src-attr');
  await shown.getByRole('button', { name: 'Open in Vivarium' }).click();
  const wish = laptop.getByRole('main').getByRole('alertdialog', { name: 'A wish of the page' });
  await expect(wish.locator('blockquote')).toHaveText(`${hub.url}/agents/${moss}`);
});

test('a page that another client shows is used there: what is pressed reaches its agent, what that draws comes back, and nothing else gets out', async ({ laptop, endpoint, hub, person }) => {
  const moss = await createAgent(laptop, endpoint, 'Moss');
  const onMoss = new AgentPage(laptop);
  await onMoss.open(moss);
  await onMoss.play('draw');
  await expect(onMoss.log).toContainText('The page is drawn.');
  await laptop.goto('about:blank');

  const token = (await hub.cli(['token', 'create', '--user', person.name])).trim();
  const host = await McpHost.show(laptop, hub.url, token, toolOf('moss', moss));
  const { shown } = host;
  await expect(shown.getByRole('heading', { name: 'A small garden' })).toBeVisible();
  await expect(host.document.getByRole('status')).toHaveText('Moss');
  await shown.getByRole('button', { name: 'Go' }).click();
  await expect(shown.getByText('Pressed.')).toBeVisible();
  await screens(laptop, 'served-page-elsewhere');

  const body = shown.locator('body');
  expect(await body.evaluate(() => (globalThis as any).flo.ask('Which season?'))).toContain('Which season?');
  const refused = await body.evaluate(() => (globalThis as any).flo.callTool('datetime', {}).then(String, ({ message }: Error) => message));
  expect(refused).toContain('Open it in Vivarium');

  // Neither the web nor the client itself is reached from there.
  const reached = await body.evaluate((_, url) => {
    window.top?.postMessage({ jsonrpc: '2.0', id: 99, method: 'ui/open-link', params: { url } }, '*');
    window.parent.postMessage({ jsonrpc: '2.0', id: 99, method: 'ui/open-link', params: { url } }, '*');
    return fetch(url).then(
      () => true,
      () => false,
    );
  }, hub.url);
  expect(reached).toBe(false);
  await host.document.getByRole('button', { name: 'Open in Vivarium' }).click();
  await expect.poll(() => host.opened).toEqual([`${hub.url}/agents/${moss}`]);
});
