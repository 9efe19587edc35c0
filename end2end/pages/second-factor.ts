import { Authenticator } from '../fixtures/authenticator.ts';
import { At } from './page.ts';

/** The page of the second factor. */
export class SecondFactor extends At {
  protected readonly path = '/account/second-factor';

  readonly #start = this.page.getByRole('region', { name: 'Set it up' });
  readonly #scan = this.page.getByRole('region', { name: '1. Give it to your app' });
  readonly #confirm = this.page.getByRole('region', { name: '2. Type the code' });
  readonly #codes = this.page.getByRole('region', { name: 'Your recovery codes' });
  readonly #on = this.page.getByRole('region', { name: 'It is on' });
  readonly #stop = this.page.getByRole('region', { name: 'Turn it off' });

  readonly picture = this.#scan.getByRole('img');
  readonly key = this.#scan.locator('code');
  readonly codes = this.#codes.locator('code');
  readonly state = this.#on;
  readonly off = this.page.getByText('The second factor is off.');
  readonly problem = this.page.getByRole('alert');

  async start(password: string): Promise<void> {
    await this.#start.getByLabel('Your password').fill(password);
    await this.#start.getByRole('button', { name: 'Go on' }).click();
  }

  /** Gives the key to an app. */
  async scan(): Promise<Authenticator> {
    return new Authenticator((await this.key.textContent())!);
  }

  async confirm(code: string): Promise<void> {
    await this.#confirm.getByLabel('Code').fill(code);
    await this.#confirm.getByRole('button', { name: 'Turn it on' }).click();
  }

  async recoveryCodes(): Promise<string[]> {
    return (await this.codes.textContent())!.trim().split(/\s+/);
  }

  async renew(password: string, code: string): Promise<void> {
    await this.#on.getByLabel('Your password').fill(password);
    await this.#on.getByLabel('Code').fill(code);
    await this.#on.getByRole('button', { name: 'Make new recovery codes' }).click();
  }

  async stop(password: string, code: string): Promise<void> {
    await this.#stop.getByLabel('Your password').fill(password);
    await this.#stop.getByLabel('Code').fill(code);
    await this.#stop.getByRole('button', { name: 'Turn it off' }).click();
  }

  /** From nothing to an app that makes codes, and the recovery codes. */
  async setUp(password: string): Promise<{ app: Authenticator; codes: string[] }> {
    await this.open();
    await this.start(password);
    const app = await this.scan();
    await this.confirm(app.next());
    return { app, codes: await this.recoveryCodes() };
  }
}
