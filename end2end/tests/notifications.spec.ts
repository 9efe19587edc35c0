// A device that is notified, and answers from the notification.

import type { CDPSession, Page, Worker as ServiceWorker } from '@playwright/test';
import { createAgent, expect, screens, test } from '../fixtures.ts';
import { post } from '../fixtures/api.ts';
import { PushService } from '../fixtures/push-service.ts';
import { NotificationSettingsPage, NotificationsPage } from '../pages/notifications.ts';
import { Schedules } from '../pages/schedules.ts';

const SET = `turns: ${JSON.stringify([[{ tool: 'state', input: { action: 'set', key: 'a', value: 1 } }], [{ text: 'Done.' }]])}`;

test('what a schedule asks at night is allowed on a phone with no page open, and the morning shows it all', async ({ laptop, phone, endpoint, hub }) => {
  const service = await PushService.start();
  await phone.context().grantPermissions(['notifications'], { origin: hub.url });
  // Chromium has no push service to ask here.
  await phone.addInitScript((made) => {
    PushManager.prototype.subscribe = () => Promise.resolve({ toJSON: () => made } as unknown as PushSubscription);
  }, await service.subscription());
  await new NotificationSettingsPage(phone).open();
  await phone.getByRole('checkbox', { name: /Allow and deny calls/ }).check();
  await phone.getByRole('button', { name: 'Notify this device' }).click();
  await expect(phone.getByText('This device is notified from now on.')).toBeVisible();
  const worker = await workerOf(phone);

  // Its browser has lost the subscription, and has another one with the next page.
  const second = await service.subscription();
  await phone.addInitScript((made) => {
    PushManager.prototype.subscribe = () => Promise.resolve({ toJSON: () => made } as unknown as PushSubscription);
  }, second);
  const renewed = phone.waitForResponse(
    (answer) => answer.url().endsWith('/push_renew') && (answer.request().postData() ?? '').includes(second.endpoint),
  );
  await phone.reload();
  expect((await renewed).ok()).toBe(true);

  const id = await createAgent(phone, endpoint, 'Ada');
  await post(phone, 'policy/add', [['agent', id], ['tool', 'state'], ['verdict', 'ask']]);
  const due = new Date(Date.now() + 3000).toISOString().slice(0, 19);
  const draft = { name: 'Night watch', message: SET, kind: 'once', at: due, zone: 'UTC' };
  const fields = Object.entries(draft).map(([name, value]): [string, string] => [`draft[${name}]`, value]);
  await post(phone, 'schedules/create', [['agent', id], ...fields]);
  await phone.goto('about:blank');

  const [message] = await service.until(1);
  await worker.deliver(hub.url, JSON.stringify(message));
  expect(await worker.shown()).toEqual([{ title: 'Ada wants to use state', actions: ['once', 'deny'] }]);
  await worker.press('once');
  const [, end] = await service.until(2);
  expect(end).toMatchObject({ notification: { title: 'Ada is done' } });

  await worker.deliver(hub.url, JSON.stringify(end));
  expect(await worker.shown()).toEqual([{ title: 'Ada is done', actions: ['reply'] }]);
  await worker.press('reply', 'And now?');
  const [, , answered] = await service.until(3);
  expect(answered).toMatchObject({ notification: { title: 'Ada is done', body: 'You said: And now?' } });
  // The push service gives up that one while no page is looked at.
  await worker.changeSubscription(await service.subscription());
  const renewals = async (): Promise<number> => {
    const audit = await (await laptop.request.get(`${hub.url}/api/audit/own?action=push_on`)).json();
    return (audit as { lines: unknown[] }).lines.length;
  };
  await expect.poll(renewals).toBe(3);
  expect(await service.endpoints()).toEqual([second.endpoint, second.endpoint, second.endpoint]);

  const schedules = new Schedules(laptop);
  await schedules.open(id);
  const { history } = await schedules.edit('Night watch');
  await expect(history.getByRole('row')).toContainText(['Due', /Its time.*done.*\$0/]);
  const told = new NotificationsPage(laptop);
  await told.open();
  await expect(told.list).toContainText(['Ada is done', 'Ada is done', 'Ada wants to use state']);
  await new NotificationSettingsPage(laptop).open();
  await screens(laptop, 'notification-devices');
  service.end();
});

