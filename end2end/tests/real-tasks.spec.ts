// Ten tasks of everyday work, from what a person says to what they hold in their hands: what the conversation shows of
// each step, and the file as other programs read it.

import type { Locator, Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { axe, createAgent, expect, OpenData, Pages, screens, Searxng, test as base } from '../fixtures.ts';
import { allow, post } from '../fixtures/api.ts';
import { download, downloadedDocument } from '../fixtures/documents.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { FilesPage } from '../pages/files-page.ts';
import { WebSearchPage } from '../pages/web-search-page.ts';

/** Pages, services and searches of this machine stand for those of the web. */
const test = base.extend<{}, { services: OpenData }>({
  services: [
    async ({}, use) => {
      const services = await OpenData.start();
      await use(services);
      await services.end();
    },
    { scope: 'worker' },
  ],
  settings: [
    async ({ services: { url } }, use) =>
      use({ VIVARIUM_PRIVATE_WEB: 'on', VIVARIUM_GEOCODING_URL: url, VIVARIUM_WEATHER_URL: url, VIVARIUM_RATES_URL: url }),
    { scope: 'worker' },
  ],
});

type Call = [tool: string, input: object];

/** What a person says, and what the model does about it: a call at a time, and at last the answer. */
const task = (said: string, calls: Call[], answer: string) =>
  `${said}\nturns: ${JSON.stringify([...calls.map(([tool, input]) => [{ tool, input }]), [{ text: answer }]])}`;

/** Every call came to its end, and none failed. */
async function worked(agent: AgentPage, calls: number): Promise<void> {
  const tools = agent.log.locator('.tool');
  await expect(tools).toHaveCount(calls);
  for (const tool of await tools.all()) await expect(tool).toHaveAttribute('data-status', 'done');
}

/** Opens what a call did. */
async function opened(agent: AgentPage, text: string): Promise<Locator> {
  const call = agent.log.locator('.tool').filter({ hasText: text }).last();
  await call.locator('summary').click();
  return call;
}

/** From the call that made it, the person goes to the file. */
async function toFile(agent: AgentPage, text: string): Promise<void> {
  await (await opened(agent, text)).getByRole('link', { name: 'Open the file' }).click();
}

async function reach(page: Page, agent: string, hosts: string[]): Promise<void> {
  await post(page, 'agents/set_network', [
    ['id', agent],
    ['policy', 'allow_list'],
    ['hosts', hosts.join(' ')],
  ]);
}

const pictures = async (page: Page, name: string) => {
  await screens(page, `task-${name}`);
};

test('a report from three pages becomes a Word document', async ({ laptop, endpoint }) => {
  const pages = await Pages.start({
    '/star': ['Star moss', 'Star moss grows on sand. It was counted 12 times in 2026, mostly beside paths that nobody rakes any more.'],
    '/peat': ['Peat moss', 'Peat moss holds twenty times its weight in water. It was counted 3 times in 2026, all of them in the bog.'],
    '/cushion': ['Cushion moss', 'Cushion moss likes acid soil. It was counted 7 times in 2026, under the beeches at the northern wall.'],
  });
  const id = await createAgent(laptop, endpoint, 'Fern', 'hub', ['document', 'write']);
  await reach(laptop, id, [pages.host]);
  await allow(laptop, id, 'fetch', '');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const content = `# Mosses of 2026\n\nStar moss was counted most often, see [its page](${pages.url('/star')}).\n\n| Kind | Count |\n| --- | --- |\n| Star | 12 |\n| Peat | 3 |\n| Cushion | 7 |\n`;
  const calls: Call[] = [
    ...['/star', '/peat', '/cushion'].map((path): Call => ['fetch', { url: pages.url(path) }]),
    ['document', { path: 'reports/mosses.docx', content }],
  ];
  await agent.say(task('Make a report of these three pages.', calls, 'The report is in **reports/mosses.docx**.'));
  // After the first page the conversation holds words of strangers, and the next ones need a yes in spite of the rule.
  for (const path of ['/peat', '/cushion']) {
    await agent.approval.filter({ hasText: path }).getByRole('button', { name: 'Allow once' }).click();
  }
  await expect(agent.messages.last()).toHaveText('The report is in reports/mosses.docx.');
  await worked(agent, 4);
  const page = await opened(agent, '/peat');
  await expect(page).toContainText('It was counted 3 times in 2026');
  await pictures(laptop, 'report');
  await toFile(agent, 'reports/mosses.docx');
  await expect(new FilesPage(laptop).contents.getByRole('cell', { name: 'Cushion' })).toBeVisible();
  await pictures(laptop, 'report-file');
  const found = await downloadedDocument(laptop);
  expect(found.paragraphs[0]).toEqual(['Heading 1', 'Mosses of 2026']);
  expect(found.tables).toEqual([[['Kind', 'Count'], ['Star', '12'], ['Peat', '3'], ['Cushion', '7']]]);
  expect(found.links).toEqual([pages.url('/star')]);
  pages.end();
});

test('a messy CSV becomes a workbook with a chart', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern', 'hub', ['read', 'document']);
  const files = new FilesPage(laptop);
  await files.open(id);
  const csv = 'month;sold;price\n Jan ;12;"1,50"\n\nFeb;n/a;1.60\nMar; 20;"1,75"\nMar; 20;"1,75"\n';
  await files.upload('data', { name: 'sales.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await expect(files.row('sales.csv')).toBeVisible();
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const sheet = {
    name: 'Sales',
    columns: [{ name: 'Month' }, { name: 'Sold' }, { name: 'Price', format: '#,##0.00' }, { name: 'Total', format: '#,##0.00' }],
    rows: [['Jan', 12, 1.5, '=B2*C2'], ['Feb', null, 1.6, '=B3*C3'], ['Mar', 20, 1.75, '=B4*C4'], ['Sum', '=SUM(B2:B4)', null, '=SUM(D2:D4)']],
    chart: { kind: 'column', title: 'Sold', categories: 'Month', values: ['Sold'] },
  };
  const calls: Call[] = [['read', { path: 'data/sales.csv' }], ['document', { path: 'data/sales.xlsx', sheets: [sheet] }]];
  await agent.say(task('Clean sales.csv up, with a chart.', calls, 'One row stood there twice, and February has no number.'));
  await expect(agent.messages.last()).toHaveText('One row stood there twice, and February has no number.');
  await worked(agent, 2);
  await expect(await opened(agent, 'data/sales.csv')).toContainText('n/a;1.60');
  await toFile(agent, 'data/sales.xlsx');
  await expect(files.contents.getByRole('cell', { name: '[=SUM(B2:B4)]' })).toBeVisible();
  await pictures(laptop, 'workbook');
  const { Sales } = await downloadedDocument(laptop);
  expect(Sales.rows).toEqual([['Month', 'Sold', 'Price', 'Total'], ['Jan', 12, 1.5, '=B2*C2'], ['Feb', null, 1.6, '=B3*C3'], ['Mar', 20, 1.75, '=B4*C4'], ['Sum', '=SUM(B2:B4)', null, '=SUM(D2:D4)']]);
  expect(Sales.charts).toEqual([['BarChart', 1]]);
});

test('a failing test of a small repository is put right in the terminal', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern', 'hub', ['terminal', 'read', 'edit', 'write']);
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const total = 'total() {\n  sum=0\n  for n in "$@"; do sum=$((sum - n)); done\n  echo "$sum"\n}\n';
  const check = '. ./total.sh\n[ "$(total 2 3)" = 5 ] && echo "ok: two and three" || { echo "not ok: total 2 3 gave $(total 2 3)"; exit 1; }\n';
  const test = { command: 'cd repo && sh test.sh' };
  const calls: Call[] = [
    ['write', { path: 'repo/total.sh', content: total }],
    ['write', { path: 'repo/test.sh', content: check }],
    ['terminal', test],
    ['read', { path: 'repo/total.sh' }],
    ['edit', { path: 'repo/total.sh', old_string: 'sum - n', new_string: 'sum + n' }],
    ['terminal', test],
  ];
  await agent.say(task('Make the test pass.', calls, 'The sum was taken off instead of added. The test passes.'));
  await expect(agent.approval).toContainText('cd repo && sh test.sh');
  const onPhone = new AgentPage(phone);
  await onPhone.open(id);
  await onPhone.show('Conversation');
  await pictures(phone, 'terminal-asked');
  await onPhone.approval.getByText('More answers').click();
  await onPhone.approval.getByRole('button', { name: 'For this run' }).click();
  await expect(agent.messages.last()).toHaveText('The sum was taken off instead of added. The test passes.');
  const runs = agent.log.locator('.tool').filter({ hasText: 'sh test.sh' });
  await runs.first().locator('summary').click();
  await expect(runs.first()).toContainText('not ok: total 2 3 gave -5');
  await runs.last().locator('summary').click();
  await expect(runs.last()).toContainText('ok: two and three');
  await expect(runs.last()).toContainText('It succeeded');
  const change = await opened(agent, 'edit');
  await expect(change.locator('.diff-line[data-kind="added"]')).toContainText('sum + n');
  await pictures(laptop, 'repository');
  await change.getByRole('link', { name: 'Open the file' }).click();
  expect((await download(laptop)).bytes.toString()).toBe(total.replace('sum - n', 'sum + n'));
});

test('JSON becomes YAML', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern', 'hub', ['write', 'convert']);
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const garden = { beds: [{ name: 'north', plants: ['fern', 'moss'] }], watered: true, note: 'yes: every day' };
  const calls: Call[] = [
    ['write', { path: 'garden.json', content: JSON.stringify(garden) }],
    ['convert', { path: 'garden.json', to: 'garden.yaml' }],
  ];
  await agent.say(task('Make YAML of this.', calls, 'It is in garden.yaml.'));
  await expect(agent.messages.last()).toHaveText('It is in garden.yaml.');
  await worked(agent, 2);
  await toFile(agent, 'garden.yaml');
  await expect(new FilesPage(laptop).contents).toContainText('- name: north');
  const { name, bytes } = await download(laptop);
  expect(name).toBe('garden.yaml');
  // What would be something else in YAML stands in quotes.
  expect(bytes.toString()).toMatch(/^beds:\n *- name: north\n +plants:\n +- fern\n +- moss\nwatered: true\nnote: ["']yes: every day["']\n$/);
});

test('notes become slides', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern', 'hub', ['read', 'document']);
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const notes = 'moss talk: where it grows (shade, stones), who counted what (star 12, peat 3)';
  await agent.files.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from(notes) });
  await expect(agent.added).toHaveText([/notes\.txt/]);
  const content = '# On moss\n\nA talk\n\n# Where it grows\n\n- In the shade\n- On stones\n\n# What was counted\n\n| Kind | Count |\n| --- | --- |\n| Star | 12 |\n| Peat | 3 |\n';
  const calls: Call[] = [['read', { path: '/uploads/notes.txt' }], ['document', { path: 'talk.pptx', content }]];
  await agent.say(task('Make slides of my notes.', calls, 'Three slides are in talk.pptx.'));
  await expect(agent.messages.last()).toHaveText('Three slides are in talk.pptx.');
  await worked(agent, 2);
  await expect(await opened(agent, '/uploads/notes.txt')).toContainText('who counted what');
  await pictures(laptop, 'slides');
  await phone.goto(`/agents/${id}/files/view?path=talk.pptx`);
  await expect(new FilesPage(phone).contents.getByRole('heading', { name: 'Slide 3 of 3' })).toBeVisible();
  await pictures(phone, 'slides-file');
  const slides = await downloadedDocument(phone);
  expect(slides.map((slide: { title: string }) => slide.title)).toEqual(['On moss', 'Where it grows', 'What was counted']);
  expect(slides[1].texts).toEqual(['In the shade\nOn stones']);
  expect(slides[2].tables).toEqual([[['Kind', 'Count'], ['Star', '12'], ['Peat', '3']]]);
});

