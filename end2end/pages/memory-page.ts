import type { Locator } from '@playwright/test';
import { At } from './page.ts';

/** What is remembered of the person. */
export class MemoryPage extends At {
  protected readonly path = '/memory';

  readonly problem = this.page.getByRole('alert');
  readonly #add = this.page.getByRole('region', { name: 'Remember something' });
  readonly text = this.#add.getByRole('textbox', { name: 'What' });

  readonly #carry = this.page.getByRole('region', { name: 'Take along, and bring along' });
  readonly import = this.#carry.getByRole('textbox', { name: 'Memories' });
  readonly file = this.#carry.getByLabel('Choose a file');
  readonly export = this.#carry.getByRole('link', { name: 'Export as JSON' });
  /** What became of an import. */
  readonly imported = this.#carry.getByRole('status').first();

  /** Those in the section with this heading. */
  section(name: string): Locator {
    return this.page.getByRole('region', { name, exact: true }).getByRole('listitem');
  }

  memory(text: string): Locator {
    return this.page.getByRole('listitem').filter({ hasText: text });
  }

  async add(text: string, importance = 'Usual'): Promise<void> {
    await this.text.fill(text);
    await this.#add.getByRole('combobox', { name: 'Importance' }).selectOption(importance);
    await this.#add.getByRole('button', { name: 'Remember', exact: true }).click();
  }

  async bringAlong(): Promise<void> {
    await this.#carry.getByRole('button', { name: 'Import' }).click();
  }

  async change(from: string, to: string, workspace?: string): Promise<void> {
    const row = this.memory(from);
    await row.locator('summary').click();
    await row.getByRole('textbox', { name: 'What' }).fill(to);
    if (workspace) await row.getByRole('combobox', { name: 'Workspace' }).selectOption({ label: workspace });
    await row.getByRole('button', { name: 'Save' }).click();
  }

  async forget(text: string): Promise<void> {
    await this.page.getByRole('button', { name: `Forget: ${text}` }).click();
  }

  /** Says which of two holds. */
  async settle(which: string): Promise<void> {
    await this.page.getByRole('button', { name: which }).click();
  }

  async bringBack(text: string): Promise<void> {
    await this.page.getByRole('button', { name: `Bring back: ${text}` }).click();
  }

  async search(words: string): Promise<void> {
    await this.page.getByRole('searchbox', { name: 'Search memory' }).fill(words);
    await this.page.getByRole('main').getByRole('button', { name: 'Search', exact: true }).click();
  }
}