test('a device that is notified shows the test that its person sends there', async ({ phone, hub }) => {
  const service = await PushService.start();
  await phone.context().grantPermissions(['notifications'], { origin: hub.url });
  await phone.addInitScript((made) => {
    PushManager.prototype.subscribe = () => Promise.resolve({ toJSON: () => made } as unknown as PushSubscription);
  }, await service.subscription());
  const page = new NotificationSettingsPage(phone);
  await page.open();
  await phone.getByRole('button', { name: 'Notify this device' }).click();
  await expect(phone.getByText('This device is notified from now on.')).toBeVisible();
  const worker = await workerOf(phone);
  await page.trySending(/^Send a test to/);
  await expect(phone.getByText('The test was sent.')).toBeVisible();
  const [message] = await service.until(1);
  await worker.deliver(hub.url, JSON.stringify(message));
  expect(await worker.shown()).toEqual([{ title: 'A test: notifications of Vivarium reach you here', actions: [] }]);
  service.end();
});

test('where something waits, a device is offered once that it is notified', async ({ laptop, endpoint }) => {
  await laptop.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'default' }));
  const id = await createAgent(laptop, endpoint, 'Ada');
  await post(laptop, 'policy/add', [['agent', id], ['tool', 'state'], ['verdict', 'ask']]);
  await post(laptop, 'agents/send', [['agent', id], ['text', SET]]);
  await laptop.goto('/');
  const offer = laptop.getByRole('note').getByRole('link', { name: 'Notify this device' });
  await expect(offer).toHaveAttribute('href', '/notifications/settings#devices');
  await laptop.getByRole('button', { name: 'Not now' }).click();
  await expect(offer).toHaveCount(0);
  await laptop.reload();
  await expect(laptop.getByRole('list', { name: 'Needs you' })).toContainText('wants to use');
  await expect(offer).toHaveCount(0);
});

/** The worker of the hub, as the browser's own tools reach it. */
async function workerOf(page: Page): Promise<Worker> {
  const session = await page.context().newCDPSession(page);
  const registration = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  return new Worker(page, session, await registration);
}

class Worker {
  constructor(
    private readonly page: Page,
    private readonly session: CDPSession,
    private readonly registration: string,
  ) {}

  async deliver(origin: string, data: string): Promise<void> {
    await this.session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: this.registration, data });
  }

  /** What it shows, once it shows something. */
  async shown(): Promise<{ title: string; actions: string[] }[]> {
    return this.worker().evaluate(async () => {
      const { registration } = self as unknown as ServiceWorkerGlobalScope;
      for (;;) {
        const shown = await registration.getNotifications();
        if (shown.length > 0) {
          return shown.map((one) => ({
            title: one.title,
            actions: (one as unknown as { actions: { action: string }[] }).actions.map(({ action }) => action),
          }));
        }
        await new Promise((next) => setTimeout(next));
      }
    });
  }

  /** Presses a button of the one that is shown, where this was written first. */
  async press(action: string, reply?: string): Promise<void> {
    await this.worker().evaluate(async (pressed: { action: string; reply?: string }) => {
      const scope = self as unknown as ServiceWorkerGlobalScope;
      const [notification] = await scope.registration.getNotifications();
      if (!notification) throw new Error('nothing is shown');
      scope.dispatchEvent(new NotificationEvent('notificationclick', { notification, ...pressed }));
    }, { action, reply });
  }

  /** Gives the browser this subscription in place of the one that it has. */
  async changeSubscription(made: Awaited<ReturnType<PushService['subscription']>>): Promise<void> {
    await this.worker().evaluate((next) => {
      PushManager.prototype.subscribe = () => Promise.resolve({ toJSON: () => next } as unknown as PushSubscription);
      const scope = self as unknown as ServiceWorkerGlobalScope;
      scope.dispatchEvent(new ExtendableEvent('pushsubscriptionchange'));
    }, made);
  }

  private worker(): ServiceWorker {
    const worker = this.page.context().serviceWorkers().at(-1);
    if (!worker) throw new Error('there is no worker');
    return worker;
  }
}

interface ServiceWorkerGlobalScope {
  registration: { getNotifications(): Promise<Notification[]> };
  dispatchEvent(event: Event): boolean;
}

declare const ExtendableEvent: new (name: string) => Event;
declare const NotificationEvent: new (name: string, init: { notification: Notification; action: string; reply?: string }) => Event;
