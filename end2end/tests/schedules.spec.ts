// Schedules on a laptop and a phone at once: made, run, paused, changed, limited and deleted.

import { axe, createAgent, expect, screens, test } from '../fixtures.ts';
import { read } from '../fixtures/api.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { Dashboard } from '../pages/dashboard.ts';
import { Gallery } from '../pages/gallery.ts';
import { Schedules } from '../pages/schedules.ts';

test('a schedule made on the laptop is on the phone, and what it begins on both', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const [onLaptop, onPhone] = [new Schedules(laptop), new Schedules(phone)];
  await onLaptop.open(id);
  await onPhone.open(id);
  await expect(onPhone.none).toBeVisible();
  await onLaptop.add('Morning', 'Say what the day brings.', 'Monday to Friday', '07:30');
  for (const page of [onLaptop, onPhone]) {
    await expect(page.row('Morning')).toContainText('Monday to Friday at 07:30');
    await expect(page.row('Morning')).toContainText(/Next.*07:30.*in \d+ (minute|hour|day)/);
    await expect(page.row('Morning')).toContainText('no limit of its own');
  }
  await expect(onLaptop.form.getByLabel('Name')).toHaveValue('');

  await onPhone.press('Run', 'Morning');
  for (const page of [onLaptop, onPhone]) {
    await expect(page.row('Morning')).toContainText(/Last.*: done/);
    await expect(page.row('Morning')).toContainText(/Spent\$0\.00\d*[1-9]\d* today/);
  }
  const agent = new AgentPage(phone);
  await agent.open(id);
  await expect(agent.messages.first()).toContainText('Due: Morning Say what the day brings.');
  await expect(agent.messages.last()).toContainText('You said:');
});

test('what rests is not due, and what is deleted is gone on every device', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const [onLaptop, onPhone] = [new Schedules(laptop), new Schedules(phone)];
  await onLaptop.open(id);
  await onPhone.open(id);
  await onLaptop.add('Morning', 'Say what the day brings.', 'Every day', '08:00');
  await onPhone.press('Pause', 'Morning');
  await expect(onLaptop.row('Morning')).toContainText('NextPaused');
  await onLaptop.press('Resume', 'Morning');
  await expect(onPhone.row('Morning')).toContainText('08:00');

  const one = await onPhone.edit('Morning');
  await expect(one.what.getByLabel('Time', { exact: true })).toHaveValue('08:00');
  await one.what.getByLabel('Every so many minutes').check();
  await expect(one.what.getByLabel('Time', { exact: true })).toBeHidden();
  await one.what.getByLabel('Minutes', { exact: true }).fill('90');
  await one.save();
  for (const page of [onLaptop, onPhone]) {
    await expect(page.row('Morning')).toContainText('Every 90 minutes');
  }
  await (await onPhone.edit('Morning')).delete();
  for (const page of [onLaptop, onPhone]) {
    await expect(page.none).toBeVisible();
  }
});

test('a schedule that its limit stopped goes on when the phone raises it', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const [onLaptop, onPhone] = [new Schedules(laptop), new Schedules(phone)];
  await onLaptop.open(id);
  await onLaptop.add('Morning', 'Say what the day brings.', 'Every day', '08:00');
  await onPhone.open(id);
  const one = await onPhone.edit('Morning');
  await one.limits.set('One day', '0.001');
  await expect(phone.getByRole('meter', { name: 'Today' })).toBeVisible();
  await onLaptop.press('Run', 'Morning');
  await expect(onLaptop.row('Morning')).toContainText(/Last.*waits for you/);
  await one.limits.set('One day', '1');
  await expect(onLaptop.row('Morning')).toContainText(/Last.*: done/);
});

