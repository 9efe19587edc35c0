import type { Locator } from '@playwright/test';
import { Endpoint } from '../fixtures/endpoint.ts';
import { At } from './page.ts';

export interface ProviderDraft {
  name: string;
  kind: 'Anthropic' | 'OpenAI-compatible' | "The browser's own";
  baseUrl: string;
  /** Nothing is typed into a field that stays empty. */
  key: string;
  /** Who calls it. */
  reach?: 'The hub' | 'This browser' | 'My devices, with a key that stays there';
}

/** The endpoint of the tests, as the form takes it. */
export function providerAt(endpoint: Endpoint): ProviderDraft {
  return { name: 'Brook', kind: 'Anthropic', baseUrl: endpoint.url, key: Endpoint.key };
}

export class Providers extends At {
  protected readonly path = '/providers';

  readonly problem = this.page.getByRole('alert');
  readonly done = this.page.getByRole('status');
  readonly form = this.page.locator('form', { has: this.page.getByRole('textbox', { name: /^Base URL/ }) });

  /** A provider in the list. */
  provider(name: string): Locator {
    return this.page.getByRole('row').filter({ has: this.page.getByRole('cell', { name, exact: true }) });
  }

  async add(draft: ProviderDraft): Promise<void> {
    await this.fill(draft);
    await this.save();
    await this.provider(draft.name).waitFor();
  }

  async fill(draft: ProviderDraft): Promise<void> {
    await this.form.getByRole('radio', { name: draft.kind }).check();
    await this.form.getByLabel('Name', { exact: true }).fill(draft.name);
    await this.form.getByRole('textbox', { name: /^Base URL/ }).fill(draft.baseUrl);
    if (draft.key) await this.form.getByLabel('Key', { exact: true }).fill(draft.key);
    if (draft.reach) await this.form.getByRole('radio', { name: draft.reach }).check();
  }

  async save(): Promise<void> {
    await this.form.getByRole('button', { name: 'Save' }).click();
  }

  /** Asks the hub to try the provider. */
  async test(name: string): Promise<void> {
    await this.page.getByRole('button', { name: `Test connection to ${name}` }).click();
  }

  /** Tries, from this browser, the provider that it calls by itself. */
  async testHere(name: string): Promise<void> {
    await this.page.getByRole('button', { name: `Test connection to ${name} from this browser` }).click();
  }

  /** Opens the question whether to delete it, and says yes. */
  async delete(name: string): Promise<void> {
    await this.provider(name).locator('summary').click();
    await this.page.getByRole('button', { name: `Delete ${name} and its key` }).click();
  }
}
