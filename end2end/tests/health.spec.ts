import { expect, test } from '../fixtures.ts';

test('a started hub says that it is ready', async ({ request }) => {
  const answer = await request.get('/healthz');
  expect(answer.status()).toBe(200);
});
