import type { Locator } from '@playwright/test';
import { At } from './page.ts';

/** What happened while the person looked elsewhere. */
export class NotificationsPage extends At {
  protected readonly path = '/notifications';

  readonly bell = this.page.getByRole('banner').getByRole('link', { name: /^Notifications/ });
  /** The newest first. */
  readonly list = this.page.getByRole('main').getByRole('listitem');
}

/** Of what the person hears, and where. */
export class NotificationSettingsPage extends At {
  protected readonly path = '/notifications/settings';

  kind(words: string): Locator {
    return this.page.getByRole('checkbox', { name: words });
  }
}
