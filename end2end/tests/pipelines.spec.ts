// Pipelines on a laptop and a phone at once: made in a form and of a text, seen at work, answered, tried again.

import { axe, createAgent, expect, screens, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { hydrated } from '../pages/page.ts';
import { PipelinesPage } from '../pages/pipelines-page.ts';

const LATER = { timeout: 15_000 };
const gated = (word: string) => `turns: ${JSON.stringify([[{ text: `${word} gate is found.`, gate: 'gate' }]])}`;

test('a pipeline made on the phone is seen at work and answered on both', async ({ laptop, phone, endpoint }) => {
  await createAgent(laptop, endpoint, 'Ada');
  const [onLaptop, onPhone] = [new PipelinesPage(laptop), new PipelinesPage(phone)];
  await onLaptop.open();
  await expect(onLaptop.none).toBeVisible();
  await axe(laptop);
  await screens(laptop, 'pipelines-empty');
  await onPhone.begin('Report on mosses');
  await onPhone.fill('Find moss', 'A sub-agent', gated('Moss'));
  await onPhone.another();
  await onPhone.fill('Find ferns', 'Ada', 'Say ferns.', []);
  await onPhone.another();
  await onPhone.fill('Write it', 'A sub-agent', 'Write one page.', ['Find moss', 'Find ferns']);
  await onPhone.another();
  await onPhone.fill('Is it good?', 'You, with a yes or no', '');
  await axe(phone);
  await screens(phone, 'pipeline-new');
  await onPhone.make();
  await expect(onLaptop.row('Report on mosses')).toContainText('Not started, 0 of 4 done', LATER);
  await onPhone.press('Start');
  await onLaptop.open(new URL(phone.url()).pathname);
  for (const page of [onLaptop, onPhone]) {
    await expect(page.row('Find ferns')).toContainText('Done', LATER);
    await expect(page.row('Find moss')).toContainText('At work', LATER);
    await expect(page.row('Write it')).toContainText('AfterFind moss, Find ferns');
  }
  await expect(onLaptop.picture).toBeVisible();
  await expect(onPhone.picture).toBeHidden();
  await endpoint.openGate();
  for (const page of [onLaptop, onPhone]) await expect(page.row('Is it good?')).toContainText('Asks you', LATER);
  await axe(laptop);
  await axe(phone);
  await screens(laptop, 'pipeline-asks');
  await onLaptop.open('/');
  const needs = laptop.getByRole('list', { name: 'Needs you' });
  await expect(needs).toContainText('Report on mosses waits for your yes.', LATER);
  await needs.getByRole('link', { name: 'See the pipeline Report on mosses' }).click();
  await expect(onLaptop.row('Is it good?')).toContainText('Asks you', LATER);
  await onPhone.press('Yes, go on');
  for (const page of [onLaptop, onPhone]) await expect(page.status).toContainText('Done. 4 of 4 done.', LATER);
  const outcome = laptop.getByRole('region', { name: 'Outcome' });
  await expect(outcome).toContainText(/StateDone, 4 of 4 doneTook[0-9].*Spent./);
  await expect(outcome.getByRole('link', { name: 'Write it' })).toHaveAttribute('href', /^\/agents\/.+\/conversations\/.+/);
  await expect(outcome.getByRole('link', { name: 'Is it good?' })).toHaveAttribute('href', /^#task-/);
  await axe(laptop);
  await screens(laptop, 'pipeline-outcome');
  await onLaptop.row('Write it').getByText('Result').click();
  await expect(onLaptop.row('Write it')).toContainText('Moss gate is found.');
  await onLaptop.row('Find moss').getByRole('link', { name: 'Ada › Find moss' }).click();
  await expect(laptop.getByRole('heading', { level: 1, name: 'Ada › Find moss' })).toBeVisible();
});

test('what is wrong with a text is named, and a task that failed is tried again', async ({ laptop, endpoint }) => {
  await createAgent(laptop, endpoint, 'Ada');
  const here = new PipelinesPage(laptop);
  await here.open('/pipelines/new');
  await here.makeOf('title: T\nagent: Nobody\ntasks:\n  - {id: a, title: A, instruction: Do., depends_on: [b]}\n  - {id: b, title: B, instruction: Do., depends_on: [a, x]}\n');
  for (const words of ['There is no agent "Nobody".', 'there is no task "x"', 'These wait for each other']) {
    await expect(here.failure).toContainText(words);
  }
  await here.makeOf('title: Ask\nagent: Ada\ntasks:\n  - {id: ok, title: Good?, approval: true}\n  - {id: go, title: Go, instruction: Go on., depends_on: [ok]}\n');
  await laptop.waitForURL(/\/pipelines\/[0-9a-f]{32}$/);
  await here.press('Start');
  await expect(here.row('Good?')).toContainText('Asks you', LATER);
  await here.press('No');
  await expect(here.row('Go')).toContainText('"Good?" was not done.', LATER);
  const outcome = laptop.getByRole('region', { name: 'Outcome' });
  await expect(outcome.getByRole('button', { name: 'Start all over' })).toBeVisible();
  await outcome.getByRole('button', { name: 'Try again: Good?' }).click();
  await expect(here.row('Good?')).toContainText('Asks you', LATER);
  await here.press('Stop');
  await expect(here.status).toContainText('Stopped', LATER);
});

test('what was begun of a pipeline is there when the page is loaded anew, and gone once it is made', async ({ laptop, endpoint }) => {
  await createAgent(laptop, endpoint, 'Ada');
  const here = new PipelinesPage(laptop);
  const tasks = laptop.locator('.task-form');
  await here.begin('Report on mosses');
  await laptop.getByLabel('Budget in dollars').fill('2.50');
  await here.fill('Find moss', 'Ada', 'Say moss.');
  await here.another();
  await here.fill('Is it good?', 'You, with a yes or no', '');
  await laptop.reload();
  await hydrated(laptop);
  await expect(laptop.getByText('This is what you had begun.')).toBeVisible();
  await expect(laptop.getByLabel('Title').first()).toHaveValue('Report on mosses');
  await expect(laptop.getByLabel('Budget in dollars')).toHaveValue('2.50');
  await expect(tasks).toHaveCount(2);
  await expect(tasks.first().getByLabel('What is to be done')).toHaveValue('Say moss.');
  await expect(tasks.last().getByLabel('Done by')).toHaveValue('person');
  await expect(tasks.last().getByRole('checkbox', { name: 'Find moss' })).toBeChecked();
  await axe(laptop);
  await here.make();
  await expect(here.status).toContainText('Not started. 0 of 2 done.');
  await here.open('/pipelines/new');
  await expect(laptop.getByLabel('Title').first()).toHaveValue('');
  await expect(tasks).toHaveCount(1);

  await here.makeOf('title: T\nagent: Nobody\ntasks: []\n');
  await expect(here.failure).toContainText('There is no agent "Nobody".');
  await laptop.reload();
  await hydrated(laptop);
  await expect(laptop.getByLabel('The text')).toHaveValue('title: T\nagent: Nobody\ntasks: []\n');
});

test('what an agent made is reached from its conversation', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada', 'hub', ['pipeline_create', 'pipeline_status', 'pipeline_cancel']);
  const agent = new AgentPage(laptop);
  const tasks = [{ id: 'moss', title: 'Find moss', instruction: `turns: ${JSON.stringify([[{ text: '**Moss** is green.' }]])}` }];
  const turns = [[{ tool: 'pipeline_create', input: { title: 'Green', tasks } }], [{ text: 'It is under way.' }]];
  await agent.open(id);
  await agent.say(`turns: ${JSON.stringify(turns)}`);
  await agent.log.getByRole('link', { name: 'See the pipeline Green' }).first().click();
  await expect(laptop.getByRole('heading', { level: 1, name: 'Green' })).toBeVisible();
  const here = new PipelinesPage(laptop);
  await expect(here.row('Find moss')).toContainText('Done', LATER);
  await here.row('Find moss').getByText('Result').click();
  await expect(here.row('Find moss').locator('.prose strong')).toHaveText('Moss');
});

test('thirty tasks have a picture that can be read', async ({ laptop, endpoint }) => {
  await createAgent(laptop, endpoint, 'Ada');
  const here = new PipelinesPage(laptop);
  const task = (number: number) => {
    const after = number < 4 ? [] : [number - 4, number - 3].filter((other) => other % 7 !== 3);
    const instruction = number === 9 ? 'turns: [{"status":400,"type":"invalid_request_error","message":"No."}]' : number === 14 ? gated('Moss') : `Say ${number}.`;
    return { id: `t${number}`, title: `Step ${number} of the work`, instruction, depends_on: after.map((other) => `t${other}`) };
  };
  const tasks = Array.from({ length: 30 }, (_, number) => task(number));
  await here.open('/pipelines/new');
  await here.makeOf(JSON.stringify({ title: 'Thirty steps', agent: 'Ada', tasks }));
  await laptop.waitForURL(/\/pipelines\/[0-9a-f]{32}$/);
  await expect(here.picture.locator('.pipeline-node')).toHaveCount(30);
  await here.press('Start');
  await expect(here.picture.locator('[data-state="failed"] > text').first()).toHaveText(/Step 9/, LATER);
  await expect(here.picture.locator('.pipeline-node[data-state="running"]')).toHaveCount(1, LATER);
  await axe(laptop);
  await screens(laptop, 'pipeline-thirty');
  await here.press('Stop');
  await expect(here.status).toContainText('Stopped', LATER);
});
