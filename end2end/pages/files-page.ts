import { expect, type Locator } from '@playwright/test';
import { On } from './page.ts';

/** The files of an agent, and one of them. */
export class FilesPage extends On {
  readonly rows = this.page.getByRole('region', { name: 'Files', exact: true }).locator('tbody tr');
  readonly bin = this.page.getByRole('region', { name: 'Bin' });
  readonly given = this.page.getByRole('region', { name: 'Given away' });
  readonly handOn = this.page.getByRole('region', { name: 'Hand it on' });
  readonly versions = this.page.getByRole('region', { name: 'Versions' }).locator('tbody tr');
  readonly device = this.page.getByRole('region', { name: 'On this device' });
  readonly contents = this.page.getByRole('region', { name: 'Contents' });
  /** What came with messages. */
  readonly uploads = this.page.getByRole('region', { name: 'Came with messages' });
  readonly crumbs = this.page.getByRole('navigation', { name: 'Folder' });

  async open(agent: string, within = ''): Promise<void> {
    await this.page.goto(`/agents/${agent}/files${within && `?in=${encodeURIComponent(within)}`}`);
  }

  row(path: string): Locator {
    return this.rows.filter({ hasText: path });
  }

  /** By its whole path; a folder's ends with a slash. */
  line(name: string): Locator {
    return this.page.locator(`tr[data-name="${name}"]`);
  }

  async choose(...paths: string[]): Promise<void> {
    for (const path of paths) await this.page.getByRole('checkbox', { name: `Choose ${path}`, exact: true }).check();
  }

  /** What only a page with script has. */
  async ready(): Promise<void> {
    await expect(this.page.getByText('Upload a whole folder', { exact: true })).toBeVisible();
  }

  /** Opens a folder in place. */
  async unfold(folder: string): Promise<void> {
    await this.ready();
    await this.line(`${folder}/`).locator('.file-toggle').click();
    await expect(this.line(`${folder}/`)).toHaveAttribute('aria-expanded', 'true');
  }

  async move(into: string, name?: string): Promise<void> {
    await this.page.getByText('Move, copy, rename', { exact: true }).click();
    await this.page.getByLabel('Into the folder').fill(into);
    if (name !== undefined) await this.page.getByLabel('Name, of one alone').fill(name);
    await this.page.getByRole('button', { name: 'Move or rename' }).click();
  }

  async upload(folder: string, ...files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Folder', exact: true }).fill(folder);
    await this.page.locator('input[type=file][name=file]').setInputFiles(files);
    await this.page.getByRole('button', { name: 'Upload', exact: true }).click();
  }

  async press(path: string, what: 'Delete' | 'Restore'): Promise<void> {
    await this.page.getByRole('button', { name: `${what} ${path}`, exact: true }).click();
  }
}
