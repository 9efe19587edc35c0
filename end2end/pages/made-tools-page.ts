import { hydrated, On } from './page.ts';

/** The tools of an agent's own. */
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

  /** Writes one that reads these keys of the state. */
  async write(tool: { name: string; about: string; code: string; reads: string }): Promise<void> {
    await this.page.getByText('Write a tool').click();
    await this.page.getByLabel('Name', { exact: true }).fill(tool.name);
    await this.page.getByLabel('What it is for').fill(tool.about);
    await this.page.getByLabel('Code', { exact: true }).fill(tool.code);
    await this.page.getByLabel('Keys of the state that it reads').fill(tool.reads);
    await this.page.getByRole('button', { name: 'Save', exact: true }).click();
  }

  async bring(name: string, file: Buffer): Promise<void> {
    await this.page.getByLabel('A file').setInputFiles({ name, mimeType: 'application/json', buffer: file });
    await this.page.getByRole('button', { name: 'Look at the file' }).click();
  }

  async accept(name: string): Promise<void> {
    await this.tool(name).getByRole('button', { name: `Let the agent have ${name}` }).click();
  }

  /** Asks for the deletion and confirms it. */
  async delete(name: string): Promise<void> {
    await this.tool(name).locator('.confirm > summary').click();
    await this.tool(name).getByRole('button', { name: `Delete ${name}` }).click();
  }
}
