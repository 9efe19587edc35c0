// The providers page, with JavaScript switched off.

import { Endpoint, expect, test } from '../fixtures.ts';
import { providerAt, Providers } from '../pages/providers.ts';

test('a provider is saved when it answers, tested, and deleted', async ({ laptop, endpoint }) => {
  const providers = new Providers(laptop);
  await providers.open();
  await providers.fill({ ...providerAt(endpoint), key: 'key-bad' });
  await providers.save();
  await expect(providers.problem).toContainText('Not saved');
  await expect(providers.provider('Brook')).toHaveCount(0);

  await providers.add(providerAt(endpoint));
  await expect(providers.done).toContainText('Brook is saved');
  await expect(providers.done.getByRole('link', { name: 'Make an agent' })).toHaveAttribute('href', '/agents/new');
  await expect(providers.provider('Brook')).toContainText('Saved');
  expect(await laptop.content()).not.toContain(Endpoint.key);

  await providers.test('Brook');
  await expect(providers.done).toContainText('The connection to Brook works');

  await providers.delete('Brook');
  await expect(laptop.getByRole('heading', { name: 'No provider yet' })).toBeVisible();
});

test('an address is asked what is there, and what it said is told line by line', async ({ laptop, endpoint }) => {
  await new Providers(laptop).open();
  await laptop.getByRole('textbox', { name: 'Address' }).fill(endpoint.url.replace('http://', ''));
  await laptop.getByRole('button', { name: 'Find out' }).click();
  await expect(laptop.getByRole('listitem').filter({ hasText: 'it wants a key' }).first()).toBeVisible();
  await expect(laptop.getByRole('textbox', { name: 'Address' })).toHaveValue(endpoint.url.replace('http://', ''));
});
