import type { Locator } from '@playwright/test';
import { On } from './page.ts';

/** The files of an agent, and one of them. */
export class FilesPage extends On {
  readonly rows = this.page.getByRole('region', { name: 'Files', exact: true }).locator('tbody tr');
  readonly bin = this.page.getByRole('region', { name: 'Bin' });
  readonly versions = this.page.getByRole('region', { name: 'Versions' }).locator('tbody tr');
  readonly device = this.page.getByRole('region', { name: 'On this device' });
  readonly contents = this.page.getByRole('region', { name: 'Contents' });

  async open(agent: string): Promise<void> {
    await this.page.goto(`/agents/${agent}/files`);
  }

  row(path: string): Locator {
    return this.rows.filter({ hasText: path });
  }

  async upload(folder: string, ...files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
    await this.page.getByLabel('Folder').fill(folder);
    await this.page.locator('input[type=file]').setInputFiles(files);
    await this.page.getByRole('button', { name: 'Upload' }).click();
  }

  async press(path: string, what: 'Delete' | 'Restore'): Promise<void> {
    await this.page.getByRole('button', { name: `${what} ${path}` }).click();
  }
}
