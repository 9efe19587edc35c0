// Versions of a page, with JavaScript switched off. The page itself is drawn in a browser that has it.

import { createAgent, expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { SignIn } from '../pages/sign-in.ts';
import { SkinsPage } from '../pages/skins-page.ts';

test('an older version is looked at and restored without script', async ({ browser, laptop, person, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const context = await browser.newContext({ javaScriptEnabled: true });
  const scripted = await context.newPage();
  const form = new SignIn(scripted);
  await form.open();
  await form.signIn(person);
  await scripted.waitForURL((url) => url.pathname === '/');
  const agent = new AgentPage(scripted);
  await agent.open(id);
  await agent.play('draw');
  await expect(agent.messages.last()).toHaveText('The page is drawn. Press Go.');
  await agent.skin('Ada').getByRole('button', { name: 'Go' }).click();
  await expect(agent.skin('Ada').locator('#count')).toHaveText('Pressed.');
  await expect(agent.messages.last()).toContainText('The page told me:');

  await laptop.goto(`/agents/${id}`);
  await laptop.getByRole('link', { name: 'Versions of the page' }).click();
  const skins = new SkinsPage(laptop);
  await expect(skins.versions.first()).toContainText('Drawn by the agent');
  const before = await skins.versions.count();
  await skins.restore(1);
  await expect(skins.versions).toHaveCount(before + 1);
  await expect(skins.versions.first()).toContainText('Restored by you');
  await expect(skins.versions.first().frameLocator('iframe').locator('#count')).toHaveText('Nothing pressed yet.');
  await expect(agent.skin('Ada').locator('#count')).toHaveText('Nothing pressed yet.');
  await context.close();
});
