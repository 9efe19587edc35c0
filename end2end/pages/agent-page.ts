import { expect, type FrameLocator, type Locator } from '@playwright/test';
import { hydrated, On } from './page.ts';

/** The page of one agent: its conversation and its skin. */
export class AgentPage extends On {
  readonly log = this.page.getByRole('log');
  /** Everything that was said, oldest first. */
  readonly messages = this.log.locator('.message');
  /** The same with tool calls and notices. */
  readonly items = this.log.locator('ol.messages > li');
  /** The way to what was said before. */
  readonly earlier = this.page.getByRole('link', { name: 'Earlier messages' });
  /** The way back to the end. */
  readonly latest = this.page.getByRole('button', { name: 'Latest' });
  /** What is being said at the moment. */
  readonly streaming = this.log.locator('.message[aria-busy="true"]');
  /** Which conversation it is, the way to the others, and to a new one. */
  readonly conversation = this.page.locator('.conversation-title');
  readonly rename = this.page.getByRole('button', { name: 'Rename this conversation' });
  readonly nameField = this.page.getByRole('textbox', { name: 'Name of this conversation' });
  readonly allConversations = this.page.getByRole('main').getByRole('link', { name: 'All conversations' });
  readonly newConversation = this.page.getByRole('button', { name: 'New conversation' });
  /** The model that the conversation is held with; opens to the choice of another. */
  readonly model = this.page.locator('.model-menu-button');
  /** The field of whichever list of models is open, and what is in that list. */
  readonly findModel = this.page.getByRole('combobox', { name: 'Find a model' });
  readonly models = this.page.getByRole('listbox', { name: 'Models' }).getByRole('option');
  /** Which model answers the next message alone. */
  readonly nextModel = this.page.locator('.next-model');
  readonly search = this.page.getByRole('link', { name: 'Search in this conversation' });
  readonly composer = this.page.getByRole('textbox', { name: 'Message' });
  /** What a slash offers, and the one that Enter takes. */
  readonly commands = this.page.getByRole('listbox', { name: 'Commands' }).getByRole('option');
  readonly command = this.commands.and(this.page.locator('[aria-selected="true"]'));
  /** The field for files, those of the message that is written, and those of messages that were sent. */
  readonly files = this.page.getByLabel('Attach pictures, documents or other files');
  readonly added = this.page.getByRole('list', { name: 'Files of this message' }).getByRole('listitem');
  readonly pictures = this.log.locator('.attached img');
  readonly send = this.page.getByRole('button', { name: 'Send' });
  readonly stop = this.page.getByRole('button', { name: 'Stop' });
  readonly retry = this.log.getByRole('button', { name: 'Retry' });
  /** What is done with the last answer. */
  readonly again = this.log.getByRole('button', { name: 'Answer again', exact: true }).last();
  readonly againWith = this.log.getByRole('button', { name: 'Answer again with another model' }).last();
  readonly fork = this.log.getByRole('button', { name: 'Branch from here' }).last();
  /** What the person thinks of the last answer. */
  readonly good = this.log.getByRole('button', { name: 'Good answer' }).last();
  readonly bad = this.log.getByRole('button', { name: 'Bad answer' }).last();
  readonly leaveNote = this.log.getByRole('button', { name: 'Leave a note' }).last();
  readonly ownNote = this.log.getByRole('button', { name: 'Your note' }).last();
  readonly note = this.page.getByRole('dialog', { name: 'Note on this answer' });
  readonly noteField = this.note.getByRole('textbox');
  /** Which of several branches is shown, and the way to the others. */
  readonly branches = this.log.getByRole('group', { name: 'Branches of the conversation' });
  /** A message that is being written again. */
  readonly editor = this.page.getByRole('textbox', { name: 'What you say instead' });
  /** The line that tells how the connection is. */
  readonly connection = this.page.locator('.connection');
  /** How the agent is, in words. */
  readonly status = this.page.locator('.agent-bar .status .wide-only');
  /** How full the context is, and the link around it. */
  readonly meter = this.page.getByRole('meter', { name: 'Context' });
  readonly context = this.page.getByRole('link', { name: /^Context \d/ });
  /** What it cost, and the link to its budget around it. */
  readonly cost = this.page.getByRole('link', { name: /^Budget/ });
  /** What stands in place of a page that does not answer, is frozen, or was taken away. */
  readonly stuck = this.page.getByRole('alert').filter({ hasText: 'The page does not answer' });
  readonly frozen = this.page.getByRole('status').filter({ hasText: 'Frozen' });
  readonly broken = this.page.getByRole('alert').filter({ hasText: 'The page is not running' });
  readonly freeze = this.page.getByRole('button', { name: 'Freeze the page' });
  /** The picture of the page, without life. */
  readonly picture = this.page.frameLocator('iframe.still');
  readonly banner = this.page.getByRole('note');
  /** A call that waits for the person. */
  readonly approval = this.log.getByRole('region', { name: / asks you$/ });
  /** What the page asks, and what waits while the conversation is not on the screen. */
  readonly question = this.page.getByRole('alertdialog');
  /** What there is to do in the conversation. */
  readonly todo = this.page.locator('details.todo');
  readonly tasks = this.todo.getByRole('listitem');
  /** The frames in which browser-home agents run. */
  readonly loops = this.page.locator('iframe[title^="Loop of"]');

