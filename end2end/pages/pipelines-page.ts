import type { Locator } from '@playwright/test';
import { hydrated, On } from './page.ts';

/** All pipelines, a new one, and one of them. */
export class PipelinesPage extends On {
  readonly none = this.page.getByText('Nothing yet.');
  readonly status = this.page.locator('header [role="status"]');
  readonly picture = this.page.getByRole('region', { name: 'Picture of the tasks' });
  readonly failure = this.page.getByRole('alert');

  async open(path = '/pipelines'): Promise<void> {
    await this.page.goto(path);
    await hydrated(this.page);
  }

  row(name: string): Locator {
    return this.page.getByRole('listitem', { name, exact: true });
  }

  async begin(title: string): Promise<void> {
    await this.open('/pipelines/new');
    await this.page.getByLabel('Title').first().fill(title);
  }

  /** Fills the last task of the form. `after` are titles of tasks before it, where it is not the one before. */
  async fill(title: string, by: string, what: string, after?: string[]): Promise<void> {
    const task = this.page.locator('.task-form').last();
    await task.getByLabel('Title').fill(title);
    await task.getByLabel('Done by').selectOption(by);
    await task.getByLabel('What is to be done').fill(what);
    if (!after) return;
    for (const box of await task.getByRole('checkbox').all()) await box.setChecked(false);
    for (const name of after) await task.getByRole('checkbox', { name }).check();
  }

  async another(): Promise<void> {
    await this.page.getByRole('button', { name: 'Add a task' }).click();
  }

  async make(): Promise<void> {
    await this.page.getByRole('button', { name: 'Make pipeline' }).click();
    await this.page.waitForURL(/\/pipelines\/[0-9a-f]{32}$/);
  }

  async makeOf(text: string): Promise<void> {
    await this.page.getByLabel('The text').fill(text);
    await this.page.getByRole('button', { name: 'Make it from this text' }).click();
  }

  async press(name: string): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click();
  }
}
