// The console with JavaScript switched off.

import { createAgent, expect, test } from '../fixtures.ts';
import { ConsolePage } from '../pages/console-page.ts';

test('a form tells several, and the page that comes shows their answers', async ({ laptop, endpoint }) => {
  for (const name of ['Ada', 'Bo', 'Cy']) await createAgent(laptop, endpoint, name);
  const console = new ConsolePage(laptop);
  await laptop.goto('/console');
  await console.pick('Ada').check();
  await console.pick('Cy').check();
  await console.say('Water the ferns.');
  await expect(laptop).toHaveURL(/\/console\?beside=/);
  await expect(async () => {
    await laptop.reload();
    for (const name of ['Ada', 'Cy']) {
      await expect(console.answer(name)).toContainText('You said: Water the ferns.', { timeout: 100 });
    }
  }).toPass();
  await expect(console.pick('Cy')).toBeChecked();
  await expect(console.pick('Bo')).not.toBeChecked();
});
