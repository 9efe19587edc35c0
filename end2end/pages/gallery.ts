import type { Locator } from '@playwright/test';
import { At, hydrated } from './page.ts';

/** The templates, and the way in for archives. */
export class Gallery extends At {
  protected readonly path = '/gallery';

  readonly cards = this.page.getByRole('main').getByRole('listitem');
  readonly file = this.page.getByLabel('Archive', { exact: true });
  readonly look = this.page.getByRole('button', { name: 'Look inside' });
  readonly create = this.page.getByRole('button', { name: 'Create agent' });
  /** What an archive wants and does not get. */
  readonly notices = this.page.getByRole('note');
  readonly problem = this.page.getByRole('alert');

  card(name: string): Locator {
    return this.page.getByRole('link', { name, exact: true });
  }

  /** Ends on the page that says what is in the template. */
  async choose(name: string): Promise<void> {
    await this.card(name).click();
    await this.page.waitForURL(/\/gallery\/.+$/);
    await this.create.waitFor();
  }

  /** Sends an archive in; ends on the page that says what is in it. */
  async send(buffer: Buffer): Promise<void> {
    await this.open();
    await this.file.setInputFiles({ name: 'agent.flo.zip', mimeType: 'application/zip', buffer });
    await this.look.click();
    await this.page.waitForURL(/\/gallery\/.+$/);
    await hydrated(this.page);
  }

  /** Makes the agent that is on offer, and gives its id; ends on its page. */
  async make(): Promise<string> {
    await this.create.click();
    await this.page.waitForURL(/\/agents\/[^/]+$/);
    await hydrated(this.page);
    return new URL(this.page.url()).pathname.split('/')[2];
  }
}
