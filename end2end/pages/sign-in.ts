import { At, hydrated } from './page.ts';

/** The pages before sign-in. They have the same two fields. */
export class SignIn extends At {
  protected readonly path = '/sign-in';

  readonly name = this.page.getByLabel('Name');
  readonly password = this.page.getByLabel('Password');
  readonly problem = this.page.getByRole('alert');
  readonly passkey = this.page.getByRole('button', { name: 'Sign in with a passkey' });
  readonly passkeyProblem = this.page.locator('form', { has: this.passkey }).getByRole('alert');

  async signIn(person: { name: string; password: string }): Promise<void> {
    await this.#send(person, 'Sign in');
  }

  /** With the set-up link, or with an invitation. */
  async makeAccount(link: string, person: { name: string; password: string }): Promise<void> {
    await this.page.goto(link);
    await hydrated(this.page);
    await this.#send(person, 'Make the account');
  }

  async #send(person: { name: string; password: string }, words: string): Promise<void> {
    await this.name.fill(person.name);
    await this.password.fill(person.password);
    await this.page.getByRole('button', { name: words, exact: true }).click();
  }
}
