import type { Locator } from '@playwright/test';
import { At } from './page.ts';

/** The overview of all settings, and what leads back to it. */
export class SettingsPage extends At {
  protected readonly path = '/settings';

  readonly field = this.page.getByRole('searchbox', { name: 'Find a setting' });
  readonly settings = this.page.getByRole('main').getByRole('listitem');
  readonly nothing = this.page.getByText('No setting fits these words.');
  /** Beside each page of settings. */
  readonly beside = this.page.getByRole('navigation', { name: 'Settings' });
  readonly back = this.beside.getByRole('link', { name: 'Settings', exact: true });
  readonly backToTheHub = this.beside.getByRole('link', { name: 'The hub', exact: true });

  row(name: string): Locator {
    return this.settings.filter({ has: this.page.getByRole('link', { name, exact: true }) });
  }

  setting(name: string): Locator {
    return this.page.getByRole('main').getByRole('link', { name, exact: true });
  }

  /** Another one, beside the one that is open. */
  other(name: string): Locator {
    return this.beside.getByRole('link', { name, exact: true });
  }
}
