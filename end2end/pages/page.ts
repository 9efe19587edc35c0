// What all page objects share: a page object says what a person does and returns locators; it never
// asserts.

import { test, type Page } from '@playwright/test';

export abstract class On {
  constructor(protected readonly page: Page) {}
}

/** A page whose address is known beforehand. */
export abstract class At extends On {
  protected abstract readonly path: string;

  /** Goes to the page and waits until it reacts. */
  async open(): Promise<void> {
    await this.page.goto(this.path);
    await hydrated(this.page);
  }
}

/** Waits for the mark that hydration leaves on the root element, where the page hydrates at all. */
export async function hydrated(page: Page): Promise<void> {
  if (test.info().project.use.javaScriptEnabled === false) return;
  const scripted = await page.locator('script[type="module"]').count();
  if (scripted > 0) await page.locator('html[data-hydrated]').waitFor({ state: 'attached' });
}
