// The whole measurement: every vector in each of some places, and who was seen outside.

import { until } from '../fixtures/process.ts';
import type { Start, Tab } from './browser.ts';
import { Door } from './door.ts';
import { Findings, type Attempt } from './findings.ts';
import { PLACES, UNPROTECTED, fires, isTried, order, type Place, type PlaceKey } from './places.ts';
import { VECTORS } from './vectors.ts';
import { World, type Arrival } from './world.ts';
import { MOST, nameOf } from './world/addresses.mjs';

const PATIENCE_SECONDS = 20;

export async function experiment(hub: string, start: Start, places: PlaceKey[]): Promise<Findings> {
  const door = await Door.open(hub);
  const { port } = new URL(hub);
  const [sealed, open] = await Promise.all([World.make(start, door.socket, port), World.make(start, door.socket, port)]);
  try {
    const attempts = list(places);
    const ran = new Set<number>();
    for (const isLast of [false, true]) {
      const now = attempts.filter(({ vector }) => (vector.last ?? false) === isLast);
      // The unprotected places come second: what takes time takes it there as well, and once all of
      // them have been seen, the sealed ones have had longer.
      const tabs = await tryAll(hub, sealed, now.filter(({ place }) => PLACES[place].isSealed), ran);
      tabs.push(...(await tryAll(hub, open, now.filter(({ place }) => !PLACES[place].isSealed), ran)));
      const due = now.filter(({ vector, place }) => UNPROTECTED.includes(place) && fires(vector, PLACES[place]));
      // Who is missing then is for the tests to say.
      await until('Each', PATIENCE_SECONDS, async () => due.every((it) => isSeen(open, it.number))).catch(() => undefined);
      await Promise.all(tabs.map((tab) => tab.clear().catch(() => undefined)));
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
function list(places: PlaceKey[]): Attempt[] {
  const pairs = places.flatMap((place) => VECTORS.filter((vector) => isTried(vector, PLACES[place])).map((vector) => ({ vector, place })));
  if (pairs.length >= MOST) throw new Error(`${pairs.length} attempts are more than there are numbers.`);
  return pairs.map((pair, index) => ({ ...pair, number: index + 1 }));
}

/** Makes the attempts and notes which of them ran; returns the tabs that hold their frames. */
async function tryAll(hub: string, world: World, attempts: Attempt[], ran: Set<number>): Promise<Tab[]> {
  const tabs: Tab[] = [];
  for (const group of together(attempts)) {
    const place: Place = PLACES[group[0]!.place];
    const tab = await world.browser.open(hub + place.harness);
    tabs.push(tab);
    const orders = group.map(({ vector, number }) => order(vector, place, number));
    // A vector may take the page itself away, or what the driver knows of it.
    const opened = tab.make(orders, (number) => ran.add(number));
    await (group.length > 1 ? opened : opened.catch(() => undefined));
  }
  return tabs;
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
  await world.browser.open(`http://${nameOf(0)}/`);
  await until('The world to see its own page', PATIENCE_SECONDS, async () => isSeen(world, 0));
  return world.arrivals.slice(before).filter(({ number }) => number !== 0);
}
