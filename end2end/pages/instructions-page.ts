import type { Locator } from '@playwright/test';
import { On } from './page.ts';

/** The versions of an agent's instructions, and one of them. */
export class InstructionsPage extends On {
  /** The newest first. */
  readonly versions = this.page.getByRole('region', { name: 'Versions', exact: true }).locator('tbody tr');
  readonly added = this.page.locator('.diff-line[data-kind="added"]');
  readonly removed = this.page.locator('.diff-line[data-kind="removed"]');

  async open(agent: string): Promise<void> {
    await this.page.goto(`/agents/${agent}/instructions`);
  }

  /** What this version says and changed. */
  shown(version: number): Locator {
    return this.page.getByRole('region', { name: `Version ${version}`, exact: true });
  }

  async look(version: number): Promise<void> {
    await this.page.getByRole('link', { name: `Version ${version}`, exact: true }).click();
  }

  async restore(version: number): Promise<void> {
    await this.page.getByRole('button', { name: `Restore version ${version}` }).click();
  }
}
