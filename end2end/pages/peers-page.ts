import type { Locator } from '@playwright/test';
import { At } from './page.ts';

/** A person's peers, and the page of one of them. */
export class PeersPage extends At {
  protected readonly path = '/peers';

  private readonly main = this.page.getByRole('main');
  readonly problem = this.page.getByRole('alert');
  readonly done = this.page.getByRole('status');
  /** The peers, by name. */
  readonly peers = this.main.getByRole('row').filter({ has: this.page.getByRole('cell') });

  async add(name: string, url: string, { token = '' } = {}): Promise<void> {
    await this.main.getByLabel('Name', { exact: true }).fill(name);
    await this.main.getByLabel('Address', { exact: true }).fill(url);
    if (token) await this.main.getByLabel('Token, if it wants one').fill(token);
    await this.main.getByRole('button', { name: 'Add peer' }).click();
  }

  /** Presses a button that is about all of the peer. */
  async press(words: string): Promise<void> {
    await this.main.getByRole('button', { name: words, exact: true }).click();
  }

  agent(name: string): Locator {
    return this.main.getByRole('listitem').filter({ has: this.page.getByRole('heading', { name, exact: true }) });
  }

  async pressAt(words: string, agent: string): Promise<void> {
    await this.main.getByRole('button', { name: `${words}: ${agent}`, exact: true }).click();
  }

  /** Opens the question whether to remove it, and says yes. */
  async remove(): Promise<void> {
    await this.main.locator('summary', { hasText: 'Remove' }).click();
    await this.main.getByRole('button', { name: /^Remove it/ }).click();
  }
}
