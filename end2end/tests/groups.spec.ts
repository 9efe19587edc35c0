// The page of groups, in a browser with script: forms beside each other that stay while the list changes.

import { expect, Person, test } from '../fixtures.ts';

test('the form for a new group is empty again, and what was chosen for one group is not shown for another', async ({ admin, hub }) => {
  const [ada, ben] = [await Person.join(hub), await Person.join(hub)];
  await admin.goto('/groups');
  const make = admin.getByRole('region', { name: 'A new group' });
  for (const name of ['Artists', 'Builders']) {
    await make.getByLabel('Name').fill(name);
    await make.getByRole('checkbox', { name: ada.name, exact: true }).check();
    await make.getByRole('button', { name: 'Make the group' }).click();
    await expect(group(name)).toBeVisible();
    await expect(make.getByLabel('Name')).toHaveValue('');
    await expect(make.getByRole('checkbox', { checked: true })).toHaveCount(0);
  }

  await group('Artists').locator('summary').click();
  await group('Artists').getByRole('checkbox', { name: ben.name, exact: true }).check();
  await group('Artists').getByLabel('Name').fill('Painters');
  await group('Artists').getByRole('button', { name: 'Delete Artists' }).click();
  await expect(group('Artists')).toHaveCount(0);

  const left = group('Builders');
  if ((await left.getAttribute('open')) === null) await left.locator('summary').click();
  await expect(left.getByLabel('Name')).toHaveValue('Builders');
  await expect(left.getByRole('checkbox', { name: ada.name, exact: true })).toBeChecked();
  await expect(left.getByRole('checkbox', { name: ben.name, exact: true })).not.toBeChecked();

  function group(name: string) {
    return admin.locator('details.fold').filter({ has: admin.locator('summary').getByText(name, { exact: true }) });
  }
});
