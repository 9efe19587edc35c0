// The examples of MCP Apps by the authors of the protocol, as they are published: each draws itself in a conversation,
// calls its server, and is told what its call gave.

import type { FrameLocator, Page } from '@playwright/test';
import { AppMcp, createAgent, expect, screens, test, type Endpoint } from '../fixtures.ts';
import { post } from '../fixtures/api.ts';
import { AgentPage } from '../pages/agent-page.ts';

const SHADER = 'void mainImage(out vec4 color, in vec2 at) { color = vec4(at.xy / iResolution.xy, 0.5, 1.0); }';

interface Example {
  name: Parameters<typeof AppMcp.start>[0];
  tool: string;
  input?: object;
  /** What is seen in it, and what it does when it is used. */
  used: (app: FrameLocator) => Promise<void>;
}

const FRAMEWORKS = (['react', 'vue', 'svelte', 'preact', 'solid'] as const).map(
  (framework): Example => ({
    name: `basic-${framework}`,
    tool: 'get-time',
    used: async (app) => {
      const time = app.getByText(/^\d{4}-\d\d-\d\dT/);
      const before = await time.textContent();
      await app.getByRole('button', { name: 'Get Server Time' }).click();
      await expect(time).not.toHaveText(before!);
    },
  }),
);

const EXAMPLES: Example[] = [
  {
    name: 'budget-allocator',
    tool: 'get-budget-data',
    used: async (app) => {
      await expect(app.locator('#status-bar')).toContainText('$100,000 / $100,000');
      await app.locator('#budget-selector').selectOption({ index: 0 });
      await expect(app.locator('#status-bar')).not.toContainText('/ $100,000');
    },
  },
  {
    name: 'cohort-heatmap',
    tool: 'get-cohort-data',
    used: async (app) => {
      await expect(app.getByText('M11', { exact: true })).toBeAttached();
      const body = app.locator('body');
      const before = await body.innerText();
      await app.getByLabel('Period').selectOption('weekly');
      await expect.poll(() => body.innerText()).not.toBe(before);
    },
  },
  {
    name: 'customer-segmentation',
    tool: 'get-customer-data',
    used: async (app) => {
      await expect(app.getByText(/^\(\d+\)$/)).toHaveCount(4);
      await app.locator('#x-axis').selectOption('nps');
      await expect(app.locator('#x-axis')).toHaveValue('nps');
    },
  },
  {
    name: 'scenario-modeler',
    tool: 'get-scenario-data',
    used: async (app) => {
      await expect(app.getByText('$63.4K')).toBeVisible();
      await app.getByRole('slider').first().fill('60000');
      await expect(app.getByText('$63.4K')).toHaveCount(0);
    },
  },
  {
    name: 'threejs',
    tool: 'show_threejs_scene',
    used: async (app) => expect(app.locator('canvas').first()).toBeVisible(),
  },
  {
    name: 'shadertoy',
    tool: 'render-shadertoy',
    input: { fragmentShader: SHADER },
    used: async (app) => {
      await expect(app.locator('canvas')).toBeVisible();
      await expect(app.locator('#code-preview')).toBeHidden();
    },
  },
  {
    name: 'debug',
    tool: 'debug-tool',
    input: { contentType: 'mixed' },
    used: async (app) => {
      for (const told of ['connected:', 'ontoolinput:', 'ontoolresult:']) await expect(app.locator('#event-log')).toContainText(told);
      await expect(app.locator('#event-log')).not.toContainText('onerror');
    },
  },
];

test('an example in each framework is drawn under its call, and calls its server', async ({ laptop, endpoint }) => {
  await useEach(laptop, endpoint, FRAMEWORKS);
});

test('what the examples show of data, and what they draw, follows who uses them', async ({ laptop, endpoint }) => {
  await useEach(laptop, endpoint, EXAMPLES);
});

async function useEach(page: Page, endpoint: Endpoint, examples: Example[]): Promise<void> {
  const agent = new AgentPage(page);
  const id = await createAgent(page, endpoint, 'Ada');
  for (const { name, tool, input = {}, used } of examples) {
    const server = await AppMcp.start(name);
    const called = name.slice(0, 20);
    await post(page, 'mcp_servers/add', [
      ['name', called],
      ['url', server.url],
      ['agents[]', id],
    ]);
    await post(page, 'policy/add', [
      ['tool', `mcp_${called}_*`],
      ['about', server.host],
      ['verdict', 'allow'],
    ]);
    await agent.open(id);
    await agent.say(`turns: ${JSON.stringify([[{ tool: `mcp_${called}_${tool}`, input }], [{ text: `${name} is drawn.` }]])}`);
    await expect(agent.messages.last()).toHaveText(`${name} is drawn.`);
    await page.locator('iframe[data-role="app"]').last().hover();
    await used(page.frameLocator('iframe[data-role="app"]').last());
    await screens(page, `mcp-example-${name}`);
    server.end();
  }
}
