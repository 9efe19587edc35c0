import type { Locator } from '@playwright/test';
import { On } from './page.ts';

/** What an agent may do without asking, and what not. */
export class RulesPage extends On {
  readonly list = this.page.getByRole('region', { name: 'Tools' });
  readonly form = this.page.getByRole('region', { name: 'New rule' });
  /** What its page had the agent woken by. */
  readonly wakes = this.page.getByRole('region', { name: 'What wakes it' });
  /** What agent and page keep together, and its rows by key. */
  readonly state = this.page.getByRole('region', { name: 'What it keeps' });
  readonly values: Locator = this.state.locator('tbody tr');
  /** The newest first. */
  readonly rows: Locator = this.list.locator('tbody tr');

  async open(agent: string): Promise<void> {
    await this.page.goto(`/agents/${agent}/rules`);
  }

  async add(says: string, tool: string, about = '', times = 'any number of times'): Promise<void> {
    await this.form.getByLabel('Say').selectOption(says);
    await this.form.getByLabel('Tool').fill(tool);
    await this.form.getByLabel('About').fill(about);
    await this.form.getByLabel('How often').selectOption(times);
    await this.form.getByRole('button', { name: 'Add rule' }).click();
  }

  /** Opens what a rule can be about. */
  async explain(): Promise<void> {
    await this.page.getByText('What a rule can be about').click();
  }

  async takeBack(rule: string): Promise<void> {
    await this.page.getByRole('button', { name: `Take back: ${rule}` }).click();
  }
}
