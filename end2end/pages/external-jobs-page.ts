import type { Locator } from '@playwright/test';
import { At } from './page.ts';

/** Jobs elsewhere and the services that carry them out, and the page of one of either. */
export class ExternalJobsPage extends At {
  protected readonly path = '/external-jobs';

  private readonly main = this.page.getByRole('main');
  readonly problem = this.page.getByRole('alert');
  readonly done = this.page.getByRole('status');
  readonly services = this.main.getByRole('region', { name: 'Services', exact: true }).getByRole('row');
  readonly jobs = this.main.getByRole('region', { name: 'Started by your agents' }).getByRole('row').filter({ has: this.page.getByRole('cell') });
  /** What the job says. */
  readonly log = this.main.locator('pre[aria-label="Log"]');
  readonly result = this.main.locator('pre[aria-label="What came of it"]');
  /** How the job stands. */
  readonly standing = this.main.locator('.section-head').getByRole('status');

  job(name: string): Locator {
    return this.jobs.filter({ hasText: name });
  }

  async addRepository(name: string, url: string, repository: string, jobs: string, logs: string): Promise<void> {
    await this.main.getByLabel('Name', { exact: true }).fill(name);
    await this.main.getByLabel('Address of its API').fill(url);
    await this.main.getByLabel('Repository, if it is GitHub').fill(repository);
    await this.main.getByLabel('Jobs that agents may start').fill(jobs);
    await this.main.getByLabel('Address of its logs').fill(logs);
    await this.main.getByRole('button', { name: 'Add service' }).click();
  }

  async setToken(token: string): Promise<void> {
    await this.main.getByLabel('Token, if it wants one').fill(token);
    await this.press('Set the token');
  }

  async press(words: string): Promise<void> {
    await this.main.getByRole('button', { name: words, exact: true }).click();
  }

  /** Opens the question whether to remove it, and says yes. */
  async remove(): Promise<void> {
    await this.main.locator('summary', { hasText: 'Remove' }).click();
    await this.main.getByRole('button', { name: /^Remove it/ }).click();
  }
}
