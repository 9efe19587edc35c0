import type { Locator } from '@playwright/test';
import { At, hydrated } from './page.ts';

export class Dashboard extends At {
  protected readonly path = '/';

  readonly heading = this.page.getByRole('heading', { name: 'Agents', level: 1 });
  readonly invitation = this.page.getByRole('heading', { name: 'What should live here?' });
  readonly guide = this.page.getByRole('button', { name: 'Start the guided tour' });
  readonly newAgent = this.page.getByRole('main').getByRole('link', { name: 'New agent' });
  readonly cards = this.page.locator('.wall').getByRole('listitem');
  /** The agents that wait for the person. */
  readonly needsYou = this.page.getByRole('list', { name: 'Needs you' });

  readonly #wish = this.page.getByRole('textbox', { name: 'What should live here?' });
  /** What was wished for, while the key of a model is asked for. */
  readonly keptWish = this.page.locator('.wish-kept q');
  readonly problem = this.page.getByRole('alert');

  async wish(words: string): Promise<void> {
    await this.#wish.fill(words);
    await this.page.getByRole('button', { name: 'Create', exact: true }).click();
  }

  async enterKey(provider: string, key: string, address: string): Promise<void> {
    await this.page.getByLabel('Provider', { exact: true }).selectOption({ label: provider });
    await this.page.getByLabel('Key', { exact: true }).fill(key);
    if (!(await this.page.getByLabel('Base URL').isVisible())) {
      await this.page.getByText('It has an address of its own').click();
    }
    await this.page.getByLabel('Base URL').fill(address);
    await this.page.getByRole('button', { name: 'Keep the key and begin' }).click();
  }

  card(name: string): Locator {
    return this.cards.filter({ has: this.page.getByRole('link', { name, exact: true }) });
  }

  /** The names of the agents under a heading. */
  part(name: string): Locator {
    return this.page.getByRole('main').getByRole('region', { name, exact: true }).locator('.card-name > a');
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
