import type { CDPSession, Locator, Page } from '@playwright/test';
import { On } from './page.ts';

/** The passkeys of the account page. */
export class Passkeys extends On {
  readonly section = this.page.getByRole('region', { name: 'Passkeys' });
  readonly kept = this.section.getByRole('status');
  readonly problem = this.section.getByRole('alert');

  passkey(name: string): Locator {
    return this.section.getByRole('row').filter({ has: this.page.getByRole('cell', { name, exact: true }) });
  }

  async make(name: string, password: string): Promise<void> {
    await this.section.getByLabel('Name of a new passkey').fill(name);
    await this.section.getByLabel('Your password').fill(password);
    await this.section.getByRole('button', { name: 'Make a passkey' }).click();
  }

  async remove(name: string): Promise<void> {
    await this.section.getByRole('button', { name: `Remove ${name}` }).click();
  }
}

/** A device that holds passkeys, plugged into a page. */
export class Device {
  private constructor(
    private readonly cdp: CDPSession,
    private readonly id: string,
  ) {}

  /** With `hasPrf` its passkeys have secrets to give. */
  static async of(page: Page, { hasPrf = false } = {}): Promise<Device> {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        ctap2Version: 'ctap2_1',
        hasPrf,
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: false,
      },
    });
    return new Device(cdp, authenticatorId);
  }

  /** Whether a finger is laid on it from now on. */
  async touched(enabled: boolean): Promise<void> {
    await this.cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: this.id, enabled });
  }

  /** Whether it knows that finger. */
  async knows(isUserVerified: boolean): Promise<void> {
    await this.cdp.send('WebAuthn.setUserVerified', { authenticatorId: this.id, isUserVerified });
  }

  /** What it holds, taken out as a thief would. */
  async credentials() {
    const { credentials } = await this.cdp.send('WebAuthn.getCredentials', { authenticatorId: this.id });
    return credentials;
  }

  async put(credential: Awaited<ReturnType<Device['credentials']>>[number]): Promise<void> {
    await this.cdp.send('WebAuthn.addCredential', { authenticatorId: this.id, credential });
  }

  async empty(): Promise<void> {
    await this.cdp.send('WebAuthn.clearCredentials', { authenticatorId: this.id });
  }
}
