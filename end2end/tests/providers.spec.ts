// Providers where script adds something to the forms.

import { Endpoint, expect, test } from '../fixtures.ts';
import { AgentForm } from '../pages/agent-form.ts';
import { providerAt, Providers } from '../pages/providers.ts';

test('a refused provider keeps what was typed, and the reason is told', async ({ laptop, endpoint }) => {
  const providers = new Providers(laptop);
  await providers.open();
  await providers.fill({ ...providerAt(endpoint), key: 'key-bad' });
  await providers.save();
  await expect(providers.problem).toContainText('Not saved');
  await expect(laptop.getByRole('textbox', { name: /^Base URL/ })).toHaveValue(endpoint.url);
  await laptop.getByLabel('Key', { exact: true }).fill(Endpoint.key);
  await providers.save();
  await expect(providers.provider('Brook')).toBeVisible();
});

test('half of a provider stays in the form while another one is deleted', async ({ laptop, endpoint }) => {
  const providers = new Providers(laptop);
  await providers.open();
  await providers.add(providerAt(endpoint));
  const name = laptop.getByLabel('Name', { exact: true });
  await expect(name).toHaveValue('');
  await name.fill('Riv');
  await providers.delete('Brook');
  await expect(providers.provider('Brook')).toHaveCount(0);
  await expect(name).toHaveValue('Riv');
});

test('a change keeps the key for the same address only', async ({ laptop, endpoint }) => {
  const providers = new Providers(laptop);
  await providers.open();
  await providers.add(providerAt(endpoint));
  await laptop.getByRole('link', { name: 'Change Brook' }).click();
  await expect(laptop.getByRole('heading', { name: 'Change Brook' })).toBeVisible();
  await expect(laptop.getByLabel('Key', { exact: true })).toHaveValue('');
  await laptop.getByLabel('Name', { exact: true }).fill('River');
  await providers.save();
  await expect(providers.provider('River')).toContainText('Saved');
  await providers.test('River');
  await expect(providers.done).toContainText(/River: .+ It took \d+ ms\./);

  await laptop.getByRole('link', { name: 'Change River' }).click();
  await laptop.getByRole('textbox', { name: /^Base URL/ }).fill(endpoint.url.replace('127.0.0.1', 'localhost'));
  await providers.save();
  await expect(providers.problem).toBeVisible();
});

test('the models of the chosen provider can be chosen from', async ({ laptop, endpoint }) => {
  const providers = new Providers(laptop);
  await providers.open();
  await providers.add({ ...providerAt(endpoint), name: 'Delta', kind: 'OpenAI-compatible', baseUrl: `${endpoint.url}/v1` });
  const form = new AgentForm(laptop);
  await form.open();
  await expect(form.provider).toHaveValue(/\S/);
  await form.chooseModel.click();
  await expect(form.models.filter({ hasText: Endpoint.openAiModel })).not.toHaveCount(0);
  await laptop.keyboard.press('Escape');
  await form.provider.selectOption({ label: 'None yet' });
  await expect(form.chooseModel).toHaveCount(0);
});

test('the field for a key says where to get one of the kind that is chosen', async ({ laptop }) => {
  const providers = new Providers(laptop);
  await providers.open();
  const place = providers.form.getByRole('link', { name: /^Get a key at/ });
  await expect(place).toHaveText('Get a key at console.anthropic.com');
  await providers.form.getByRole('radio', { name: /^Groq/ }).check();
  await expect(place).toHaveAttribute('href', 'https://console.groq.com/keys');
  await providers.form.getByRole('radio', { name: /^llama\.cpp/ }).check();
  await expect(place).toHaveCount(0);
});
