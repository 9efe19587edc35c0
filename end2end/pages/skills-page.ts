import type { Locator } from '@playwright/test';
import { At, hydrated, On } from './page.ts';

/** The library of skills, and the ways in. */
export class SkillsPage extends At {
  protected readonly path = '/skills';

  readonly problem = this.page.getByRole('alert');
  readonly done = this.page.getByRole('status');
  readonly rows = this.page.getByRole('region', { name: 'Your skills' }).getByRole('row').filter({ has: this.page.getByRole('cell') });

  row(name: string): Locator {
    return this.rows.filter({ has: this.page.getByRole('link', { name, exact: true }) });
  }

  async write(text: string): Promise<void> {
    await this.page.locator('summary', { hasText: 'Write one' }).click();
    await this.page.getByLabel('SKILL.md', { exact: true }).fill(text);
    await this.page.getByRole('button', { name: 'Look at the skill' }).click();
  }

  async upload(name: string, text: string): Promise<void> {
    await this.page.getByLabel('A file').setInputFiles({ name, mimeType: 'text/markdown', buffer: Buffer.from(text) });
    await this.page.getByRole('button', { name: 'Look at the file' }).click();
  }

  async bring(url: string): Promise<void> {
    await this.page.getByLabel('An address').fill(url);
    await this.page.getByRole('button', { name: 'Look at what is there' }).click();
  }

  /** Has a server tell which skills it has. */
  async ask(server: string): Promise<void> {
    await this.page.getByLabel('An MCP server').selectOption({ label: server });
    await this.page.getByRole('button', { name: 'Ask for its skills' }).click();
  }
}

/** One skill, as its person looks at it. */
export class SkillPage extends On {
  readonly heading = this.page.getByRole('heading', { level: 1 });
  readonly findings = this.page.getByRole('region', { name: 'What was found' }).getByRole('listitem');
  readonly wants = this.page.getByRole('region', { name: 'What it wants, and where it is from' });
  readonly changes = this.page.getByRole('region', { name: 'What changes' });
  readonly texts = this.page.getByRole('region', { name: 'All of it' });
  readonly agents = this.page.getByRole('region', { name: 'Give it to agents' });
  readonly vouch = this.page.getByRole('checkbox', { name: /stand by every word/ });

  async accept(): Promise<void> {
    await this.page.getByRole('button', { name: 'Accept it' }).click();
    await hydrated(this.page);
  }

  /** Lets the agent have it, beside those that have it. */
  async giveTo(agent: string): Promise<void> {
    await this.agents.getByRole('checkbox', { name: agent }).check();
    await this.agents.getByRole('button', { name: 'Give it to these agents only' }).click();
    await hydrated(this.page);
  }

  async refuse(): Promise<void> {
    await this.page.getByRole('button', { name: /^Refuse/ }).click();
  }

  async lookAgain(): Promise<void> {
    await this.page.getByRole('button', { name: 'Look for an update' }).click();
    await hydrated(this.page);
  }

  async remove(): Promise<void> {
    await this.page.getByRole('region', { name: 'Remove it' }).locator('summary').click();
    await this.page.getByRole('button', { name: 'Remove it' }).click();
  }
}