test('a question about a PDF is answered with what stands there', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern', 'hub', ['read']);
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const buffer = readFileSync(new URL('../../server/hub/tests/it/fixtures/documents/report.pdf', import.meta.url));
  await agent.files.setInputFiles({ name: 'report.pdf', mimeType: 'application/pdf', buffer });
  await expect(agent.added).toHaveText([/report\.pdf/]);
  const answer = 'On page 2 it says:\n\n> Line 4 on page 2: moss is green.\n\nSo green is its colour.';
  await agent.say(task('Which colour is moss?', [['read', { path: '/uploads/report.pdf', pages: '2' }]], answer));
  await expect(agent.messages.last().locator('blockquote')).toHaveText('Line 4 on page 2: moss is green.');
  await worked(agent, 1);
  await expect(await opened(agent, '/uploads/report.pdf')).toContainText('Line 4 on page 2: moss is green.');
  await pictures(laptop, 'pdf');
});

test('a name is found in two hundred files and replaced in those that have it', async ({ laptop, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern', 'hub', ['terminal', 'grep', 'read', 'edit']);
  await allow(laptop, id, 'terminal', '');
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const command = 'mkdir -p notes && for n in $(seq 1 200); do echo "note $n" > notes/$n.md; done; for n in 7 77 177; do printf "By Fernn.\\nAsk Fernn or Ada.\\n" >> notes/$n.md; done';
  const found = { pattern: 'Fernn', glob: '*.md', output_mode: 'count' };
  const edits = [{ old_string: 'By Fernn.', new_string: 'By Fern.' }, { old_string: 'Ask Fernn or', new_string: 'Ask Fern or' }];
  const paths = [7, 77, 177].map((number) => `notes/${number}.md`);
  const calls: Call[] = [
    ['terminal', { command }],
    ['grep', found],
    ...paths.flatMap((path): Call[] => [['read', { path }], ['multi_edit', { path, edits }]]),
    ['grep', found],
  ];
  await agent.say(task('The name is Fern, not Fernn.', calls, 'It stood six times in three files, and stands nowhere now.'));
  await expect(agent.messages.last()).toHaveText('It stood six times in three files, and stands nowhere now.');
  await worked(agent, 9);
  const searches = agent.log.locator('.tool').filter({ hasText: 'grep' });
  await searches.first().locator('summary').click();
  for (const path of paths) await expect(searches.first()).toContainText(`/agent/${path}`);
  const change = await opened(agent, 'notes/177.md');
  await expect(change.locator('.diff-line[data-kind="added"]')).toHaveText(['+By Fern.', '+Ask Fern or Ada.']);
  await pictures(laptop, 'replaced');
  await change.getByRole('link', { name: 'Open the file' }).click();
  expect((await download(laptop)).bytes.toString()).toBe('note 177\nBy Fern.\nAsk Fern or Ada.\n');
});

test('a plan is kept beside the conversation, and ticked by agent and person', async ({ laptop, phone, endpoint }) => {
  const id = await createAgent(laptop, endpoint, 'Fern', 'hub', ['todo', 'write']);
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const tasks = [{ text: 'Write the letter', state: 'in_progress' }, { text: 'Ask Ada to read it' }, { text: 'Send it' }];
  const calls: Call[] = [
    ['todo', { action: 'replace', tasks }],
    ['write', { path: 'letter.md', content: '# Dear Ada\n' }],
    ['todo', { action: 'complete', id: 1 }],
  ];
  await agent.say(task('Plan it, and begin.', calls, 'The letter is written. Somebody has to read it.'));
  await expect(agent.messages.last()).toHaveText('The letter is written. Somebody has to read it.');
  await worked(agent, 3);
  await expect(agent.todo).toContainText('1 of 3 done');
  const there = new AgentPage(phone);
  await there.open(id);
  await there.show('Conversation');
  await there.todo.locator('summary').click();
  await there.todo.getByRole('checkbox', { name: 'Ask Ada to read it' }).click();
  await expect(agent.todo).toContainText('2 of 3 done');
  await pictures(phone, 'plan');
  await agent.say(task('It is read.', [['todo', { action: 'list' }]], 'Then it can be sent.'));
  await expect(agent.messages.last()).toHaveText('Then it can be sent.');
  const told = JSON.stringify((await endpoint.requests()).at(-1)!.body.messages.at(-1)).replaceAll('\\', '');
  expect(told).toMatch(/"state":"done","text":"Ask Ada to read it"/);
});

test('what the web says is searched for, read, and named with its address', async ({ laptop, endpoint }) => {
  const pages = await Pages.start({
    '/rare': ['Rare mosses', 'Of all mosses in the county, goblin gold is the rarest: it was seen once, in a cave at the river, in March 2026.'],
  });
  const results = [
    { title: 'Rare <b>mosses</b>', url: pages.url('/rare'), content: 'Which of them is the rarest?', publishedDate: '2026-03-20T00:00:00' },
    { title: 'Mosses of the north', url: 'https://north.example/', content: 'There are many.' },
  ];
  const engine = await Searxng.start({ results });
  const sources = new WebSearchPage(laptop);
  await sources.open();
  await sources.add('SearXNG', { url: engine.url });
  const id = await createAgent(laptop, endpoint, 'Fern');
  await reach(laptop, id, [pages.host, engine.host]);
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const calls: Call[] = [['web_search', { query: 'rarest moss' }], ['read_page', { url: pages.url('/rare') }]];
  await agent.say(task('Which moss is the rarest?', calls, `Goblin gold, seen once ([Rare mosses](${pages.url('/rare')})).`));
  // A search brought words of strangers, and what is read next could carry something to them.
  await expect(agent.approval).toContainText('This conversation holds words of strangers');
  await pictures(laptop, 'search-asked');
  await agent.approval.getByRole('button', { name: 'Allow once' }).click();
  const source = agent.messages.last().getByRole('list', { name: 'Sources' }).getByRole('listitem').filter({ hasText: 'Rare mosses' });
  await expect(source).toBeVisible();
  await worked(agent, 2);
  const found = (await opened(agent, 'rarest moss')).getByRole('listitem');
  await expect(found.first()).toContainText('2026-03-20');
  await expect(found.first().getByRole('link')).toHaveAttribute('data-address', pages.url('/rare'));
  await expect(await opened(agent, 'read_page')).toContainText('it was seen once, in a cave');
  await pictures(laptop, 'searched');
  await axe(laptop);
  for (const server of [pages, engine]) server.end();
});

test('the weather and what a trip costs are told, and drawn within the answer', async ({ laptop, phone, endpoint, services }) => {
  const id = await createAgent(laptop, endpoint, 'Fern', 'hub', ['render_ui']);
  await reach(laptop, id, [services.host]);
  const agent = new AgentPage(laptop);
  await agent.open(id);
  const bars = [8, 9, 10].map((height, at) => `<rect x="${at * 60 + 10}" y="${100 - height * 8}" width="40" height="${height * 8}" fill="#3d9a5d"/>`).join('');
  const html = `<svg viewBox="0 0 200 110" role="img" aria-label="Highest temperatures of three days: 8, 9 and 10 degrees">${bars}</svg>`;
  const calls: Call[] = [
    ['weather', { place: 'Berlin', days: 3 }],
    ['exchange_rates', { base: 'EUR', to: ['USD'], amount: '249.90' }],
    ['render_ui', { title: 'Three days in Berlin', html }],
  ];
  await agent.say(task('How will Berlin be, and what is 249.90 € in dollars?', calls, 'Light rain, and **262.27 USD**.'));
  await expect(agent.messages.last()).toHaveText('Light rain, and 262.27 USD.');
  await worked(agent, 3);
  await expect(await opened(agent, 'weather')).toContainText('Berlin, State of Berlin, Germany (52.52, 13.41)');
  await expect(await opened(agent, 'exchange_rates')).toContainText('262.27005');
  for (const page of [laptop, phone]) {
    if (page === phone) {
      const there = new AgentPage(phone);
      await there.open(id);
      await there.show('Conversation');
    }
    const chart = page.frameLocator('iframe[title="Three days in Berlin"]').getByRole('img', { name: /Highest temperatures/ });
    await expect(chart).toBeVisible();
    expect(await chart.locator('rect').count()).toBe(3);
  }
  await pictures(laptop, 'weather');
});
