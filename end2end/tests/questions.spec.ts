// What an agent asks its person: seen on every device, answered on one, with script and frames.

import { createAgent, expect, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { Dashboard } from '../pages/dashboard.ts';

const TOOLS = ['ask_user', 'todo'];

const COLOUR = {
  question: 'Which colour shall the bed by the wall have?',
  kind: 'choice',
  options: [
    { label: 'Green', description: 'Fern and moss: needs no care, and grows slowly.' },
    { label: 'Blue', description: 'Gentian and iris: blooms in May.' },
  ],
  other: true,
  default: 'Green',
};

/** The model asks these, a reply for each, and says Done. */
function asks(...questions: object[]): string {
  const turns = questions.map((input) => [{ tool: 'ask_user', input }]);
  return `turns: ${JSON.stringify([...turns, [{ text: 'Done.' }]])}`;
}

for (const home of ['hub', 'browser'] as const) {
  test(`a question is asked on both devices and answered on the phone: ${home} home`, async ({ laptop, phone, endpoint }) => {
    const id = await createAgent(laptop, endpoint, 'Ada', home, TOOLS);
    const [onLaptop, onPhone] = [new AgentPage(laptop), new AgentPage(phone)];
    await onLaptop.open(id);
    await onPhone.open(id);
    await onLaptop.say(asks(COLOUR));
    for (const page of [onLaptop, onPhone]) {
      await expect(page.approval).toContainText('Ada asks you something.');
      await expect(page.approval.getByRole('radio', { name: 'Green' })).toBeChecked();
      await expect(page.stop).toBeVisible();
    }
    if (process.env.PICTURES && home === 'hub') {
      await screens(laptop, 'question');
      await phone.screenshot({ path: 'screenshots/question-asked-phone.png' });
    }
    await onPhone.approval.getByText('Gentian and iris').click();
    await onPhone.approval.getByRole('button', { name: 'Answer' }).click();
    for (const page of [onLaptop, onPhone]) {
      await expect(page.approval).toHaveCount(0);
      await expect(page.notice(/Which colour shall the bed by the wall have\? Answered .Blue., on Chrome on Android\./)).toBeVisible();
      await expect(page.messages.last()).toHaveText('Done.');
    }
    const last = JSON.stringify((await endpoint.requests()).at(-1));
    expect(last).toContain('Blue');
  });
}

test('with nobody there it waits for whoever comes first, and through a hub that was killed', async ({ phone, endpoint, hub }) => {
  const id = await createAgent(phone, endpoint, 'Ada', 'hub', TOOLS);
  await phone.request.post('/api/agents/send', { headers: { Origin: hub.url }, data: { agent: id, text: asks({ question: 'How many ferns?', kind: 'number', min: 1, max: 12 }) } });
  const waiting = async (): Promise<unknown[]> => (await phone.request.get('/api/approvals/list')).json();
  await expect.poll(async () => (await waiting()).length).toBe(1);
  await hub.kill9();
  await hub.restart();

  const dashboard = new Dashboard(phone);
  await dashboard.open();
  await expect(dashboard.needsYou).toContainText('How many ferns?');
  const answer = dashboard.needsYou.getByRole('spinbutton');
  // The browser sends no number that does not fit.
  await answer.fill('13');
  await dashboard.needsYou.getByRole('button', { name: 'Answer' }).click();
  await expect(answer).toHaveValue('13');
  await answer.fill('3');
  await dashboard.needsYou.getByRole('button', { name: 'Answer' }).click();
  await expect(dashboard.needsYou).toHaveCount(0);
  const page = new AgentPage(phone);
  await page.open(id);
  await expect(page.messages.last()).toHaveText('Done.');
  await expect(page.notice('How many ferns? Answered 3, on Chrome on Android.')).toBeVisible();
});

test('by keyboard alone an answer is chosen, and words of one\'s own stay when another is', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada', 'hub', TOOLS);
  const page = new AgentPage(laptop);
  await page.open(id);
  await page.say(asks(COLOUR, COLOUR));
  const own = page.approval.getByRole('textbox', { name: 'Other, in your own words' });
  await own.fill('Red');
  await expect(page.approval.getByRole('radio', { name: 'Other' })).toBeChecked();
  await page.approval.getByRole('radio', { name: 'Other' }).focus();
  await laptop.keyboard.press('ArrowUp');
  await expect(page.approval.getByRole('radio', { name: 'Blue' })).toBeChecked();
  await expect(own).toHaveValue('Red');
  await expect(page.approval.getByRole('button', { name: 'Answer' })).toBeEnabled();
  await laptop.keyboard.press('Enter');
  await expect(page.notice('Answered \u201cBlue\u201d, on')).toBeVisible();
  await own.fill('Red');
  await expect(page.approval.getByRole('button', { name: 'Answer' })).toBeEnabled();
  await laptop.keyboard.press('Enter');
  await expect(page.notice('Answered \u201cRed\u201d, on')).toBeVisible();
  await expect(page.messages.last()).toHaveText('Done.');
});

