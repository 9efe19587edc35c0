// Code in messages: in colours where its language is known, and never changed.

import { createAgent, expect, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import type { Page } from '@playwright/test';

const RUST = `/// Waters a plant.
fn water(plant: &mut Plant, litres: f64) -> Result<(), Error> {
    let name = "Fern";
    if litres > 1.5 { return Err(Error::TooMuch(name)); }
    plant.drink(litres) // and rests
}`;

/** The texts that are shown as this kind of code. */
async function coloured(page: Page, kind: string): Promise<string[]> {
  return page.evaluate(
    (name) => [...(CSS.highlights.get(name) ?? [])].map(({ startContainer, startOffset, endOffset }) => (startContainer.textContent ?? '').slice(startOffset, endOffset)),
    `code-${kind}`,
  );
}

test('code is in the colours of its language, stays as it was written, and costs nothing where there is none', async ({ laptop, phone, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Fern');
  const page = new AgentPage(laptop);
  await page.open(agent);
  const asked: string[] = [];
  laptop.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.say('Hello');
  await expect(page.messages.last()).toHaveText('You said: Hello');

  const unknown = 'fn is no keyword here';
  const text = `Like this:\n\n\`\`\`rust\n${RUST}\n\`\`\`\n\n\`\`\`gardening\n${unknown}\n\`\`\`\n`;
  await page.say(`turns: ${JSON.stringify([[{ text }]])}`);
  const blocks = page.messages.last().locator('pre > code');
  await expect.poll(() => blocks.allTextContents()).toEqual([`${RUST}\n`, `${unknown}\n`]);
  await expect.poll(() => coloured(laptop, 'keyword')).toEqual(expect.arrayContaining(['fn', 'let', 'if', 'return']));
  await expect.poll(() => coloured(laptop, 'string')).toEqual(['"Fern"']);
  await expect.poll(() => coloured(laptop, 'number')).toEqual(['1.5']);
  await expect.poll(() => coloured(laptop, 'comment')).toEqual(['/// Waters a plant.', '// and rests']);
  expect(asked.filter((path) => path.endsWith('/highlight.min.js'))).toHaveLength(1);
  await screens(laptop, 'code');

  await phone.goto('/');
  await new AgentPage(phone).open(agent);
  await expect.poll(() => coloured(phone, 'string')).toEqual(['"Fern"']);
});
