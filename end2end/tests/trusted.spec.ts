// No text becomes script in the pages around the frames, whatever a fault of ours would hand to the browser.

import { createAgent, expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';

interface Factory {
  createPolicy(name: string, rules: { createHTML(text: string): string }): unknown;
}

test('text becomes neither script nor anything that could run one', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada', 'hub');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const refused = await laptop.evaluate(() => {
    const ways: Record<string, () => unknown> = {
      script: () => { document.createElement('script').textContent = 'window.hit = 1'; },
      address: () => { document.createElement('script').src = '/x.js'; },
      timer: () => setTimeout('window.hit = 1'),
      worker: () => new Worker('/x.js'),
      handler: () => { document.createElement('div').innerHTML = '<img src=x onerror="window.hit = 1">'; },
      frame: () => { document.createElement('div').innerHTML = '<iframe src="/"></iframe>'; },
      srcdoc: () => { document.createElement('iframe').srcdoc = '<script>parent.hit = 1</script>'; },
      element: () => { document.body.insertAdjacentHTML('beforeend', '<script>window.hit = 1</script>'); },
      link: () => { document.createElement('div').innerHTML = '<a href="javascript:window.hit = 1">a</a>'; },
      policy: () => (window as unknown as { trustedTypes: Factory }).trustedTypes.createPolicy('another', { createHTML: (text) => text }),
    };
    return Object.entries(ways).filter(([, way]) => {
      try {
        way();
        return true;
      } catch {
        return false;
      }
    }).map(([name]) => name);
  });
  expect(refused).toEqual([]);
  expect(await laptop.evaluate(() => 'hit' in window)).toBe(false);
});

test('what our own pages are made of is let through', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada', 'hub');
  const errors: string[] = [];
  laptop.on('pageerror', (error) => errors.push(error.message));
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.say('script: markdown');
  await expect(agent.messages.last()).toContainText('which must stay text.');
  const pages = ['/', '/account', '/account/audit', '/providers', '/models', '/usage', '/schedules', '/gallery', '/agents/new', ...['edit', 'context', 'tools', 'skins', 'budget', 'schedules', 'rules'].map((page) => `/agents/${id}/${page}`)];
  for (const page of pages) {
    // By the router: all of it is made in the browser.
    await laptop.evaluate((to) => {
      const link = document.createElement('a');
      link.href = to;
      document.body.append(link);
      link.click();
      link.remove();
    }, page);
    await expect(laptop).toHaveURL((url) => url.pathname === page);
    await expect(laptop.getByRole('heading', { level: 1 }).first()).toBeVisible();
  }
  expect(errors).toEqual([]);
});
