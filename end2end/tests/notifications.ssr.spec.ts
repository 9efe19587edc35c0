// What happens while nobody looks: the bell, the list, of what one hears and where, with JavaScript switched off.

import { join } from 'node:path';
import { createAgent, expect, Hub, MailServer, Person, screens, test } from '../fixtures.ts';
import { ask } from '../fixtures/api.ts';
import { PushService } from '../fixtures/push-service.ts';
import { NotificationsPage, NotificationSettingsPage } from '../pages/notifications.ts';

test('the bell counts what happened while nobody looked, and the list says what', async ({ laptop, endpoint }) => {
  const page = new NotificationsPage(laptop);
  await page.open();
  await expect(laptop.getByRole('heading', { name: 'Nothing yet' })).toBeVisible();
  await screens(laptop, 'notifications-empty');
  const id = await createAgent(laptop, endpoint, 'Ada');
  for (const text of ['Hello', 'Hello again', 'Where does moss grow?']) await ask(laptop, id, text);
  await page.open();
  await expect(page.bell).toHaveAccessibleName('Notifications 3 new');
  await expect(page.list).toHaveCount(3);
  await page.list.first().getByRole('button', { name: 'Mark read' }).click();
  await expect(page.bell).toHaveAccessibleName('Notifications 2 new');
  await screens(laptop, 'notifications');
  await page.list.first().getByRole('link', { name: 'Ada is done' }).click();
  await expect(laptop).toHaveURL(new RegExp(`/agents/${id}/conversations/`));
  await page.open();
  await laptop.getByRole('button', { name: 'Mark all read' }).click();
  await expect(page.bell).toHaveAccessibleName('Notifications');
});

test('of what one hears is set, agents are muted, and the secret of a webhook is shown once', async ({ laptop, endpoint }) => {
  await createAgent(laptop, endpoint, 'Ada');
  const page = new NotificationSettingsPage(laptop);
  await page.open();
  await page.kind('An agent is done').uncheck();
  await laptop.getByLabel('From', { exact: true }).fill('22:00');
  await laptop.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.problem).toContainText('Write it like 22:00');
  await page.open();
  await page.kind('An agent is done').uncheck();
  await laptop.getByLabel('From', { exact: true }).fill('22:00');
  await laptop.getByLabel('Until', { exact: true }).fill('07:00');
  await laptop.getByLabel('Time zone').fill('Europe/Vienna');
  await laptop.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.done).toContainText('That is how you hear from now on.');
  await expect(page.kind('An agent is done')).not.toBeChecked();
  await expect(laptop.getByLabel('Time zone')).toHaveValue('Europe/Vienna');
  await laptop.getByRole('button', { name: 'Mute Ada' }).click();
  await expect(laptop.getByRole('button', { name: 'Unmute Ada' })).toBeVisible();

  await page.add('ntfy', `${endpoint.url}/moss`);
  await page.add('Webhook', `${endpoint.url}/hook`);
  await expect(page.secret).toHaveText(/^[\w-]{43}$/);
  await screens(laptop, 'notification-settings');
  await page.open();
  await expect(page.secret).toHaveCount(0);
  await page.channel('Webhook').getByRole('button', { name: /^Remove/ }).click();
  await expect(page.channel('Webhook')).toHaveCount(0);
  await expect(page.channel('ntfy')).toHaveCount(1);
});

test('a test shows whether a channel is reached, and says why one is not', async ({ laptop }) => {
  const service = await PushService.start();
  const page = new NotificationSettingsPage(laptop);
  await page.open();
  await page.add('ntfy', `${service.url}/moss`);
  await page.trySending(/^Send a test to/);
  await expect(page.done).toContainText('The test was sent.');
  await page.channel('ntfy').getByRole('button', { name: /^Remove/ }).click();
  await page.add('Webhook', `${service.url}/hook?answers=403`);
  await page.trySending(/^Send a test to/);
  await expect(page.problem).toContainText('answered 403');
  await expect(page.done).toHaveCount(0);
  service.end();
});

test('an address for mail is told nothing before its code is entered, and nothing after a press in a mail', async ({ browser, endpoint }, info) => {
  const mail = await MailServer.start();
  const hub = await Hub.start(join(info.project.outputDir, 'hub-mail.log'), { settings: mail.settings });
  const context = await browser.newContext({ baseURL: hub.url, javaScriptEnabled: false, viewport: { width: 1440, height: 900 } });
  const laptop = await (await Person.join(hub)).signIn(context);
  const id = await createAgent(laptop, endpoint, 'Ada');
  const page = new NotificationSettingsPage(laptop);
  await page.open();
  await page.add('Mail', 'ada@example.org');
  const row = page.channel('Mail').first();
  const code = /^\w{4}-\w{4}$/m.exec((await mail.mail(0)).text)![0];
  await row.getByLabel('Code from the mail').fill('0000-0000');
  await row.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.problem).toContainText('not the code');
  await screens(laptop, 'notification-mail');
  await row.getByLabel('Code from the mail').fill(code);
  await row.getByRole('button', { name: 'Confirm' }).click();
  await expect(row.getByLabel('Code from the mail')).toHaveCount(0);
  await ask(laptop, id, 'Hello');
  const link = (await mail.mail(1)).headers['list-unsubscribe']!.slice(1, -1);

  const elsewhere = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await elsewhere.goto(link);
  await screens(elsewhere, 'unsubscribe');
  await elsewhere.getByRole('button', { name: 'No more mail' }).click();
  await expect(elsewhere.getByRole('status')).toContainText('Nothing more is sent to that address');
  await page.open();
  await expect(page.channel('Mail')).toHaveCount(0);
  await elsewhere.context().close();
  await context.close();
  await hub.end();
  mail.end();
});