  /** Says that another tab does the work, and offers to do it here. */
  readonly elsewhere = this.banner.filter({ hasText: 'in another tab' });
  readonly takeOver = this.page.getByRole('button', { name: 'Take over' });
  /** Where the agent lives; opens to the ways to move it. */
  readonly home = this.page.locator('.home-menu > summary');

  move(words: string): Locator {
    return this.page.getByRole('button', { name: words, exact: true });
  }

  async open(agent: string): Promise<void> {
    await this.page.goto(`/agents/${agent}`);
    await this.isReady();
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.isReady();
  }

  /** Waits until the page reacts and hears from the hub. */
  async isReady(): Promise<void> {
    await hydrated(this.page);
    await this.page.locator('.connection[data-state="live"]').waitFor({ state: 'attached' });
  }

  /** Scrolls up as far as it goes, until more of what was said before is there, or all of it. */
  async scrollBack(): Promise<void> {
    const before = await this.messages.count();
    await this.log.evaluate((log) => log.scrollTo({ top: -log.scrollHeight, behavior: 'instant' }));
    await expect(async () => {
      const isAll = (await this.earlier.count()) === 0;
      expect(isAll || (await this.messages.count()) > before).toBe(true);
    }).toPass();
  }

  branch(words: 'The branch before' | 'The next branch'): Locator {
    return this.branches.getByRole('link', { name: words });
  }

  /** Opens a message to be written again. */
  async startEdit(text: string): Promise<void> {
    const message = this.messages.filter({ hasText: text }).first();
    await message.getByRole('button', { name: 'Edit this message' }).click();
  }

  async edit(text: string, instead: string): Promise<void> {
    await this.startEdit(text);
    await this.editor.fill(instead);
    await this.editor.press('Enter');
  }

  async say(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.send.click();
  }

  /** Has the model at the other end play a script of `endpoints/scripts`. */
  async play(script: string): Promise<void> {
    await this.say(`script: ${script}`);
  }

  /** How a run ended, where it did not simply end. */
  notice(text: string | RegExp): Locator {
    return this.log.locator('.notice').filter({ hasText: text });
  }

  /** On a phone: brings the page that the agent draws, or the conversation, to the front. */
  async show(pane: 'Page' | 'Conversation'): Promise<void> {
    await this.page.getByRole('tab', { name: pane }).click();
  }

  skinFrame(agent: string): Locator {
    return this.page.locator(`iframe[title="Page of ${agent}"]`);
  }

  /** The inside of the agent's page. */
  skin(agent: string): FrameLocator {
    return this.page.frameLocator(`iframe[title="Page of ${agent}"]`);
  }
}
