import type { Locator } from '@playwright/test';
import { On } from './page.ts';

/** Going to agents, conversations and pages by a few letters. */
export class Palette extends On {
  /** The way to it from the page of an agent. */
  readonly link = this.page.getByRole('link', { name: 'Agents and conversations' });
  readonly dialog = this.page.getByRole('dialog', { name: 'Go to' });
  readonly shortcuts = this.page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  readonly field = this.dialog.getByRole('searchbox');

  section(name: 'Actions' | 'Agents' | 'Conversations' | 'Pages' | 'In messages'): Locator {
    return this.dialog.getByRole('region', { name });
  }
}
