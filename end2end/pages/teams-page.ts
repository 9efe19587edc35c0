import type { Locator } from '@playwright/test';
import { hydrated, On } from './page.ts';

/** Roles, a file that is looked at before anything is made of it, and one of chosen agents. */
export class TeamsPage extends On {
  readonly roles = this.page.getByRole('region', { name: 'Roles' });
  readonly failure = this.page.getByRole('alert');
  readonly file = this.page.getByLabel('agents.yaml');
  readonly done = this.page.getByRole('status').filter({ hasText: 'The agents are made.' });

  async open(): Promise<void> {
    await this.page.goto('/teams');
    await hydrated(this.page);
  }

  row(name: string): Locator {
    return this.page.getByRole('listitem', { name, exact: true });
  }

  async look(text: string): Promise<void> {
    await this.page.getByLabel('The text').fill(text);
    await this.press('Look at the team', /\/teams\/files\//);
  }

  async make(words: string): Promise<void> {
    await this.press(words, /\/teams\?done=made$/);
  }

  async press(name: string, leadsTo: RegExp): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click();
    await this.page.waitForURL(leadsTo);
  }

  async export(...names: string[]): Promise<void> {
    for (const name of names) await this.page.getByRole('checkbox', { name, exact: true }).check();
    await this.press('Show the file', /\/teams\/export\?agent=/);
  }
}
