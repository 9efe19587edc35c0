// The whole measurement: every vector in every place, and who was seen outside.

import type { Page } from '@playwright/test';
import { until } from '../fixtures/process.ts';
import { Door } from './door.ts';
import { Findings, type Attempt } from './findings.ts';
import { openFrames, removeFrames } from './frames.ts';
import { PLACES, UNPROTECTED, fires, isTried, order, type Place, type PlaceKey } from './places.ts';
import { VECTORS } from './vectors.ts';
import { World, type Arrival } from './world.ts';
import { MOST, nameOf } from './world/addresses.mjs';

const PATIENCE_SECONDS = 20;

export async function experiment(hub: string): Promise<Findings> {
  const door = await Door.open(hub);
  const { port } = new URL(hub);
  const [sealed, open] = await Promise.all([World.make(door.socket, port), World.make(door.socket, port)]);
  try {
    const attempts = list();
    const ran = new Set<number>();
    for (const isLast of [false, true]) {
      const now = attempts.filter(({ vector }) => (vector.last ?? false) === isLast);
      // The unprotected places come second: what takes time takes it there as well, and once all of
      // them have been seen, the sealed ones have had longer.
      const pages = await tryAll(hub, sealed, now.filter(({ place }) => PLACES[place].isSealed), ran);
      pages.push(...(await tryAll(hub, open, now.filter(({ place }) => !PLACES[place].isSealed), ran)));
      const due = now.filter(({ vector, place }) => UNPROTECTED.includes(place) && fires(vector, PLACES[place]));
      // Who is missing then is for the tests to say.
      await until('Each', PATIENCE_SECONDS, async () => due.every((it) => isSeen(open, it.number))).catch(() => undefined);
      await Promise.all(pages.map((page) => page.evaluate(removeFrames).catch(() => undefined)));
    }
    const packets = await sealed.packets();
    const arrivals = [...sealed.arrivals];
    const late = await beSeen(sealed);
    return new Findings(attempts, ran, [...sealed.arrivals, ...open.arrivals], { packets, arrivals: [...arrivals, ...late] });
  } finally {
    await Promise.all([sealed.end(), open.end()]);
    await door.close();
  }
}

/** Number 0 belongs to no attempt but to `beSeen`. */
function list(): Attempt[] {
  const places = Object.entries(PLACES) as [PlaceKey, Place][];
  const pairs = places.flatMap(([place, it]) => VECTORS.filter((vector) => isTried(vector, it)).map((vector) => ({ vector, place })));
  if (pairs.length >= MOST) throw new Error(`${pairs.length} attempts are more than there are numbers.`);
  return pairs.map((pair, index) => ({ ...pair, number: index + 1 }));
}

/** Makes the attempts and notes which of them ran; returns the pages that hold their frames. */
async function tryAll(hub: string, world: World, attempts: Attempt[], ran: Set<number>): Promise<Page[]> {
  const pages: Page[] = [];
  for (const group of together(attempts)) {
    const place: Place = PLACES[group[0]!.place];
    const page = await world.browser.newPage();
    pages.push(page);
    await page.exposeFunction('ran', (number: number) => ran.add(number));
    await page.goto(hub + place.harness);
    // A vector may take the page itself away, or what Playwright knows of it.
    const opened = page.evaluate(openFrames, group.map(({ vector, number }) => order(vector, place, number)));
    await (group.length > 1 ? opened : opened.catch(() => undefined));
  }
  return pages;
}

/** What can share a page, and each that cannot by itself. */
function together(attempts: Attempt[]): Attempt[][] {
  const groups = new Map<string, Attempt[]>();
  for (const attempt of attempts) {
    const { vector, place } = attempt;
    const key = vector.alone || vector.last ? `${place} ${vector.name}` : place;
    groups.set(key, [...(groups.get(key) ?? []), attempt]);
  }
  return [...groups.values()];
}

function isSeen(world: World, number: number): boolean {
  return world.arrivals.some((it) => it.number === number);
}

/** Opens a page outside: nobody is deaf there, and what left before has arrived before. Returns what else was seen. */
async function beSeen(world: World): Promise<Arrival[]> {
  const before = world.arrivals.length;
  const page = await world.browser.newPage();
  await page.goto(`http://${nameOf(0)}/`);
  await until('The world to see its own page', PATIENCE_SECONDS, async () => isSeen(world, 0));
  return world.arrivals.slice(before).filter(({ number }) => number !== 0);
}
