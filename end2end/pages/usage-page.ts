import type { Locator } from '@playwright/test';
import { Limits } from './limits.ts';
import { At } from './page.ts';

/** Thirty days of spending, and the person's own limits. */
export class UsagePage extends At {
  protected readonly path = '/usage';

  readonly own = this.page.getByRole('region', { name: 'Your agents' });
  readonly everybody = this.page.getByRole('region', { name: 'Everybody' });
  readonly #limits = this.page.getByRole('region', { name: 'Your limits' });
  readonly limits = new Limits(this.#limits);
  readonly saved = this.#limits.getByRole('status');

  /** What the picture of days is split by. */
  split(part: Locator): Locator {
    return part.getByRole('navigation', { name: /^Split the days by/ });
  }

  /** The parts of the picture, with what they cost together. */
  parts(part: Locator): Locator {
    return part.getByRole('figure').getByRole('listitem');
  }

  /** The last year as a file: what it cost, or which tools were called. */
  file(part: Locator, what: 'Cost' | 'Calls'): Locator {
    return part.getByRole('link', { name: new RegExp(`^${what} .*CSV$`) });
  }

  /** A line of the tables: an agent's, a person's or a model's. */
  line(part: Locator, name: string): Locator {
    return part.getByRole('row').filter({ has: this.page.getByRole('cell', { name, exact: true }) });
  }
}
