import type { Locator } from '@playwright/test';
import { hydrated, On } from './page.ts';

/** Who may read a conversation, for its owner. */
export class SharePage extends On {
  readonly name = this.page.getByLabel('Name', { exact: true });
  readonly failure = this.page.getByRole('alert');
  readonly readers = this.page.getByRole('region', { name: 'Who may read it' });
  readonly seen = this.page.getByRole('region', { name: 'What they see' });

  async isReady(): Promise<void> {
    await this.page.waitForURL((url) => url.pathname.endsWith('/share'));
    await hydrated(this.page);
  }

  async share(name: string): Promise<void> {
    await this.name.fill(name);
    await this.page.getByRole('button', { name: 'Share', exact: true }).click();
  }

  async takeBack(name: string): Promise<void> {
    await this.readers.getByRole('button', { name: `Take it back from ${name}` }).click();
  }
}

/** What others share with the person, and one conversation of it. */
export class SharedPage extends On {
  readonly names = this.page.locator('.conversation-name');
  readonly messages = this.page.locator('.message');
  readonly tools = this.page.locator('.tool');

  async open(): Promise<void> {
    await this.page.goto('/shared');
    await hydrated(this.page);
  }

  async read(title: string): Promise<void> {
    await this.names.filter({ hasText: title }).click();
    await this.page.waitForURL((url) => url.pathname.startsWith('/shared/'));
    await this.page.getByRole('heading', { level: 1, name: title }).waitFor();
  }

  row(title: string): Locator {
    return this.page.locator('.conversation-row').filter({ hasText: title });
  }
}
