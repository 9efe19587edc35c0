// Pages that a script keeps busy, or that are too loud: the shell lives, and the person decides.

import { createAgent, expect, test } from '../fixtures.ts';
import { read } from '../fixtures/api.ts';
import { AgentPage } from '../pages/agent-page.ts';

test('an endless loop in the page is noticed, and the page can be waited for, frozen and thawed', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const page = new AgentPage(laptop);
  await page.open(agent);
  await page.play('stuck');
  await expect(page.messages.last()).toHaveText('The page is drawn.');
  await page.skin('Ada').getByRole('button', { name: 'Hang' }).click();
  await expect(page.stuck).toBeVisible({ timeout: 20_000 });

  await page.stuck.getByRole('button', { name: 'Wait' }).click();
  await expect(page.stuck).toBeHidden();
  await expect(page.stuck).toBeVisible({ timeout: 30_000 });

  await page.stuck.getByRole('button', { name: 'Freeze' }).click();
  await expect(page.frozen).toBeVisible();
  await expect(page.skinFrame('Ada')).toHaveCount(0);
  await expect(page.picture.getByRole('heading', { name: 'A busy garden' })).toBeVisible({ timeout: 15_000 });
  // The shell and the conversation go on.
  await page.say('Still there?');
  await expect(page.messages.last()).toHaveText('You said: Still there?');

  await page.frozen.getByRole('button', { name: 'Thaw' }).click();
  await expect(page.skin('Ada').getByRole('heading', { name: 'A busy garden' })).toBeVisible();
});

test('a stuck page is loaded anew at a press', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const page = new AgentPage(laptop);
  await page.open(agent);
  await page.play('stuck');
  await expect(page.messages.last()).toHaveText('The page is drawn.');
  await page.skin('Ada').getByRole('button', { name: 'Hang' }).click();
  await expect(page.stuck).toBeVisible({ timeout: 20_000 });
  await page.stuck.getByRole('button', { name: 'Reload' }).click();
  await expect(page.skin('Ada').getByRole('heading', { name: 'A busy garden' })).toBeVisible({ timeout: 15_000 });
  await expect(page.stuck).toBeHidden();
});

test("while the laptop's page is stuck the phone's answers, and the laptop shows what was drawn", async ({ laptop, phone, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const [onLaptop, onPhone] = [new AgentPage(laptop), new AgentPage(phone)];
  await onLaptop.open(agent);
  await onPhone.open(agent);
  await onLaptop.play('stuck');
  await expect(onLaptop.messages.last()).toHaveText('The page is drawn.');
  await expect(onPhone.skin('Ada').getByRole('heading', { name: 'A busy garden' })).toBeAttached();
  await onLaptop.skin('Ada').getByRole('button', { name: 'Hang' }).click();
  await expect.poll(() => read(laptop, 'agents/state', { id: agent })).toEqual({ busy: true });
  // The laptop was active last, so it is asked first.
  await onLaptop.play('draw');
  await expect(onPhone.messages.last()).toHaveText('The page is drawn. Press Go.', { timeout: 15_000 });
  await expect(onPhone.skin('Ada').getByRole('button', { name: 'Go' })).toBeAttached();
  // Nobody has to press anything: there is a newer page, so the stuck one is given up. Until then the
  // driver must not look inside, for it would wait for an answer from there for ever.
  await expect(onLaptop.skinFrame('Ada')).toHaveCount(0, { timeout: 20_000 });
  await expect(onLaptop.skin('Ada').getByRole('button', { name: 'Go' })).toBeVisible({ timeout: 15_000 });
  await onLaptop.skin('Ada').getByRole('button', { name: 'Go' }).click();
  await expect(onLaptop.skin('Ada').locator('#count')).toHaveText('Pressed.');
});

test('an agent can mend the only page that is open and stuck', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const page = new AgentPage(laptop);
  await page.open(agent);
  await page.play('stuck');
  await expect(page.messages.last()).toHaveText('The page is drawn.');
  await page.skin('Ada').getByRole('button', { name: 'Hang' }).click();
  await expect(page.stuck).toBeVisible({ timeout: 20_000 });
  await page.play('draw');
  await expect(page.messages.last()).toHaveText('The page is drawn. Press Go.');
  await page.skin('Ada').getByRole('button', { name: 'Go' }).click({ timeout: 20_000 });
  await expect(page.skin('Ada').locator('#count')).toHaveText('Pressed.');
});

test('a page that floods the shell is taken away and can be frozen or loaded anew', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const page = new AgentPage(laptop);
  await page.open(agent);
  await page.play('flood');
  await expect(page.messages.last()).toHaveText('The page is drawn.');
  await page.skin('Ada').getByRole('button', { name: 'Flood' }).click();
  await expect(page.broken).toBeVisible();
  await page.broken.getByRole('button', { name: 'Freeze' }).click();
  await expect(page.frozen).toBeVisible();
});

test('any page can be frozen and thawed with the keyboard', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const page = new AgentPage(laptop);
  await page.open(agent);
  await expect(page.freeze).toHaveCount(0);
  await page.play('draw');
  await expect(page.messages.last()).toHaveText('The page is drawn. Press Go.');
  await page.freeze.focus();
  await laptop.keyboard.press('Enter');
  await expect(page.frozen).toBeVisible();
  await laptop.getByRole('button', { name: 'Thaw the page' }).focus();
  await laptop.keyboard.press('Enter');
  await page.skin('Ada').getByRole('button', { name: 'Go' }).click();
  await expect(page.skin('Ada').locator('#count')).toHaveText('Pressed.');
});

test("a phone's bar has room for all of its buttons while the agent is at work", async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const page = new AgentPage(laptop);
  await page.open(agent);
  await page.play('draw');
  await expect(page.messages.last()).toHaveText('The page is drawn. Press Go.');
  await page.play('halves');
  await expect(page.streaming).toHaveText('The first half is here, and');
  await laptop.setViewportSize({ width: 390, height: 844 });
  await page.show('Page');
  await expect(page.freeze).toBeVisible();
  await expect(page.stop).toBeVisible();
  expect(await laptop.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});
