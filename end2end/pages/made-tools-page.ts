import { hydrated, On } from './page.ts';

/** The tools that an agent made for itself. */
export class MadeToolsPage extends On {
  readonly empty = this.page.getByText('None yet.');

  async open(agent: string): Promise<void> {
    await this.page.goto(`/agents/${agent}/tools`);
    await hydrated(this.page);
  }

  tool(name: string) {
    return this.page.getByRole('listitem').filter({ has: this.page.getByRole('heading', { name, exact: true }) });
  }

  async unfold(name: string): Promise<void> {
    await this.tool(name).getByText('Input and code').click();
  }

  /** Asks for the deletion and confirms it. */
  async delete(name: string): Promise<void> {
    await this.tool(name).locator('.confirm > summary').click();
    await this.tool(name).getByRole('button', { name: `Delete ${name}` }).click();
  }
}