test('a file answers, and the agent finds it where its files are', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada', 'hub', TOOLS);
  const page = new AgentPage(laptop);
  await page.open(id);
  await page.say(asks({ question: 'Which plan do you follow?', kind: 'file' }));
  await page.approval.getByRole('button', { name: 'Answer' }).click();
  await expect(page.log.getByRole('alert')).toContainText('Choose a file, or skip the question.');
  await page.approval.getByLabel('Choose a file').setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('Moss first.') });
  await expect(page.approval.getByRole('status')).toHaveText('plan.txt');
  await page.approval.getByRole('button', { name: 'Answer' }).click();
  await expect(page.notice('Answered with the file plan.txt, on')).toBeVisible();
  await expect(page.messages.last()).toHaveText('Done.');
  expect(JSON.stringify((await endpoint.requests()).at(-1))).toContain('/uploads/plan.txt');
});

test('while only the page is on the screen the question stands over it, and may be skipped there', async ({ phone, endpoint }) => {
  const id = await createAgent(phone, endpoint, 'Ada', 'hub', TOOLS);
  const page = new AgentPage(phone);
  await page.open(id);
  await page.say(asks({ ...COLOUR, kind: 'several', max: 2 }));
  await expect(page.approval).toBeVisible();
  await page.show('Page');
  await expect(page.question.getByRole('checkbox', { name: 'Green' })).toBeChecked();
  if (process.env.PICTURES) await phone.screenshot({ path: 'screenshots/question-over-phone.png' });
  await page.question.getByRole('button', { name: 'Skip' }).click();
  await expect(page.question).toHaveCount(0);
  await page.show('Conversation');
  await expect(page.notice('Skipped, on')).toBeVisible();
});

test('what there is to do is on both devices, and what is ticked on one is ticked on the other', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada', 'hub', TOOLS);
  const [onLaptop, onPhone] = [new AgentPage(laptop), new AgentPage(phone)];
  await onLaptop.open(id);
  await onPhone.open(id);
  const tasks = [{ text: 'Rake the leaves', state: 'done' }, { text: 'Sow the moss', state: 'in_progress' }, { text: 'Water it' }];
  await onLaptop.say(`turns: ${JSON.stringify([[{ tool: 'todo', input: { action: 'replace', tasks } }], [{ text: 'Done.' }]])}`);
  for (const page of [onLaptop, onPhone]) {
    await page.todo.getByText('1 of 3 done, now: Sow the moss').click();
    await expect(page.tasks).toHaveCount(3);
  }
  if (process.env.PICTURES) {
    await screens(laptop, 'todo');
    await phone.screenshot({ path: 'screenshots/todo-phone.png' });
  }
  await onPhone.todo.getByRole('checkbox', { name: 'Sow the moss' }).click();
  await expect(onLaptop.todo.getByRole('checkbox', { name: 'Sow the moss' })).toBeChecked();
  await onPhone.todo.getByRole('button', { name: 'Strike: Water it' }).click();
  await expect(onLaptop.todo).toContainText('3 of 3 done');
  await onLaptop.todo.getByRole('textbox', { name: 'A task to add' }).fill('Look after it');
  await laptop.keyboard.press('Enter');
  await expect(onPhone.tasks).toHaveCount(4);
  await expect(onLaptop.todo.getByRole('textbox', { name: 'A task to add' })).toHaveValue('');
  await onLaptop.say('Go on.');
  await expect(onLaptop.messages.last()).toContainText('You said');
  const last = JSON.stringify((await endpoint.requests()).at(-1));
  for (const told of ['[to-do list]', 'marked task 2 as done: Sow the moss', 'marked task 3 as cancelled: Water it', 'added task 4: Look after it']) {
    expect(last).toContain(told);
  }
});

