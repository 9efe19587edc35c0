import type { Locator } from '@playwright/test';
import { At } from './page.ts';

/** What agents are told around what a person says. */
export class PersonContextPage extends At {
  protected readonly path = '/context';

  readonly problem = this.page.getByRole('alert');
  readonly #sources = this.page.getByRole('region', { name: 'Sources' });
  readonly #keys = this.page.getByRole('region', { name: 'Keys' });
  readonly said = this.page.getByRole('region', { name: 'What your agents said lately' }).getByRole('listitem');
  readonly keys = this.#keys.getByRole('listitem');
  readonly keyValue = this.#keys.getByRole('textbox', { name: 'Value' }).last();

  source(name: string): Locator {
    return this.#sources.getByRole('listitem', { name });
  }

  async turnOn(name: string): Promise<void> {
    await this.page.getByRole('button', { name: `Turn on: ${name}` }).click();
  }

  async turnOff(name: string): Promise<void> {
    await this.page.getByRole('button', { name: `Turn off: ${name}` }).click();
  }

  /** Turns on what has to be entered; without a text it stays as the browser filled it in. */
  async enter(name: string, text?: string): Promise<void> {
    const row = this.source(name);
    await row.locator('summary').click();
    if (text !== undefined) await row.getByRole('textbox').fill(text);
    await row.getByRole('button', { name: 'Turn on', exact: true }).click();
  }

  async find(): Promise<void> {
    const row = this.source('Place');
    await row.locator('summary').click();
    await row.getByRole('button', { name: 'Find it by this device' }).click();
  }

  async note(name: string, value: string): Promise<void> {
    await this.#keys.getByRole('textbox', { name: 'Name' }).fill(name);
    await this.keyValue.fill(value);
    await this.#keys.getByRole('button', { name: 'Note', exact: true }).click();
  }

  async letHear(agent: string): Promise<void> {
    const row = this.page.getByRole('region', { name: 'Who is told' }).getByRole('listitem', { name: agent });
    await row.getByRole('checkbox', { name: 'Hears what the others said lately' }).check();
    await row.getByRole('button', { name: `Save: ${agent}` }).click();
  }
}
