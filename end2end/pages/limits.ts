import type { Locator } from '@playwright/test';

export type Limit = 'One day' | 'One month' | 'In all' | 'One run' | 'One model call';

/** The form of limits on spending, wherever it stands. */
export class Limits {
  constructor(private readonly place: Locator) {}

  field(limit: Limit): Locator {
    return this.place.getByLabel(limit, { exact: true });
  }

  /** Fills one field in and sends all of them. */
  async set(limit: Limit, dollars: string): Promise<void> {
    await this.field(limit).fill(dollars);
    await this.place.getByRole('button', { name: /^Save/ }).click();
  }
}
