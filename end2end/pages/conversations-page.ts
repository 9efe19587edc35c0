import type { Locator } from '@playwright/test';
import { hydrated, On } from './page.ts';

/** The list of an agent's conversations. */
export class ConversationsPage extends On {
  readonly rows = this.page.locator('.conversation-row');
  readonly names = this.rows.locator('.conversation-name');
  /** That one was deleted, and the press that takes that back. */
  readonly told = this.page.getByRole('status').filter({ hasText: 'is deleted.' });
  readonly undo = this.told.getByRole('button', { name: 'Undo' });
  readonly create = this.page.getByRole('button', { name: 'New conversation' });

  async open(agent: string): Promise<void> {
    await this.page.goto(`/agents/${agent}/conversations`);
  }

  async isReady(): Promise<void> {
    await hydrated(this.page);
  }

  row(name: string): Locator {
    return this.rows.filter({ hasText: name });
  }

  async show(which: 'All' | 'Archived' | 'Deleted'): Promise<void> {
    const link = this.page.getByRole('link', { name: which, exact: true });
    await link.click();
    await link.and(this.page.locator('[aria-current="true"]')).waitFor();
  }

  /** Opens what can be done with one. */
  async unfold(name: string): Promise<void> {
    await this.page.getByLabel(`Change ${name}`).click();
  }

  async rename(name: string, to: string): Promise<void> {
    await this.unfold(name);
    await this.row(name).getByRole('textbox', { name: 'Name' }).fill(to);
    await this.row(name).getByRole('button', { name: 'Rename' }).click();
  }

  async press(name: string, what: string): Promise<void> {
    await this.unfold(name);
    await this.row(name).getByRole('button', { name: what }).click();
  }
}
