// What a person sees and sets of an agent's loop.

import { createAgent, expect, test } from '../fixtures.ts';
import { read } from '../fixtures/api.ts';
import { AgentForm } from '../pages/agent-form.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { ContextPage } from '../pages/context-page.ts';

test('the meter fills while they talk, and leads to what the model is sent', async ({ laptop, endpoint }) => {
  const page = new AgentPage(laptop);
  await page.open(await createAgent(laptop, endpoint, 'Ada'));
  await expect(page.meter).toHaveAttribute('aria-valuetext', /^0 % full, 0 of /);
  await page.play('tools');
  await expect(page.messages.last()).toContainText('moss & ferns');
  const stored = page.log.locator('details.tool').filter({ hasText: 'notes' }).first();
  await stored.locator('summary').click();
  await expect(stored.locator('pre[data-language="json"] code').first()).toContainText('"key": "notes"');
  await expect(stored).toContainText('No question was needed.');
  await page.say('And the ferns?');
  await expect(page.messages.last()).toHaveText('You said: And the ferns?');
  await expect(page.meter).toHaveAttribute('aria-valuetext', /, [1-9].* of .* tokens$/);

  await page.context.click();
  const context = new ContextPage(laptop);
  await expect(laptop.getByRole('heading', { name: 'Context of Ada', level: 1 })).toBeVisible();
  await expect(context.meter).toHaveAttribute('aria-valuetext', /% full/);
  const identity = context.lines('System prompt').filter({ hasText: 'Who it is' });
  await identity.locator('summary').click();
  await expect(identity).toContainText('You are Ada,');
  await expect(identity.locator('summary')).toContainText(/\d+ tokens/);
  await expect(context.lines('System prompt').filter({ hasText: 'How it works' })).toHaveCount(1);
  await expect(context.lines('Tools').filter({ hasText: 'datetime' })).toHaveCount(1);

  const messages = context.lines('Messages');
  await expect(messages.last().locator('pre')).toHaveText('And the ferns?');
  await expect(messages.last().locator('summary')).toContainText(/User.*\d+ tokens/);
  const call = messages.filter({ hasText: 'Call of storage' }).first();
  await call.locator('summary').click();
  await expect(call.locator('pre').filter({ hasText: '"notes"' })).toBeVisible();
  await expect(messages.filter({ hasText: 'Result of' }).first()).toBeVisible();

  await laptop.getByRole('link', { name: 'Back to Ada' }).click();
  await expect(page.messages.last()).toHaveText('You said: And the ferns?');
});

test('the settings of the loop stay as they were saved', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const form = new AgentForm(laptop);
  const edit = async () => {
    await laptop.goto(`/agents/${agent}/edit`);
    await form.unfoldLoop();
  };
  await edit();
  await form.effort.selectOption({ label: 'High' });
  await form.rounds.fill('7');
  await form.muse.fill('15');
  await form.clear.fill('45');
  await laptop.getByRole('radio', { name: /^It goes on by itself/ }).check();
  await laptop.getByLabel('Word that ends the work', { exact: true }).fill('FINISHED');
  await form.hooks.nth(0).getByLabel('Tool').fill('run*');
  await form.hooks.nth(0).getByLabel('Words for the model').fill('No scripts.');
  await laptop.getByRole('button', { name: 'Add a hook' }).click();
  await form.hooks.nth(1).getByLabel('When').selectOption({ label: 'When the answer is there' });
  await form.hooks.nth(1).getByLabel('If it holds').fill('TODO');
  await form.hooks.nth(1).getByLabel('Words for the model').fill('Do it now.');
  await form.save();

  await edit();
  await expect(form.effort).toHaveValue('high');
  await expect(form.rounds).toHaveValue('7');
  await expect(form.muse).toHaveValue('15');
  await expect(form.clear).toHaveValue('45');
  await expect(laptop.getByRole('radio', { name: /^It goes on by itself/ })).toBeChecked();
  await expect(laptop.getByLabel('Word that ends the work', { exact: true })).toHaveValue('FINISHED');
  await expect(form.hooks).toHaveCount(3);
  await expect(form.hooks.nth(0).getByLabel('Tool')).toHaveValue('run*');
  await expect(form.hooks.nth(1).getByLabel('Then')).toHaveValue('continue');
  await expect(form.hooks.nth(1).getByLabel('If it holds')).toHaveValue('TODO');

  await laptop.getByRole('button', { name: 'Take hook 1 away' }).click();
  await form.save();
  await edit();
  await expect(form.hooks).toHaveCount(2);
  await expect(form.hooks.nth(0).getByLabel('Words for the model')).toHaveValue('Do it now.');
});

