import type { Locator } from '@playwright/test';
import { hydrated, On } from './page.ts';

/** Everybody at work, and a word to several of them. */
export class ConsolePage extends On {
  readonly main: Locator = this.page.getByRole('main');
  readonly rows: Locator = this.page.locator('.console-agent');
  readonly text: Locator = this.page.getByRole('textbox', { name: 'Say to those that are chosen' });
  readonly flows: Locator = this.page.getByRole('region', { name: 'Who asks whom' });
  readonly log: Locator = this.page.locator('.console-log-line');

  async open(): Promise<void> {
    await this.page.goto('/console');
    await hydrated(this.page);
  }

  pick(name: string): Locator {
    return this.page.getByRole('checkbox', { name: `Choose ${name}`, exact: true });
  }

  answer(name: string): Locator {
    return this.page.getByRole('listitem', { name, exact: true });
  }

  async say(text: string): Promise<void> {
    await this.text.fill(text);
    await this.page.getByRole('button', { name: 'Say it' }).click();
  }
}