test('what a limit stopped is given up with its schedule, on the phone too', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const schedules = new Schedules(laptop);
  await schedules.open(id);
  await schedules.add('Morning', 'Say what the day brings.', 'Every day', '08:00');
  const one = await schedules.edit('Morning');
  await one.limits.set('One day', '0.001');
  await expect(laptop.getByRole('meter', { name: 'Today' })).toBeVisible();
  await schedules.open(id);
  await schedules.press('Run', 'Morning');
  const agent = new AgentPage(phone);
  await agent.open(id);
  await expect(phone.getByRole('link', { name: 'Raise the limit' })).toHaveAttribute('href', `/agents/${id}/schedules`);
  const waits = phone.getByText('It goes on by itself when the limit is raised.');
  await expect(waits).toBeVisible();
  await schedules.press('Pause', 'Morning');
  await expect(phone.getByText('A limit had stopped what Morning began, and Morning rests.')).toBeVisible();
  await expect(phone.getByRole('link', { name: 'Raise the limit' })).toHaveCount(0);
  await expect(waits).toHaveCount(0);
  await axe(phone);
  await screens(phone, 'given-up');
});

test('schedules go with their agent into an archive and come out switched off', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const schedules = new Schedules(laptop);
  await schedules.open(id);
  await schedules.add('Morning', 'Say what the day brings: the weather, and what was left open yesterday.', 'Every day', '08:00');
  await expect(schedules.row('Morning')).toBeVisible();
  const exported = await laptop.request.get(`/archives/${id}`);
  const gallery = new Gallery(laptop);
  await gallery.send(await exported.body());
  await expect(gallery.notices).toContainText('Its schedules are switched off.');
  await expect(laptop.getByText('what was left open yesterday.')).toBeVisible();
  await axe(laptop);
  await screens(laptop, 'gallery-review-schedules');
  const made = await gallery.make();
  await expect(laptop.getByText('Morning came along, switched off until you resume it')).toBeVisible();
  await schedules.open(made);
  await expect(schedules.row('Morning')).toContainText('NextPaused');
});

test('an agent asks for a schedule of its own, and the phone says yes', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada', 'hub', ['schedule']);
  const input = { action: 'create', name: 'Water', message: 'Water the moss.', kind: 'every', minutes: 600 };
  const [agent, onPhone] = [new AgentPage(laptop), new AgentPage(phone)];
  await agent.open(id);
  await onPhone.open(id);
  await agent.say(`turns: ${JSON.stringify([[{ tool: 'schedule', input }], [{ text: 'Done.' }]])}`);
  await expect(onPhone.approval).toContainText('Ada wants to use schedule.');
  await expect(onPhone.approval).toContainText('it is agreed to by itself each time');
  await onPhone.approval.getByText('More answers').click();
  await expect(onPhone.approval.getByRole('button', { name: 'Deny with this word' })).toBeVisible();
  await expect(onPhone.approval.getByRole('button', { name: 'Always' })).toHaveCount(0);
  await screens(phone, 'approval-once');
  await onPhone.approval.getByRole('button', { name: 'Allow once' }).click();
  await expect(agent.messages.last()).toHaveText('Done.');
  await expect(agent.log).toContainText('Schedule: the agent made Water');
  const schedules = new Schedules(laptop);
  await schedules.open(id);
  await expect(schedules.row('Water')).toContainText('Made by the agent');
  await expect(schedules.row('Water')).toContainText('Every 10 hours');
});

test('a schedule at which nobody looks is on the wall with what it costs, until somebody does', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const schedules = new Schedules(laptop);
  await schedules.open(id);
  await schedules.add('Morning', 'Say what the day brings.', 'Every day', '08:00');
  const ended = async (): Promise<number> => {
    const entries = await read(laptop, 'agents/entries', { agent: id, after: '0' });
    return entries.filter((entry: { body: { type: string } }) => entry.body.type === 'run_finished').length;
  };
  for (let times = 1; times <= 5; times += 1) {
    await schedules.press('Run', 'Morning');
    await expect.poll(ended).toBe(times);
  }
  await expect(schedules.row('Morning')).toContainText(/It ran 5 times since somebody last looked, and cost \$0\.0\d+\./);
  const dashboard = new Dashboard(phone);
  await dashboard.open();
  await expect(dashboard.needsYou).toContainText('nobody looks at what this schedule does');
  await axe(phone);
  await screens(phone, 'wall-idle-schedule');
  const agent = new AgentPage(phone);
  await agent.open(id);
  await expect(agent.notice('Nobody looks at what a schedule does')).toBeVisible();
  // The hub hears that it is looked at a moment after the page is there.
  await expect(async () => {
    await dashboard.open();
    await expect(dashboard.needsYou).toHaveCount(0, { timeout: 500 });
  }).toPass();
  await schedules.open(id);
  await expect(schedules.row('Morning')).not.toContainText('since somebody last looked');
});

