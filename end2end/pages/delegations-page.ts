import type { Locator } from '@playwright/test';
import { hydrated, On } from './page.ts';

/** What agents asked each other and sub-agents of theirs. */
export class DelegationsPage extends On {
  readonly rows: Locator = this.page.locator('.schedule');
  readonly none = this.page.getByText('Nothing yet.');

  async open(agent?: string): Promise<void> {
    await this.page.goto(agent ? `/agents/${agent}/delegations` : '/delegations');
    await hydrated(this.page);
  }

  row(name: string): Locator {
    return this.page.getByRole('listitem', { name, exact: true });
  }

  async stop(name: string): Promise<void> {
    await this.page.getByRole('button', { name: `Stop ${name}` }).click();
  }

  async stopAll(name: string): Promise<void> {
    await this.page.getByRole('button', { name: `Stop all that came of it: ${name}` }).click();
  }
}
