// What happens while nobody looks: the bell, the list, of what one hears and where, with JavaScript switched off.

import { createAgent, expect, screens, test } from '../fixtures.ts';
import { ask } from '../fixtures/api.ts';
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