test('what another program delivers wakes the agent, and the history says what came of each time', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const schedules = new Schedules(laptop);
  await schedules.open(id);
  await schedules.form.getByLabel('Name').fill('Orders');
  await schedules.form.getByLabel('What it is told').fill('An order came. Say what is in it.');
  await schedules.form.getByLabel('When something is delivered to its address').check();
  await expect(schedules.form.getByLabel('Time zone')).toBeHidden();
  await schedules.form.getByRole('button', { name: 'Add schedule' }).click();
  await expect(schedules.row('Orders')).toContainText('NextWhen something comes');

  const one = await schedules.edit('Orders');
  await expect(one.webhook).toContainText('takes nothing in before it has one');
  await expect(one.history).toContainText('It was not due yet.');
  await one.webhook.getByRole('button', { name: 'Make a secret' }).click();
  const values = one.webhook.locator('.secret-value');
  await expect(values).toHaveCount(2);
  const [address = '', secret = ''] = await values.allTextContents();
  const deliver = async (shown: string): Promise<number> =>
    (await laptop.request.post(address, { headers: { 'X-Webhook-Secret': shown }, data: 'Two ferns, one moss.' })).status();
  expect(await deliver('whsec_none')).toBe(401);
  expect(await deliver(secret)).toBe(202);

  const agent = new AgentPage(phone);
  await agent.open(id);
  await expect(agent.messages.first()).toContainText('Came in for Orders: Two ferns, one moss.');
  await expect(agent.messages.last()).toContainText('You said:');
  await schedules.open(id);
  await schedules.press('Run', 'Orders');
  await expect(schedules.row('Orders')).toContainText(/Last.*: done/);
  await schedules.edit('Orders');
  await expect(one.webhook).not.toContainText(secret);
  // The history is as old as its page, and the run may still be under way.
  await expect(async () => {
    await laptop.reload();
    await expect(one.history.getByRole('row')).toContainText(['Due', /Run now.*done.*\$0/, /Delivered.*done.*\$0/], { timeout: 500 });
  }).toPass();
  await expect(one.preview).toContainText("your person's schedule is due: Orders");
  await axe(laptop);
  await screens(laptop, 'schedule-webhook');
  await one.history.getByRole('link', { name: 'done' }).first().click();
  await expect(laptop).toHaveURL(new RegExp(`/agents/${id}/conversations/`));
});

test('a mailbox is entered, says what is in its way on the page, and never shows its password again', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const schedules = new Schedules(laptop);
  await schedules.open(id);
  await schedules.mailbox('Post', '127.0.0.1:9', 'word-canary');
  await axe(laptop);
  await screens(laptop, 'schedule-mailbox');
  await schedules.form.getByRole('button', { name: 'Add schedule' }).click();
  await expect(schedules.row('Post')).toContainText('When a mail from @shop.example about “order” comes for ada@example.org at 127.0.0.1:9');
  await expect(async () => {
    await laptop.reload();
    await expect(schedules.row('Post')).toContainText('Nothing answers at 127.0.0.1:9.', { timeout: 500 });
  }).toPass();
  const one = await schedules.edit('Post');
  await expect(one.mailbox).toContainText('Nothing answers at 127.0.0.1:9.');
  await expect(one.what.getByLabel('Password there')).toHaveValue('');
  expect(await laptop.content()).not.toContain('word-canary');
  await axe(laptop);
  await screens(laptop, 'schedule-mailbox-problem');
  await one.what.getByLabel('Server for mail').fill('127.0.0.1:10');
  await one.what.getByRole('button', { name: 'Save' }).click();
  await expect(laptop.getByRole('alert')).toContainText('Enter the password of the mailbox.');
  await expect(one.what.getByLabel('Server for mail')).toHaveValue('127.0.0.1:10');
});

