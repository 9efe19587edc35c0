import type { Locator } from '@playwright/test';
import { hydrated, On } from './page.ts';
import { Limits } from './limits.ts';

/** What an agent is told by itself, and when. */
export class Schedules extends On {
  readonly rows: Locator = this.page.locator('.schedule');
  readonly none = this.page.getByText('Nothing yet.');
  readonly form = this.page.getByRole('region', { name: 'New schedule' });

  async open(agent: string): Promise<void> {
    await this.page.goto(`/agents/${agent}/schedules`);
    await hydrated(this.page);
  }

  row(name: string): Locator {
    return this.page.getByRole('listitem', { name, exact: true });
  }

  /** Adds one that is due on these days at this time. */
  async add(name: string, told: string, days: string, time: string): Promise<void> {
    await this.form.getByLabel('Name').fill(name);
    await this.form.getByLabel('What it is told').fill(told);
    await this.form.getByLabel('Days', { exact: true }).selectOption(days);
    await this.form.getByLabel('Time', { exact: true }).fill(time);
    await this.form.getByRole('button', { name: 'Add schedule' }).click();
  }

  /** Fills in one that is due by mail of a mailbox on the hub's own machine. */
  async mailbox(name: string, server: string, password: string): Promise<void> {
    await this.form.getByLabel('Name').fill(name);
    await this.form.getByLabel('What it is told').fill('A mail came.');
    await this.form.getByLabel('When a mail comes').check();
    await this.form.getByLabel('Server for mail').fill(server);
    await this.form.getByLabel('Sealed by').selectOption("None, for a server on the hub's machine");
    await this.form.getByLabel('Account there').fill('ada@example.org');
    await this.form.getByLabel('Password there').fill(password);
    await this.form.getByLabel('Only from').fill('@shop.example');
    await this.form.getByLabel('Only with this in the subject').fill('order');
  }

  async press(what: 'Run' | 'Pause' | 'Resume', name: string): Promise<void> {
    await this.page.getByRole('button', { name: what === 'Run' ? `Run now: ${name}` : `${what} ${name}` }).click();
  }

  async edit(name: string): Promise<SchedulePage> {
    await this.page.getByRole('link', { name: `Edit ${name}` }).click();
    await this.page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    return new SchedulePage(this.page);
  }
}

/** One schedule: what and when, its limits and its end. */
export class SchedulePage extends On {
  readonly webhook = this.page.getByRole('region', { name: 'Address' });
  readonly mailbox = this.page.getByRole('region', { name: 'Mailbox' });
  readonly preview = this.page.getByRole('region', { name: 'What it would do' });
  readonly history = this.page.getByRole('region', { name: 'History' });
  readonly what = this.page.getByRole('region', { name: 'What and when' });
  readonly limits = new Limits(this.page.getByRole('region', { name: 'What it may spend' }));
  readonly end = this.page.getByRole('region', { name: 'Delete' });

  async save(): Promise<void> {
    await this.what.getByRole('button', { name: 'Save' }).click();
  }

  async delete(): Promise<void> {
    await this.end.locator('summary').click();
    await this.end.getByRole('button', { name: 'Delete it now' }).click();
  }
}
