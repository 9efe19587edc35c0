import type { Locator } from '@playwright/test';
import { At } from './page.ts';

/** The account page: devices, password, tokens. */
export class Account extends At {
  protected readonly path = '/account';

  readonly #password = this.page.getByRole('region', { name: 'Password' });
  readonly #tokens = this.page.getByRole('region', { name: 'API tokens' });

  readonly leave = this.page.getByRole('region', { name: 'Sign out' }).getByRole('button', { name: 'Sign out' });
  readonly secondFactor = this.page.getByRole('region', { name: 'Second factor' });
  readonly problem = this.page.getByRole('alert');
  readonly passwordDone = this.#password.getByRole('status');
  readonly newToken = this.#tokens.locator('code');

  token(name: string): Locator {
    return this.#tokens.getByRole('row').filter({ has: this.page.getByRole('cell', { name, exact: true }) });
  }

  async changePassword(current: string, next: string): Promise<void> {
    await this.#password.getByLabel('Current password').fill(current);
    await this.#password.getByLabel('New password').fill(next);
    await this.#password.getByRole('button', { name: 'Change the password' }).click();
  }

  /** With an amount a month, in dollars, or without a limit. */
  async createToken(name: string, may: 'Do what you can do' | 'Call models and agents' | 'Call models' = 'Call models and agents', month = '', words: 'Your own words' | 'Words of others' = 'Your own words'): Promise<void> {
    await this.#tokens.getByLabel('Name of a new token').fill(name);
    await this.#tokens.getByLabel('It may', { exact: true }).selectOption(may);
    await this.#tokens.getByLabel('What it says to agents are').selectOption(words);
    await this.#tokens.getByLabel('Spend in a month', { exact: true }).fill(month);
    await this.#tokens.getByRole('button', { name: 'Create token' }).click();
  }

  /** Without an amount there is no limit. */
  async limitToken(name: string, month: string): Promise<void> {
    await this.token(name).getByText('Change').click();
    await this.token(name).getByLabel(`Dollars that ${name} may spend in a month`).fill(month);
    await this.token(name).getByRole('button', { name: 'Save' }).click();
  }

  async revokeToken(name: string): Promise<void> {
    await this.#tokens.getByRole('button', { name: `Revoke ${name}` }).click();
  }

  /** Each by its label, in English. */
  async choose(looks: Partial<Record<'Language' | 'Colours' | 'Contrast' | 'Size of text', string>>): Promise<void> {
    const section = this.page.getByRole('region', { name: 'Appearance' });
    for (const [label, option] of Object.entries(looks)) await section.getByLabel(label, { exact: true }).selectOption(option);
    await section.getByRole('button', { name: 'Save' }).click();
  }

  /** Deletes the account, with its password. */
  async erase(password: string): Promise<void> {
    const section = this.page.getByRole('region', { name: 'Delete the account' });
    await section.getByLabel('Your password').fill(password);
    await section.getByRole('button', { name: 'Delete my account for good' }).click();
  }

  async signOut(): Promise<void> {
    await this.leave.click();
  }
}