test('a feed that the agent may not reach is refused in words where it was entered', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const schedules = new Schedules(laptop);
  await schedules.open(id);
  await schedules.form.getByLabel('Name').fill('News');
  await schedules.form.getByLabel('What it is told').fill('Something new came.');
  await schedules.form.getByLabel('When a feed has something new').check();
  await expect(schedules.form.getByLabel('Time zone')).toBeHidden();
  await schedules.form.getByLabel('Address of the feed').fill('http://127.0.0.1:9/feed.xml');
  await axe(laptop);
  await screens(laptop, 'schedule-feed');
  await schedules.form.getByRole('button', { name: 'Add schedule' }).click();
  await expect(laptop.getByRole('alert')).toContainText('This agent may not reach http://127.0.0.1:9.');
  await expect(schedules.form.getByLabel('Address of the feed')).toHaveValue('http://127.0.0.1:9/feed.xml');
  await expect(schedules.none).toBeVisible();
});

test('an agent that waits for another one is woken when that has finished', async ({ laptop, phone, endpoint }) => {
  const [id, other] = [await createAgent(laptop, endpoint, 'Ada'), await createAgent(laptop, endpoint, 'Bo')];
  const schedules = new Schedules(laptop);
  await schedules.open(id);
  await schedules.form.getByLabel('Name').fill('Review');
  await schedules.form.getByLabel('What it is told').fill('Look at what came of it.');
  await schedules.form.getByLabel('When another agent has finished').check();
  await schedules.form.getByLabel('Which agent').selectOption('Bo');
  await axe(laptop);
  await screens(laptop, 'schedule-finished');
  await schedules.form.getByRole('button', { name: 'Add schedule' }).click();
  await expect(schedules.row('Review')).toContainText('When Bo has finished');
  const agent = new AgentPage(phone);
  await agent.open(other);
  await agent.say('Hello.');
  await expect(schedules.row('Review')).toContainText(/Last.*: done/);
  await agent.open(id);
  await expect(agent.messages.first()).toContainText('Came in for Review: Agent: Bo');
});

test('which files an agent waits for is said in its row', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const schedules = new Schedules(laptop);
  await schedules.open(id);
  await schedules.form.getByLabel('Name').fill('Files');
  await schedules.form.getByLabel('What it is told').fill('Look at them.');
  await schedules.form.getByLabel('When files have changed').check();
  await schedules.form.getByLabel('Which files').fill('plan.md');
  await schedules.form.getByRole('button', { name: 'Add schedule' }).click();
  await expect(laptop.getByRole('alert')).toContainText('Write which files it waits for');
  await schedules.form.getByLabel('Which files').fill('/agent/*.md');
  await axe(laptop);
  await schedules.form.getByRole('button', { name: 'Add schedule' }).click();
  await expect(schedules.row('Files')).toContainText('When /agent/*.md has changed');
  const one = await schedules.edit('Files');
  await expect(one.what.getByLabel('Which files')).toHaveValue('/agent/*.md');
});

test('a schedule that fails in a row is switched off, says why, and is switched on by one press', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const schedules = new Schedules(laptop);
  await schedules.open(id);
  await schedules.form.getByText('More', { exact: true }).click();
  await schedules.form.getByLabel('Switched off after failures in a row').fill('1');
  const fails = [{ status: 400, type: 'invalid_request_error', message: 'No such thing.' }];
  await schedules.add('Morning', `turns: ${JSON.stringify(fails)}`, 'Every day', '08:00');
  await schedules.press('Run', 'Morning');
  await expect(schedules.row('Morning')).toContainText('It failed again and again, and is switched off.');
  await expect(schedules.row('Morning')).toContainText('No such thing.');
  await axe(laptop);
  await screens(laptop, 'schedule-broken');
  await laptop.getByRole('button', { name: 'Switch on again Morning' }).click();
  await expect(schedules.row('Morning')).not.toContainText('switched off');
  await expect(schedules.row('Morning')).toContainText('08:00');
});
