import type { Locator } from '@playwright/test';
import { At } from './page.ts';

/** Where a person's agents search the web. */
export class WebSearchPage extends At {
  protected readonly path = '/web-search';

  readonly problem = this.page.getByRole('alert');
  readonly done = this.page.getByRole('status');
  /** The sources, in their order. */
  readonly sources = this.page.getByRole('row').filter({ has: this.page.getByRole('cell') });
  readonly #form = this.page.locator('form', { has: this.page.getByRole('textbox', { name: /^Address/ }) });

  source(name: string): Locator {
    return this.sources.filter({ has: this.page.getByRole('cell', { name, exact: true }) });
  }

  async add(kind: string, { url = '', key = '' } = {}): Promise<void> {
    await this.#form.getByRole('radio', { name: kind }).check();
    await this.#form.getByRole('textbox', { name: /^Address/ }).fill(url);
    if (key) await this.#form.getByLabel('Key', { exact: true }).fill(key);
    await this.#form.getByRole('button', { name: 'Add source' }).click();
  }

  /** The search that a provider has itself. */
  async addProvider(provider: string, model: string): Promise<void> {
    await this.#form.getByRole('radio', { name: "A provider's own search" }).check();
    await this.#form.getByRole('combobox', { name: /^Provider/ }).selectOption(provider);
    await this.#form.getByRole('textbox', { name: /^Model/ }).fill(model);
    await this.#form.getByRole('button', { name: 'Add source' }).click();
  }

  async test(name: string): Promise<void> {
    await this.page.getByRole('button', { name: `Test ${name}` }).click();
  }

  async up(name: string): Promise<void> {
    await this.page.getByRole('button', { name: `Up: ${name}` }).click();
  }

  /** Opens the question whether to remove it, and says yes. */
  async remove(name: string): Promise<void> {
    await this.source(name).locator('summary').click();
    await this.source(name).getByRole('button', { name: 'Remove it' }).click();
  }
}
