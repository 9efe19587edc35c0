// Going anywhere by a few letters, from a keyboard and from a phone.

import { createAgent, expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
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
