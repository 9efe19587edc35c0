// Jobs elsewhere: a repository is added, an agent starts a workflow there after a yes, its log is read while it comes,
// and it ends or is cancelled.

import { axe, createAgent, expect, screens, test } from '../fixtures.ts';
import { post } from '../fixtures/api.ts';
import { JobServer } from '../fixtures/job-server.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { ExternalJobsPage } from '../pages/external-jobs-page.ts';

test('a workflow is started by an agent with a yes, followed live on a phone, and told of; another is cancelled', async ({ laptop, phone, endpoint }) => {
  const server = await JobServer.start();
  try {
    const page = new ExternalJobsPage(laptop);
    await page.open();
    await expect(laptop.getByRole('heading', { name: 'No service yet' })).toBeVisible();
    await screens(laptop, 'external-jobs-empty');
    await page.addRepository('ci', server.url, 'octo/garden', 'build.yml main job_id', server.logs);
    await expect(page.problem).toContainText('It wants to know who asks');
    await screens(laptop, 'job-service-failed');
    await page.setToken(JobServer.token);
    await expect(page.done).toContainText('This says who asks from now on');
    expect(await laptop.content()).not.toContain(JobServer.token);
    await page.press('Test');
    await expect(page.done).toContainText('It answers.');
    await axe(laptop);

    const id = await createAgent(laptop, endpoint, 'Ada', 'hub', ['external_job']);
    await post(laptop, 'agents/set_network', [
      ['id', id],
      ['policy', 'allow_list'],
      ['hosts', server.host],
    ]);
    const input = { action: 'start', service: 'ci', job: 'build.yml', input: { leaf: 'moss' } };
    const start = `turns: ${JSON.stringify([[{ tool: 'external_job', input }], [{ text: 'It is under way.' }]])}`;
    const agent = new AgentPage(laptop);
    await agent.open(id);
    await agent.say(start);
    await expect(agent.approval).toBeVisible();
    expect(await server.jobs()).toEqual([]);
    await screens(laptop, 'external-job-approval');
    await agent.approval.getByRole('button', { name: 'Allow once' }).click();
    await expect(agent.messages.last()).toHaveText('It is under way.');
    const [first] = await server.jobs();
    expect(first.inputs.leaf).toBe('moss');

    const onPhone = new ExternalJobsPage(phone);
    await onPhone.open();
    await onPhone.job('build.yml at ci').getByRole('link', { name: 'build.yml at ci' }).click();
    await server.say(first.id, 'Growing moss\n');
    await expect(onPhone.log).toContainText('Growing moss', { timeout: 20_000 });
    await expect(onPhone.standing).toContainText('step 2 of 2, Grow moss', { timeout: 20_000 });
    await screens(phone, 'external-job');
    await axe(phone);
    await server.say(first.id, 'Moss has grown\n');
    await server.end(first.id, 'success');
    await expect(onPhone.standing).toContainText('Succeeded', { timeout: 20_000 });
    await expect(onPhone.log).toContainText('Moss has grown');
    await expect(onPhone.result).toContainText('moss.zip');
    await expect(agent.log).toContainText('build.yml at ci has ended: Job 1: It succeeded.', { timeout: 20_000 });

    await agent.say(start);
    await agent.approval.getByRole('button', { name: 'Allow once' }).click();
    await expect.poll(async () => (await server.jobs()).length).toBe(2);
    await page.open();
    await page.jobs.first().getByRole('link', { name: 'build.yml at ci' }).click();
    await page.press('Cancel the job');
    await expect(page.standing).toContainText('Cancelled', { timeout: 20_000 });
    await screens(laptop, 'external-job-cancelled');

    await page.open();
    await page.services.getByRole('link', { name: 'ci', exact: true }).click();
    await page.remove();
    await expect(laptop.getByRole('heading', { name: 'No service yet' })).toBeVisible();
  } finally {
    await server.stop();
  }
});
