import { On } from './page.ts';

/** The page about an agent's page: its versions. */
export class SkinsPage extends On {
  /** The newest first. */
  readonly versions = this.page.locator('.version');

  async open(agent: string): Promise<void> {
    await this.page.goto(`/agents/${agent}/skins`);
  }

  async restore(version: number): Promise<void> {
    await this.page.getByRole('button', { name: `Restore version ${version}` }).click();
  }
}
