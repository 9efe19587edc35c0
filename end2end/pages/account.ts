import type { Locator } from '@playwright/test';
import { Limits } from './limits.ts';
import { At } from './page.ts';

/** The account page: password, tokens, and for administrators invitations. */
export class Account extends At {
  protected readonly path = '/account';

  readonly #password = this.page.getByRole('region', { name: 'Password' });
  readonly #tokens = this.page.getByRole('region', { name: 'API tokens' });
  readonly #people = this.page.getByRole('region', { name: 'People' });

  readonly #limits = this.page.getByRole('region', { name: 'Limits on spending' });

  readonly problem = this.page.getByRole('alert');
  readonly passwordDone = this.#password.getByRole('status');
  readonly newToken = this.#tokens.locator('code');
  readonly invitation = this.#people.locator('code');

  readonly limitsSaved = this.#limits.getByRole('status');

  /** What administrators let a person spend, or `Everybody`. */
  limits(name: string): Locator {
    return this.#limits.locator('details').filter({ has: this.page.getByText(name, { exact: true }) });
  }

  /** Opens it. */
  async limitsOf(name: string): Promise<Limits> {
    await this.limits(name).locator('summary').click();
    return new Limits(this.limits(name));
  }

  token(name: string): Locator {
    return this.#tokens.getByRole('row').filter({ has: this.page.getByRole('cell', { name, exact: true }) });
  }

  async changePassword(current: string, next: string): Promise<void> {
    await this.#password.getByLabel('Current password').fill(current);
    await this.#password.getByLabel('New password').fill(next);
    await this.#password.getByRole('button', { name: 'Change the password' }).click();
  }

  async createToken(name: string): Promise<void> {
    await this.#tokens.getByLabel('Name of a new token').fill(name);
    await this.#tokens.getByRole('button', { name: 'Create token' }).click();
  }

  async revokeToken(name: string): Promise<void> {
    await this.#tokens.getByRole('button', { name: `Revoke ${name}` }).click();
  }

  async invite(): Promise<void> {
    await this.#people.getByRole('button', { name: 'Create invitation link' }).click();
  }

  async signOut(): Promise<void> {
    await this.page.getByRole('region', { name: 'Sign out' }).getByRole('button', { name: 'Sign out' }).click();
  }
}
