import type { Locator, Page } from '@playwright/test';
import { Limits } from './limits.ts';
import { At, hydrated, On } from './page.ts';

/** The admin page: people, invitations, limits, usage, audit. */
export class Admin extends At {
  protected readonly path = '/admin';

  readonly people = this.page.getByRole('region', { name: 'People' });
  readonly #invitations = this.page.getByRole('region', { name: 'Invitations' });
  readonly #limits = this.page.getByRole('region', { name: 'Limits on spending' });
  /** What people may add as MCP servers. */
  readonly programs = this.page.getByRole('region', { name: 'Programs for MCP servers' });

  readonly invitation = this.#invitations.locator('code');
  readonly limits = new Limits(this.#limits);
  readonly audit = this.page.getByRole('region', { name: 'Audit' });

  person(name: string): Locator {
    return this.people.getByRole('row').filter({ has: this.page.getByRole('link', { name, exact: true }) });
  }

  /** Goes to those with this in their name: the page lists fifty people. */
  async find(name: string): Promise<void> {
    await this.page.goto(`${this.path}?people=${encodeURIComponent(name)}`);
    await hydrated(this.page);
  }

  /** Goes to the person's page. */
  async openPerson(name: string): Promise<PersonPage> {
    await this.find(name);
    await this.people.getByRole('link', { name, exact: true }).click();
    await this.page.waitForURL(/\/admin\/people\//);
    await hydrated(this.page);
    return new PersonPage(this.page);
  }

  async allowProgram(name: string, line: string, variables: string): Promise<void> {
    await this.programs.getByLabel('Name of the program').fill(name);
    await this.programs.getByLabel('Command line').fill(line);
    await this.programs.getByLabel('Variables that people fill in').fill(variables);
    await this.programs.getByRole('button', { name: 'Allow it' }).click();
  }

  program(name: string): Locator {
    return this.programs.getByRole('listitem').filter({ has: this.page.getByRole('heading', { name, exact: true }) });
  }

  async forbidProgram(name: string): Promise<void> {
    await this.program(name).locator('summary').click();
    await this.program(name).getByRole('button', { name: 'Remove it' }).click();
  }

  async invite(): Promise<void> {
    await this.#invitations.getByRole('button', { name: 'Create invitation link' }).click();
  }
}

/** What an administrator does with one person. */
export class PersonPage extends On {
  readonly #role = this.page.getByRole('region', { name: 'Role' });
  readonly #limits = this.page.getByRole('region', { name: 'Limits on spending' });
  readonly #reset = this.page.getByRole('region', { name: 'Forgotten password' });
  readonly #factor = this.page.getByRole('region', { name: 'Second factor' });
  readonly #out = this.page.getByRole('region', { name: 'Shut out' });

  readonly roleSet = this.#role.getByRole('status');
  readonly spending = this.#limits;
  readonly limits = new Limits(this.#limits);
  readonly limitsSaved = this.#limits.getByRole('status');
  readonly resetLink = this.#reset.locator('code');
  readonly factorDropped = this.#factor.getByRole('status');
  readonly problem = this.page.getByRole('alert');
  readonly enable = this.#out.getByRole('button', { name: 'Enable the account' });

  async setRole(words: RegExp): Promise<void> {
    await this.#role.getByLabel(words).check();
    await this.#role.getByRole('button', { name: 'Save' }).click();
  }

  async resetPassword(): Promise<string> {
    await this.#reset.getByRole('button', { name: 'Create reset link' }).click();
    return (await this.resetLink.textContent())!;
  }

  async dropSecondFactor(): Promise<void> {
    await this.#factor.getByRole('button', { name: 'Take the second factor away' }).click();
  }

  async disable(): Promise<void> {
    await this.#out.getByRole('button', { name: 'Disable the account' }).click();
  }

  async remove(name: string): Promise<void> {
    await this.#out.getByLabel(/^Remove /).fill(name);
    await this.#out.getByRole('button', { name: 'Remove the account' }).click();
  }
}

/** The audit, one's own or everybody's. */
export class AuditPage extends On {
  readonly lines = this.page.getByRole('region', { name: 'What happened' }).getByRole('row');
  readonly state = this.page.getByRole('status');

  constructor(
    page: Page,
    private readonly path: '/account/audit' | '/admin/audit',
  ) {
    super(page);
  }

  async open(): Promise<void> {
    await this.page.goto(this.path);
    await hydrated(this.page);
  }

  async search(text: string, what = 'Anything'): Promise<void> {
    await this.page.getByLabel('Name, thing or address').fill(text);
    await this.page.getByLabel('Kind', { exact: true }).selectOption(what);
    await this.page.getByRole('button', { name: 'Search' }).click();
    await hydrated(this.page);
  }
}
