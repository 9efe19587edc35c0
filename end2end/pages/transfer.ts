import { At } from './page.ts';

/** The page on which settings go out of a hub, and come in. */
export class Transfer extends At {
  protected readonly path = '/account/transfer';

  readonly bring = this.page.getByRole('region', { name: 'Bring settings in' });
  readonly carry = this.page.getByRole('region', { name: 'Take settings along' });
  readonly problem = this.bring.getByRole('alert');
  readonly done = this.bring.getByRole('status');
  readonly link = this.carry.getByLabel('The link');
  readonly take = this.bring.getByRole('button', { name: 'Take what is chosen' });

  async makeLink(): Promise<string> {
    await this.carry.getByRole('button', { name: 'Make a link' }).click();
    return this.link.inputValue();
  }

  async saveFile(passphrase: string): Promise<string> {
    await this.carry.locator('summary').click();
    await this.carry.getByLabel('A passphrase for the file').fill(passphrase);
    await this.carry.getByLabel('That passphrase once more').fill(passphrase);
    const download = this.page.waitForEvent('download');
    await this.carry.getByRole('button', { name: 'Save the file' }).click();
    return (await download).path();
  }

  async paste(link: string): Promise<void> {
    await this.bring.getByLabel('A link with settings').fill(link);
    await this.bring.getByRole('button', { name: 'Open the link' }).click();
  }

  async openFile(file: string | { name: string; mimeType: string; buffer: Buffer }, passphrase: string): Promise<void> {
    const fold = this.bring.locator('details');
    if ((await fold.getAttribute('open')) === null) await fold.locator('summary').click();
    await this.bring.getByLabel('The file').setInputFiles(file);
    await this.bring.getByLabel('Its passphrase').fill(passphrase);
    await this.bring.getByRole('button', { name: 'Open the file' }).click();
  }
}
