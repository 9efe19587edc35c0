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
    await place.getByLabel('Passphrase of this device', { exact: true }).fill(passphrase);
    await place.getByRole('button', { name: 'Unlock' }).click();
  }

  /** Opens them where they are asked for, by the finger on the device. */
  async openWithPasskey(place: Locator): Promise<void> {
    await place.getByRole('button', { name: 'Use the passkey' }).click();
  }

  /** What says whether a passkey opens them. */
  readonly passkey = this.section.locator('details').filter({ hasText: 'Open the keys with a passkey' });

  async unfoldPasskey(): Promise<void> {
    if (!(await this.passkey.evaluate((fold: HTMLDetailsElement) => fold.open))) await this.passkey.locator('summary').click();
  }

  async addPasskey(passphrase: string): Promise<void> {
    await this.unfoldPasskey();
    await this.passkey.getByLabel('The passphrase of this device').fill(passphrase);
    await this.passkey.getByRole('button', { name: 'Add a passkey' }).click();
  }

  async dropPasskey(): Promise<void> {
    await this.unfoldPasskey();
    await this.passkey.getByRole('button', { name: 'Take the passkey back' }).click();
  }

  async changePassphrase(old: string, next: string): Promise<void> {
    const fold = this.section.locator('details').filter({ hasText: 'Change the passphrase of this device' });
    await fold.locator('summary').click();
    await fold.getByLabel('The passphrase that it has now').fill(old);
    await fold.getByLabel('The new one').fill(next);
    await fold.getByRole('button', { name: 'Change the passphrase' }).click();
  }

  async forget(provider: string): Promise<void> {
    await this.row(provider).locator('summary').click();
    await this.page.getByRole('button', { name: `Forget the key of ${provider}`, exact: true }).click();
  }
}
