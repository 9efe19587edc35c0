import type { Locator } from '@playwright/test';
import { At } from './page.ts';

/** The keys that stay on this device, among the providers. */
export class DeviceKeys extends At {
  protected readonly path = '/providers';

  readonly section = this.page.getByRole('region', { name: 'Keys on this device' });
  readonly problem = this.section.getByRole('alert');
  readonly done = this.section.getByRole('status');
  readonly unlock = this.section.getByRole('button', { name: 'Unlock' });
  readonly lock = this.section.getByRole('button', { name: 'Lock now' });
  /** Asks for a key on whichever page the person is. */
  readonly wanted = this.page.getByRole('region', { name: /^A key is / });

  row(provider: string): Locator {
    return this.section.getByRole('row').filter({ has: this.page.getByRole('cell', { name: provider, exact: true }) });
  }

  /** Enters the key of a provider; the first one on a device comes with a passphrase. */
  async enter(provider: string, key: string, passphrase: { first?: string; again?: string } = {}): Promise<void> {
    await this.section.getByLabel('Provider', { exact: true }).selectOption({ label: provider });
    await this.section.getByLabel('Key for this device').fill(key);
    if (passphrase.first) {
      await this.section.getByLabel('A passphrase for the keys on this device').fill(passphrase.first);
      await this.section.getByLabel('The passphrase once more').fill(passphrase.again ?? passphrase.first);
    }
    await this.section.getByRole('button', { name: 'Keep it on this device' }).click();
  }

  /** Opens the keys where they are asked for. */
  async openWith(place: Locator, passphrase: string): Promise<void> {
    await place.getByLabel('Passphrase of this device').fill(passphrase);
    await place.getByRole('button', { name: 'Unlock' }).click();
  }

  async forget(provider: string): Promise<void> {
    await this.row(provider).locator('summary').click();
    await this.page.getByRole('button', { name: `Forget the key of ${provider}`, exact: true }).click();
  }
}