test('a model in reserve is named and taken back', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  await createAgent(laptop, endpoint, 'Beatrix');
  const form = new AgentForm(laptop);
  const edit = async () => {
    await laptop.goto(`/agents/${agent}/edit`);
    await form.unfoldReserve();
  };
  await edit();
  await form.reserve.selectOption({ label: 'Endpoint of Beatrix' });
  await laptop.getByRole('button', { name: 'Save' }).click();
  await expect(form.problem).toContainText('Name the model in reserve');
  await form.reserveModel.fill('gpt-5-mini');
  await form.save();
  await edit();
  await expect(laptop.getByText('Endpoint of Beatrix does')).toBeVisible();
  await expect(form.reserveModel).toHaveValue('gpt-5-mini');
  await form.reserve.selectOption({ label: 'Nobody' });
  await form.save();
  await edit();
  await expect(form.reserve).toHaveValue('');
});

test('settings that do nothing are refused in words, and what was typed stays', async ({ laptop, endpoint }) => {
  const form = new AgentForm(laptop);
  await laptop.goto(`/agents/${await createAgent(laptop, endpoint, 'Ada')}/edit`);
  await form.unfoldLoop();
  await form.hooks.first().getByLabel('Tool').fill('state');
  await laptop.getByRole('button', { name: 'Save' }).click();
  await expect(form.problem).toContainText('The words of a hook');
  await expect(form.hooks.first().getByLabel('Tool')).toHaveValue('state');
});

test('a hook denies a tool, and the conversation says so', async ({ laptop, endpoint }) => {
  const agent = await createAgent(laptop, endpoint, 'Ada');
  const form = new AgentForm(laptop);
  await laptop.goto(`/agents/${agent}/edit`);
  await form.unfoldLoop();
  await form.hooks.first().getByLabel('Tool').fill('state');
  await form.hooks.first().getByLabel('Words for the model').fill('The state is not yours.');
  await form.save();

  const page = new AgentPage(laptop);
  await page.open(agent);
  await page.play('tools');
  await expect(page.messages.last()).toContainText('Not allowed: The state is not yours.');
  const denied = page.log.locator('details').filter({ hasText: 'state' }).first();
  await expect(denied).toHaveAttribute('data-status', 'error');
  await denied.locator('summary').click();
  await expect(denied.getByText('Not allowed: The state is not yours.')).toBeVisible();
  await expect(page.log.getByText('A call was not allowed').first()).toBeVisible();
  await expect(page.log.locator('details[data-status="done"]').filter({ hasText: 'storage' }).first()).toBeVisible();
});

test('what is said while it works is read by its next call', async ({ laptop, endpoint }) => {
  const page = new AgentPage(laptop);
  const agent = await createAgent(laptop, endpoint, 'Ada');
  await page.open(agent);
  await page.play('gated-tool');
  await expect(page.streaming).toHaveText('I look at the clock, and');
  await expect(page.composer).toHaveAttribute('placeholder', /next step/);
  await page.say('Only the year, please.');
  await expect(page.messages.filter({ hasText: 'Only the year, please.' })).toHaveCount(1);
  // The page shows it before the hub has it.
  await expect.poll(async () => JSON.stringify(await read(laptop, 'agents/entries', { agent, after: '0' }))).toContain('"steered"');
  await endpoint.openGate();
  await expect(page.messages.last()).toHaveText('You said: Only the year, please.');

  const [first, second, ...others] = await endpoint.requests();
  expect(others).toEqual([]);
  expect(JSON.stringify(first.body.messages)).not.toContain('Only the year');
  expect(JSON.stringify(second.body.messages.at(-1))).toContain('Only the year, please.');
  expect(JSON.stringify(second.body.messages.at(-1))).toContain('tool_result');
});
