// Going anywhere by a few letters, from a keyboard and from a phone.

import { axe, createAgent, expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { hydrated } from '../pages/page.ts';
import { Palette } from '../pages/palette.ts';

test('agents, conversations and pages are found by a few letters, with the keyboard only', async ({ laptop, endpoint }) => {
  const ada = await createAgent(laptop, endpoint, 'Ada');
  await createAgent(laptop, endpoint, 'Grace');
  const agent = new AgentPage(laptop);
  await agent.open(ada);
  await agent.say('Ferns and mosses');
  await expect(agent.messages.last()).toContainText('You said: Ferns and mosses');
  const palette = new Palette(laptop);
  await laptop.keyboard.press('Control+k');
  await expect(palette.field).toBeFocused();
  await expect(palette.section('Agents').getByRole('link')).toHaveCount(2);
  await palette.field.fill('gra');
  await expect(palette.section('Agents').getByRole('link')).toHaveText([/Grace/]);
  await laptop.keyboard.press('Enter');
  await expect(laptop.locator('.agent-name')).toHaveText('Grace');
  await expect(palette.dialog).toBeHidden();

  await laptop.keyboard.press('Control+k');
  await palette.field.fill('MOSS');
  await expect(palette.section('Conversations').getByRole('link')).toContainText(['Ferns and mosses']);
  await laptop.keyboard.press('ArrowDown');
  await laptop.keyboard.press('Enter');
  await expect(agent.messages.first()).toContainText('Ferns and mosses');

  await laptop.keyboard.press('Control+k');
  await palette.field.fill('nothing like it');
  await laptop.keyboard.press('Enter');
  await expect(laptop).toHaveURL(/\/search\?q=nothing/);
  await laptop.keyboard.press('Control+k');
  await expect(palette.field).toBeFocused();
  await laptop.keyboard.press('Escape');
  await expect(palette.dialog).toBeHidden();
});

test('on a phone it opens with a press', async ({ phone, endpoint }) => {
  const id = await createAgent(phone, endpoint, 'Ada');
  await new AgentPage(phone).open(id);
  const palette = new Palette(phone);
  await palette.link.tap();
  await palette.field.fill('usage');
  await palette.section('Pages').getByRole('link', { name: 'Usage and limits' }).tap();
  await expect(phone).toHaveURL(/\/usage$/);
  await expect(palette.dialog).toBeHidden();
});

test('agents are paused and colours changed from it, and it leads to the keys that there are', async ({ laptop, endpoint }) => {
  await createAgent(laptop, endpoint, 'Ada');
  await laptop.goto('/');
  await hydrated(laptop);
  const palette = new Palette(laptop);
  const choose = async (words: string, name: string) => {
    await laptop.keyboard.press('Control+k');
    await palette.field.fill(words);
    await palette.section('Actions').getByRole('button', { name }).click();
    await expect(palette.dialog).toBeHidden();
  };
  await choose('pause all', 'Pause all agents');
  await expect(laptop.getByRole('button', { name: 'Resume Ada' })).toBeVisible();
  await choose('resume all', 'Resume all agents');
  await expect(laptop.getByRole('button', { name: 'Pause Ada' })).toBeVisible();
  await choose('dark', 'Dark colours');
  await expect(laptop.locator('html')).toHaveCSS('color-scheme', 'dark');
  await expect(laptop).toHaveURL('/');
  await laptop.reload();
  await expect(laptop.locator('html')).toHaveCSS('color-scheme', 'dark');
  await hydrated(laptop);
  await choose('shortcuts', 'Keyboard shortcuts');
  await expect(palette.shortcuts).toBeVisible();
  await axe(laptop);
  await laptop.keyboard.press('Escape');
  await expect(palette.shortcuts).toBeHidden();

  await laptop.getByRole('textbox', { name: 'What should live here?' }).press('?');
  await expect(laptop.getByRole('textbox', { name: 'What should live here?' })).toHaveValue('?');
  await expect(palette.shortcuts).toBeHidden();
  await laptop.getByRole('heading', { name: 'Agents', level: 1 }).click();
  await laptop.keyboard.press('?');
  await expect(palette.shortcuts).toBeVisible();
});
