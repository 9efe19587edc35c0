// Money while the page is open: the cost in the bar and on the card, and a run that a raised limit lets go on.

import { createAgent, expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { BudgetPage } from '../pages/budget-page.ts';
import { Dashboard } from '../pages/dashboard.ts';

test('what a call cost is on the bar and on the card when it is made', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const budget = new BudgetPage(laptop);
  await budget.open(id);
  await budget.limits.set('One day', '1');
  const agent = new AgentPage(laptop);
  await agent.isReady();
  await expect(agent.cost).toHaveText('Budget: $0.00 of $1.00 today');
  const dashboard = new Dashboard(phone);
  await dashboard.open();

  await agent.say('Hello');
  await expect(agent.cost).toHaveText(/^Budget: \$0\.00\d*[1-9]\d* of \$1\.00 today$/);
  await expect(dashboard.card('Ada')).toContainText(/\$0\.00\d*[1-9]\d* of \$1\.00 today/);
  await agent.cost.click();
  await expect(budget.today).toHaveAttribute('aria-valuetext', /of \$1\.00$/);
});

test('an amount that the hub refuses stays in its field', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const budget = new BudgetPage(laptop);
  await budget.open(id);
  await budget.limits.field('One day').evaluate((field) => field.removeAttribute('pattern'));
  await budget.limits.set('One day', 'five');
  await expect(laptop.getByRole('alert')).toContainText('"five" is not an amount of money. Write dollars, like 0.25.');
  await expect(budget.limits.field('One day')).toHaveValue('five');
});

test('somebody who watches sees a stopped run go on when another device raises the limit', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada');
  const elsewhere = new BudgetPage(phone);
  await elsewhere.open(id);
  await elsewhere.limits.set('One run', '0.01');
  await expect(phone).toHaveURL(`/agents/${id}`);
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.say('Hello');
  await expect(agent.notice('This agent may spend $0.01 a run.')).toBeVisible();
  await expect(laptop.getByText('Waiting for you')).toBeVisible();

  await elsewhere.open(id);
  await elsewhere.limits.set('One run', '');
  await expect(agent.messages.last()).toHaveText('You said: Hello');
  await expect(agent.retry).toHaveCount(0);
});

test('what a call cost is under the bar and on the card of a phone too', async ({ phone, endpoint }) => {
  const id = await createAgent(phone, endpoint, 'Ada');
  const budget = new BudgetPage(phone);
  await budget.open(id);
  await budget.limits.set('One day', '1');
  const agent = new AgentPage(phone);
  await agent.isReady();
  await agent.say('Hello');
  await expect(agent.cost).toHaveText(/^Budget: \$0\.00\d*[1-9]\d* of \$1\.00 today$/);
  await expect(agent.cost).toBeInViewport({ ratio: 1 });
  const dashboard = new Dashboard(phone);
  await dashboard.open();
  await expect(dashboard.card('Ada')).toContainText(/\$0\.00\d*[1-9]\d* of \$1\.00 today/);
});

test('a run at home in a browser goes on in its tab when another device raises the limit', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Ada', 'browser');
  const elsewhere = new BudgetPage(phone);
  await elsewhere.open(id);
  await elsewhere.limits.set('One run', '0.01');
  await expect(phone).toHaveURL(`/agents/${id}`);
  await new Dashboard(phone).open();
  const agent = new AgentPage(laptop);
  await agent.open(id);
  await agent.say('Hello');
  await expect(agent.notice('This agent may spend $0.01 a run.')).toBeVisible();
  await expect(laptop.getByText('Waiting for you')).toBeVisible();

  await elsewhere.open(id);
  await elsewhere.limits.set('One run', '');
  await expect(agent.messages.last()).toHaveText('You said: Hello');
  await expect(agent.loops).toHaveCount(1);
  await expect(new AgentPage(phone).loops).toHaveCount(0);
  await expect(agent.retry).toHaveCount(0);
});
