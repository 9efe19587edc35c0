import { On } from './page.ts';

/** Folders that agents share: all of them, what is done with one, and which an agent has. */
export class WorkspacesPage extends On {
  readonly all = this.page.getByRole('region', { name: 'Your workspaces' });
  readonly agents = this.page.getByRole('main').getByRole('region', { name: 'Agents', exact: true });

  async open(): Promise<void> {
    await this.page.goto('/workspaces');
  }

  async create(name: string): Promise<void> {
    await this.page.getByLabel('Name').fill(name);
    await this.page.getByRole('button', { name: 'Make the workspace' }).click();
  }

  /** On the page of an agent's files. */
  async give(name: string): Promise<void> {
    await this.page.getByLabel('Its workspace').selectOption({ label: name });
    await this.page.getByRole('button', { name: 'Set its workspace' }).click();
    await this.page.getByText('Its workspace is set.').waitFor();
  }

  async rename(name: string): Promise<void> {
    await this.page.getByLabel('Its new name').fill(name);
    await this.page.getByRole('button', { name: 'Rename' }).click();
  }

  async delete(): Promise<void> {
    await this.page.getByText('Delete this workspace').click();
    await this.page.getByRole('button', { name: 'Delete for good' }).click();
  }
}
