import { On } from './page.ts';

/** The second step of signing in. */
export class CodeStep extends On {
  readonly problem = this.page.getByRole('alert');
  readonly code = this.page.getByLabel(/code$/i);
  readonly submit = this.page.getByRole('button', { name: 'Sign in' });

  async enter(code: string): Promise<void> {
    await this.code.fill(code);
    await this.submit.click();
  }

  async withRecoveryCode(code: string): Promise<void> {
    await this.page.getByRole('link', { name: 'Use a recovery code instead' }).click();
    await this.page.waitForURL(/with=recovery/);
    await this.enter(code);
  }
}
