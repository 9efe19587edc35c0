// What an agent sees of the page that it drew.

import type { Page } from '@playwright/test';
import { createAgent, expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';

const dom = (input: object) => ({ tool: 'dom', input });

/** The colours of points of the picture with this number, which are told in pixels of the page. */
async function coloursOf(page: Page, nth: number, points: Record<string, [number, number]>): Promise<Record<string, string>> {
  const link = page.getByRole('log').locator('.attached a').nth(nth);
  return link.evaluate(async (link: HTMLAnchorElement, points) => {
    const bitmap = await createImageBitmap(await (await fetch(link.href)).blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext('2d')!;
    context.drawImage(bitmap, 0, 0);
    return Object.fromEntries(
      Object.entries(points).map(([what, [x, y]]) => [what, [...context.getImageData(x, y, 1, 1).data].slice(0, 3).join(' ')]),
    );
  }, points);
}

const PAGE = `
  <style>
    :root { --sky: rgb(0, 0, 255); color-scheme: light }
    html, body { margin: 0; height: 100%; background: rgb(200, 0, 0) }
    div, canvas, input { position: absolute; width: 40px; height: 40px; border: 0; padding: 0; display: block }
    #sky { left: 0; background: var(--sky) }
    #comes { left: 50px; background: rgb(0, 90, 0); animation: comes 900s }
    #drawn { left: 100px }
    #ruled { left: 150px }
    #ticked { left: 200px; appearance: none; background: rgb(9, 9, 9) }
    #ticked:checked { background: rgb(90, 90, 0) }
    #low { top: 150vh; background: rgb(0, 90, 90) }
    @keyframes comes { from { opacity: 0 } to { opacity: 1 } }
  </style>
  <div id="sky"></div><div id="comes"></div><canvas id="drawn" width="40" height="40"></canvas><div id="ruled"></div>
  <input type="checkbox" id="ticked"><div id="low"></div>
  <script>
    const context = document.querySelector('#drawn').getContext('2d');
    context.fillStyle = 'rgb(90, 0, 90)';
    context.fillRect(0, 0, 40, 40);
    document.querySelector('style').sheet.insertRule('#ruled { background: rgb(1, 2, 3) }');
    document.querySelector('#ticked').checked = true;
  </script>`;

test('an agent sees its page as it is drawn, also what scripts made of it and what is below the screen', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const [agent, onPhone] = [new AgentPage(laptop), new AgentPage(phone)];
  await agent.open(id);
  const turns = [
    [dom({ action: 'create', html: PAGE, position: 'replace' })],
    [dom({ action: 'screenshot' })],
    [dom({ action: 'screenshot', selector: '#drawn' })],
    [{ text: 'That is how it looks.' }],
  ];
  await agent.say(`turns: ${JSON.stringify(turns)}`);
  await expect(agent.messages.last()).toHaveText('That is how it looks.');
  await expect(agent.pictures).toHaveCount(2);
  const low = await agent.skin('Ada').locator('#low').evaluate((low: HTMLElement) => low.offsetTop + 20);
  expect(low).toBeLessThan(1500);
  const points: Record<string, [number, number]> = {
    sky: [20, 20],
    comes: [70, 20],
    drawn: [120, 20],
    ruled: [170, 20],
    ticked: [220, 20],
    ground: [300, 20],
    low: [20, low],
  };
  expect(await coloursOf(laptop, 0, points)).toEqual({
    sky: '0 0 255',
    comes: '0 90 0',
    drawn: '90 0 90',
    ruled: '1 2 3',
    ticked: '90 90 0',
    ground: '200 0 0',
    low: '0 90 90',
  });
  expect(await coloursOf(laptop, 1, { first: [1, 1], last: [38, 38] })).toEqual({ first: '90 0 90', last: '90 0 90' });

  // The model is sent it, and the other device shows it too.
  const sent = (await endpoint.requests()).map((request) => JSON.stringify(request.body));
  expect(sent.at(-1)).toContain('"image/png"');
  await onPhone.open(id);
  await expect(onPhone.pictures).toHaveCount(2);
});

test('there is no picture of an element that is not there', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const turns = [[dom({ action: 'screenshot', selector: '#moss' })], [{ text: 'Answer: {results}' }]];
  await agent.say(`turns: ${JSON.stringify(turns)}`);
  await expect(agent.messages.last()).toContainText('no element matches #moss');
  await expect(agent.pictures).toHaveCount(0);
});
