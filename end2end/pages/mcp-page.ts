import type { Locator } from '@playwright/test';
import { At } from './page.ts';

/** A person's MCP servers, and the page of one of them. */
export class McpPage extends At {
  protected readonly path = '/mcp-servers';

  readonly address = this.page.getByRole('textbox', { name: 'Address' });
  readonly problem = this.page.getByRole('alert');
  readonly done = this.page.getByRole('status');
  readonly agents = this.page.getByRole('region', { name: 'Give it to agents' });
  /** The servers, by name. */
  readonly servers = this.page.getByRole('row').filter({ has: this.page.getByRole('cell') });

  async add(name: string, url: string, { token = '' } = {}): Promise<void> {
    await this.page.getByLabel('Name', { exact: true }).fill(name);
    await this.address.fill(url);
    if (token) await this.page.getByLabel('Token, if it wants one').fill(token);
    await this.page.getByRole('button', { name: 'Add server' }).click();
  }

  /** Presses the card of a server that anybody may use. */
  async choose(known: string): Promise<void> {
    await this.page.getByRole('list', { name: /^Servers that anybody may use/ }).getByRole('link', { name: known }).click();
  }

  /** Adds the program of this name, which an administrator allows, with what it is given. */
  async addProgram(program: string, name: string, given: Record<string, string>): Promise<void> {
    const form = this.page.locator('details').filter({ hasText: program });
    await form.locator('summary').click();
    await form.getByLabel('Name of the server').fill(name);
    for (const [variable, value] of Object.entries(given)) await form.getByLabel(variable, { exact: true }).fill(value);
    await form.getByRole('button', { name: 'Add this program' }).click();
  }

  async look(): Promise<void> {
    await this.page.getByRole('button', { name: 'Look again' }).click();
  }

  /** Lets the agent use it, beside those that may. */
  async giveTo(agent: string): Promise<void> {
    await this.agents.getByRole('checkbox', { name: agent }).check();
    await this.agents.getByRole('button', { name: 'Give it to these agents only' }).click();
  }

  tool(name: string): Locator {
    return this.page.getByRole('listitem').filter({ has: this.page.getByRole('heading', { name, exact: true }) });
  }

  async press(words: string, tool: string): Promise<void> {
    await this.page.getByRole('button', { name: `${words}: ${tool}`, exact: true }).click();
  }

  /** Opens the question whether to remove it, and says yes. */
  async remove(): Promise<void> {
    await this.page.locator('summary', { hasText: 'Remove' }).click();
    await this.page.getByRole('button', { name: /^Remove it/ }).click();
  }
}
