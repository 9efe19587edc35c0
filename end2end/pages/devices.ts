import type { Locator } from '@playwright/test';
import { At } from './page.ts';

/** The signed-in browsers of a person, on the account page. */
export class Devices extends At {
  protected readonly path = '/account';

  readonly devices = this.page
    .getByRole('region', { name: 'Devices', exact: true })
    .getByRole('row')
    .filter({ hasNot: this.page.getByRole('columnheader') });
  readonly current = this.devices.filter({ hasText: 'This device' });
  readonly others = this.devices.filter({ hasNotText: 'This device' });

  async revoke(device: Locator): Promise<void> {
    await device.getByRole('button', { name: /^Revoke/ }).click();
  }
}
