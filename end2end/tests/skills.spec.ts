// What a person gives to their agents, on two devices: a page that is open follows what is done on another.

import { ChangingMcp, createAgent, expect, test } from '../fixtures.ts';
import { McpPage } from '../pages/mcp-page.ts';
import { SkillPage, SkillsPage } from '../pages/skills-page.ts';

const MOSS = `---
name: moss-care
description: Looking after moss.
---

Water it twice a week.
`;

test('open pages of skills follow what is written, accepted, given and removed on another device', async ({ laptop, phone, endpoint }) => {
  await createAgent(laptop, endpoint, 'Ada', 'hub', ['get_skill']);
  const library = new SkillsPage(laptop);
  await new SkillsPage(phone).open();
  await library.open();
  await library.write(MOSS);
  await expect(phone.getByRole('main')).toContainText('Waits for you');
  await phone.getByRole('link', { name: 'moss-care', exact: true }).click();

  const [here, there] = [new SkillPage(laptop), new SkillPage(phone)];
  await expect(here.heading).toHaveText('moss-care');
  await expect(there.heading).toHaveText('moss-care');
  await here.accept();
  const given = there.agents.getByRole('checkbox', { name: 'Ada' });
  await expect(given).not.toBeChecked();
  await here.giveTo('Ada');
  await expect(library.done.filter({ hasText: 'It is given so' })).toBeVisible();
  await expect(given).toBeChecked();
  await here.remove();
  await expect(library.done.filter({ hasText: 'The skill is removed' })).toBeVisible();
  await expect(there.heading).not.toHaveText('moss-care');
});

test('open pages of MCP servers follow what is added, switched and given on another device', async ({ laptop, phone, endpoint }) => {
  await createAgent(laptop, endpoint, 'Ada');
  const server = await ChangingMcp.start([{ name: 'water', description: 'Waters the moss.' }]);
  const [page, followed] = [new McpPage(laptop), new McpPage(phone)];
  await followed.open();
  await page.open();
  await page.add('garden', server.url);
  await expect(page.tool('water')).toContainText('On');
  await phone.getByRole('link', { name: 'garden', exact: true }).click();
  await expect(followed.tool('water')).toContainText('On');
  await page.press('Switch off', 'water');
  await expect(followed.tool('water')).toContainText('Off');
  await page.giveTo('Ada');
  await expect(page.done.filter({ hasText: 'It is given so' })).toBeVisible();
  await expect(followed.agents.getByRole('checkbox', { name: 'Ada' })).toBeChecked();
  server.end();
});
