// A device that is notified, and answers from the notification.

import type { CDPSession, Page } from '@playwright/test';
import { createAgent, expect, screens, test } from '../fixtures.ts';
import { post } from '../fixtures/api.ts';
import { PushService } from '../fixtures/push-service.ts';
import { NotificationSettingsPage } from '../pages/notifications.ts';

const SET = `turns: ${JSON.stringify([[{ tool: 'state', input: { action: 'set', key: 'a', value: 1 } }], [{ text: 'Done.' }]])}`;

test('a device that wants to be notified shows what it is sent, and answers with no page open', async ({ laptop, endpoint, hub }) => {
  const service = await PushService.start();
  await laptop.context().grantPermissions(['notifications'], { origin: hub.url });
  // Chromium has no push service to ask here.
  await laptop.addInitScript((made) => {
    PushManager.prototype.subscribe = () => Promise.resolve({ toJSON: () => made } as unknown as PushSubscription);
  }, await service.subscription());
  const settings = new NotificationSettingsPage(laptop);
  await settings.open();
  await laptop.getByRole('checkbox', { name: /Allow and deny calls/ }).check();
  await laptop.getByRole('button', { name: 'Notify this device' }).click();
  await expect(laptop.getByText('This device is notified from now on.')).toBeVisible();
  const worker = await workerOf(laptop);

  // Its browser has lost the subscription, and has another one with the next page.
  const second = await service.subscription();
  await laptop.addInitScript((made) => {
    PushManager.prototype.subscribe = () => Promise.resolve({ toJSON: () => made } as unknown as PushSubscription);
  }, second);
  const renewed = laptop.waitForResponse(
    (answer) => answer.url().endsWith('/push_renew') && (answer.request().postData() ?? '').includes(second.endpoint),
  );
  await laptop.reload();
  expect((await renewed).ok()).toBe(true);

  const id = await createAgent(laptop, endpoint, 'Ada');
  await post(laptop, 'policy/add', [['agent', id], ['tool', 'state'], ['verdict', 'ask']]);
  await post(laptop, 'agents/send', [['agent', id], ['text', SET]]);
  const [message] = await service.until(1);
  await worker.deliver(hub.url, JSON.stringify(message));
  const shown = await worker.shown();
  expect(shown).toEqual([{ title: 'Ada wants to use state', actions: ['once', 'deny'] }]);
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
  await screens(laptop, 'notification-devices');
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
    return this.page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
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
    const [worker] = this.page.context().serviceWorkers();
    if (!worker) throw new Error('there is no worker');
    await worker.evaluate(async (pressed: { action: string; reply?: string }) => {
      const scope = self as unknown as ServiceWorkerGlobalScope;
      const [notification] = await scope.registration.getNotifications();
      if (!notification) throw new Error('nothing is shown');
      scope.dispatchEvent(new NotificationEvent('notificationclick', { notification, ...pressed }));
    }, { action, reply });
  }

  /** Gives the browser this subscription in place of the one that it has. */
  async changeSubscription(made: Awaited<ReturnType<PushService['subscription']>>): Promise<void> {
    const [worker] = this.page.context().serviceWorkers();
    if (!worker) throw new Error('there is no worker');
    await worker.evaluate((next) => {
      PushManager.prototype.subscribe = () => Promise.resolve({ toJSON: () => next } as unknown as PushSubscription);
      const scope = self as unknown as ServiceWorkerGlobalScope;
      scope.dispatchEvent(new ExtendableEvent('pushsubscriptionchange'));
    }, made);
  }
}

interface ServiceWorkerGlobalScope {
  registration: { getNotifications(): Promise<Notification[]> };
  dispatchEvent(event: Event): boolean;
}

declare const ExtendableEvent: new (name: string) => Event;
declare const NotificationEvent: new (name: string, init: { notification: Notification; action: string; reply?: string }) => Event;
