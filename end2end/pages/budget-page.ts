import { Limits } from './limits.ts';
import { hydrated, On } from './page.ts';

/** What an agent may spend, and what it spent. */
export class BudgetPage extends On {
  readonly limits = new Limits(this.page.getByRole('region', { name: /^Limits of/ }));
  readonly spent = this.page.getByRole('region', { name: 'Spent' });
  readonly today = this.spent.getByRole('meter', { name: 'Today' });

  async open(agent: string): Promise<void> {
    await this.page.goto(`/agents/${agent}/budget`);
    await hydrated(this.page);
  }
}
