import { hydrated, On } from './page.ts';

/** What was said, found by its words. */
export class SearchPage extends On {
  readonly field = this.page.getByRole('searchbox', { name: 'Search conversations' });
  readonly hits = this.page.getByRole('region', { name: 'Messages' }).getByRole('listitem');
  readonly titles = this.page.getByRole('region', { name: 'Conversations' }).getByRole('listitem');
  /** What a hit led to. */
  readonly found = this.page.locator('#at');

  async open(): Promise<void> {
    await this.page.goto('/search');
    await hydrated(this.page);
  }

  async find(words: string): Promise<void> {
    await this.field.fill(words);
    await this.field.press('Enter');
    await this.page.waitForURL((url) => url.searchParams.get('q') === words);
  }
}
