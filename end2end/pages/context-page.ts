import { hydrated, On } from './page.ts';

/** What an agent's model is sent, section by section. */
export class ContextPage extends On {
  readonly meter = this.page.getByRole('meter', { name: 'Context' });

  async open(agent: string): Promise<void> {
    await this.page.goto(`/agents/${agent}/context`);
    await hydrated(this.page);
  }

  /** The lines of one part of the request. */
  lines(part: 'System prompt' | 'Tools' | 'Messages') {
    return this.page.getByRole('region', { name: part }).locator('li > details');
  }
}
