import type { Locator } from '@playwright/test';
import { At } from './page.ts';

/** What happened while the person looked elsewhere. */
export class NotificationsPage extends At {
  protected readonly path = '/notifications';

  readonly bell = this.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Notifications/ });
  /** The newest first. */
  readonly list = this.page.getByRole('main').getByRole('listitem');
}

/** Of what the person hears, and where. */
export class NotificationSettingsPage extends At {
  protected readonly path = '/notifications/settings';

  readonly problem = this.page.getByRole('alert').filter({ visible: true });
  readonly done = this.page.getByRole('status');
  /** What is shown once. */
  readonly secret = this.page.locator('.secret-value');

  kind(words: string): Locator {
    return this.page.getByRole('checkbox', { name: words });
  }

  channel(kind: string): Locator {
    return this.page.getByRole('row').filter({ has: this.page.getByRole('cell', { name: kind, exact: true }) });
  }

  /** Sends a test to what is called so. */
  async trySending(name: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name }).click();
  }

  async add(kind: string, address: string): Promise<void> {
    await this.page.getByRole('radio', { name: kind }).check();
    await this.page.getByRole('textbox', { name: 'Address' }).fill(address);
    await this.page.getByRole('button', { name: 'Add this place', exact: true }).click();
  }
}
