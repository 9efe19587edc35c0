import type { Frame } from '@playwright/test';
import { AgentPage } from './agent-page.ts';
import { On } from './page.ts';

/** What the page of an agent asks of the person, outside of its frame. */
export class Services extends On {
  private readonly panel = this.page.getByRole('region', { name: /^What the page of / });
  /** The one question that is asked now. */
  readonly question = this.panel.getByRole('group');
  /** What is in use, each with its Stop. */
  readonly uses = this.panel.getByRole('status');
  readonly notices = this.panel.locator('.told');

  async answer(words: string): Promise<void> {
    await this.question.getByRole('button', { name: words, exact: true }).click();
  }

  async stop(what: RegExp): Promise<void> {
    await this.uses.filter({ hasText: what }).getByRole('button').click();
  }

  /** Opens the agent's page, has it drawn if it is not yet, and gives the document in its frame. */
  async enter(agent: string, name: string): Promise<Frame> {
    const page = new AgentPage(this.page);
    await page.open(agent);
    const heading = page.skin(name).getByRole('heading', { name: 'A window out' });
    if ((await page.messages.count()) === 0) await page.play('page-api');
    await heading.waitFor({ state: 'attached' });
    await page.log.getByText('The window is drawn.').waitFor();
    const element = await this.page.locator(`iframe[title="Page of ${name}"]`).elementHandle();
    return (await element!.contentFrame())!;
  }
}
