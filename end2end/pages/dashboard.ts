import type { Locator } from '@playwright/test';
import { At, hydrated } from './page.ts';

export class Dashboard extends At {
  protected readonly path = '/';

  readonly heading = this.page.getByRole('heading', { name: 'Agents', level: 1 });
  readonly invitation = this.page.getByRole('heading', { name: 'What should live here?' });
  readonly guide = this.page.getByRole('button', { name: 'Start the guided tour' });
  readonly newAgent = this.page.getByRole('link', { name: 'New agent' });
  readonly cards = this.page.locator('.wall').getByRole('listitem');
  /** The agents that wait for the person. */
  readonly needsYou = this.page.getByRole('list', { name: 'Needs you' });

  card(name: string): Locator {
    return this.cards.filter({ has: this.page.getByRole('link', { name, exact: true }) });
  }

  async enter(name: string): Promise<void> {
    await this.card(name).getByRole('link', { name, exact: true }).click();
    await this.page.waitForURL(/\/agents\/[^/]+$/);
    await hydrated(this.page);
  }

  /** Ends on the guide's page. */
  async startGuide(): Promise<void> {
    await this.guide.click();
    await this.page.waitForURL(/\/agents\/[^/]+$/);
  }
}
