import { At, hydrated } from './page.ts';

export interface AgentDraft {
  name: string;
  instructions?: string;
  /** The provider's name. */
  provider?: string;
  model?: string;
  /** Where its loop runs. */
  home?: 'hub' | 'browser';
}

/** The form that makes a new agent, or changes one. */
export class AgentForm extends At {
  protected readonly path = '/agents/new';

  /** What it is for, of which a model makes a proposal. */
  readonly sentence = this.page.getByLabel('What is it for, in a sentence?');
  readonly name = this.page.getByLabel('Name', { exact: true });
  readonly instructions = this.page.getByRole('textbox', { name: 'Instructions' });
  readonly provider = this.page.getByLabel('Provider', { exact: true });
  readonly model = this.page.getByLabel('Model', { exact: true });
  /** Opens the list of the provider's models: a field that narrows it, and what is in it. */
  readonly chooseModel = this.page.getByRole('button', { name: 'Choose a model' });
  readonly modelList = this.page.getByRole('dialog', { name: 'Choose a model' });
  readonly findModel = this.modelList.getByRole('combobox');
  readonly models = this.modelList.getByRole('option');
  readonly effort = this.page.getByLabel('Reasoning', { exact: true });
  readonly rounds = this.page.getByLabel('Rounds in one run, at most');
  readonly muse = this.page.getByLabel('Minutes until it thinks things over');
  readonly clear = this.page.getByLabel('Minutes until it begins anew');
  /** What becomes of a run whose browser is gone. */
  readonly withoutBrowser = this.page.getByLabel('When no browser is there', { exact: true });
  readonly reserve = this.page.getByLabel('Provider in reserve');
  readonly reserveModel = this.page.getByLabel('Model in reserve');
  readonly hooks = this.page.locator('.hook');
  readonly problem = this.page.getByRole('alert');

  home(where: 'hub' | 'browser') {
    return this.page.getByRole('radio', { name: where === 'hub' ? /^Hub/ : /^Browser/ });
  }

  /** The choice of what the agent may reach of the web, a form of its own. */
  reach(policy: 'Nothing' | 'These hosts' | 'Everything public') {
    return this.page.getByRole('radio', { name: new RegExp(`^${policy}`) });
  }

  /** What the agent does about errors of its page. */
  repairs(words: string) {
    return this.page.getByRole('radio', { name: words });
  }

  readonly hosts = this.page.getByLabel('Hosts', { exact: true });

  async setReach(): Promise<void> {
    await this.page.getByRole('button', { name: 'Set what it reaches' }).click();
  }

  readonly robots = this.page.getByRole('checkbox', { name: /^It follows robots\.txt/ });

  async setRobots(): Promise<void> {
    await this.page.getByRole('button', { name: 'Set how it reads' }).click();
  }

  colour(name: string) {
    return this.page.getByRole('radio', { name, exact: true });
  }

  tool(name: string) {
    return this.page.getByRole('checkbox', { name: new RegExp(`^${name}\\b`) });
  }

  /** Opens what a new agent does not need, which is folded at first. */
  async unfoldMore(): Promise<void> {
    const more = this.page.locator('details[data-more]:not([open]) > summary');
    if (await more.isVisible()) await more.click();
  }

  /** Opens the part about the loop, which is folded at first. */
  async unfoldLoop(): Promise<void> {
    await hydrated(this.page);
    await this.unfoldMore();
    await this.page.getByText('Loop', { exact: true }).click();
  }

  /** Opens the part about the model in reserve, which is folded at first. */
  async unfoldReserve(): Promise<void> {
    await hydrated(this.page);
    await this.unfoldMore();
    await this.page.getByText('If the local model does not answer', { exact: true }).click();
  }

  async fill(draft: AgentDraft): Promise<void> {
    await this.name.fill(draft.name);
    if (draft.instructions) await this.instructions.fill(draft.instructions);
    if (draft.provider) await this.provider.selectOption({ label: draft.provider });
    if (draft.model) await this.model.fill(draft.model);
    if (draft.home) {
      await this.unfoldMore();
      await this.home(draft.home).check();
    }
  }

  /** Fills in what the draft names and sends the form; ends on the agent's page when it is accepted. */
  async create(draft: AgentDraft): Promise<void> {
    await this.fill(draft);
    await this.page.getByRole('button', { name: 'Create agent' }).click();
    await this.page.waitForURL(/\/agents\/(?!new)[^/]+$/);
    await hydrated(this.page);
  }

  /** Sends the form of an agent that exists; ends on its page when it is accepted. */
  async save(): Promise<void> {
    await this.page.getByRole('button', { name: 'Save' }).click();
    await this.page.waitForURL(/\/agents\/[^/]+$/);
  }
}
