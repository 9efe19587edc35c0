import type { Locator } from '@playwright/test';
import { hydrated, On } from './page.ts';

/** Where a file of another product is chosen, and what is in it. */
export class ImportPage extends On {
  readonly failure = this.page.getByRole('alert');
  readonly choices = this.page.getByRole('group', { name: 'Conversations' });
  readonly left = this.page.getByRole('list', { name: 'What does not fit' });
  readonly imported = this.page.getByRole('region', { name: 'Brought in' });
  readonly nothing = this.page.getByText('The file has nothing more to bring in.');

  async open(): Promise<void> {
    await this.page.goto('/import');
    await hydrated(this.page);
  }

  async look(name: string, text: string): Promise<void> {
    await this.page.getByLabel('Export').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
    await this.page.getByRole('button', { name: 'Look inside' }).click();
    await this.page.waitForURL((url) => url.pathname.startsWith('/import/'));
    await hydrated(this.page);
  }

  choice(title: string): Locator {
    return this.choices.getByRole('checkbox', { name: title });
  }

  async bringInto(agent: string): Promise<void> {
    await this.page.getByLabel('Import into').selectOption({ label: agent });
    await this.page.getByRole('button', { name: 'Import', exact: true }).click();
  }
}
