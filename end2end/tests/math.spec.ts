// Formulas in messages: set as mathematics, with what was written still there, and never as markup of the text's own.

import { createAgent, expect, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';

const TEXT = String.raw`The roots of $ax^2+bx+c$ (for \(a \neq 0\)) are

\[
x_{1,2}
= \frac{-b \pm \sqrt{b^2-4ac}}{2a}
\]

and a matrix is

$$
\begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}
- \sum_{k=1}^{n} k
$$

It costs $5, not $10.[^1] This stays as it is: $\nothing{x}$, and so does $\href{https://a.example}{x}$.

[^1]: Prices of **2026**.
`;

test('formulas are set, and what cannot be read stays as it was written', async ({ laptop, phone, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Fern');
  const page = new AgentPage(laptop);
  await page.open(agent);
  const asked: string[] = [];
  laptop.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.say('Hello');
  await expect(page.messages.last()).toHaveText('You said: Hello');
  expect(asked.filter((path) => path.endsWith('/temml.min.js'))).toHaveLength(0);

  await page.say(`turns: ${JSON.stringify([[{ text: TEXT }]])}`);
  const answer = page.messages.last();
  // Two in the line, and two of their own. What is no formula, and what leads elsewhere, is not set.
  await expect(answer.locator('.math[data-set]')).toHaveCount(4);
  await expect(answer.locator('.math:not([data-set])')).toHaveText([String.raw`\nothing{x}`, String.raw`\href{https://a.example}{x}`]);
  await expect(answer.locator('math msqrt')).toHaveCount(1);
  await expect(answer.locator('math mtable')).toHaveCount(1);
  await expect(answer.locator('math [href], math a')).toHaveCount(0);
  await expect(answer.locator('.math').nth(2)).toContainText(String.raw`x_{1,2} = \frac{-b \pm \sqrt{b^2-4ac}}{2a}`);
  await expect(answer).toContainText(String.raw`It costs $5, not $10.1 This stays as it is: \nothing{x}, and so does`);
  await expect(answer.locator('.footnote')).toHaveText('1Prices of 2026.');
  expect(asked.filter((path) => path.endsWith('/temml.min.js'))).toHaveLength(1);
  await screens(laptop, 'math');

  await phone.goto('/');
  const other = new AgentPage(phone);
  await other.open(agent);
  await expect(other.messages.last().locator('math msqrt')).toBeVisible();
});
