// Which vectors were tried, which of them ran, and what was seen of them outside.

import { VECTORS, type Vector } from './vectors.ts';
import { PLACES, UNPROTECTED, type PlaceKey } from './places.ts';
import type { Arrival } from './world.ts';

export interface Attempt {
  vector: Vector;
  place: PlaceKey;
  number: number;
}

export class Findings {
  constructor(
    private readonly attempts: Attempt[],
    private readonly ran: ReadonlySet<number>,
    private readonly arrivals: Arrival[],
    /** All that left the browser which shows only sealed frames; packets are counted where they leave it. */
    readonly sealed: { packets: number; arrivals: Arrival[] },
  ) {}

  /** The vectors that were tried in a place. */
  tried(place: PlaceKey): Vector[] {
    return this.at(place).map(({ vector }) => vector);
  }

  /** The vectors whose script never said that it runs. */
  notRun(place: PlaceKey): string[] {
    return this.at(place).filter(({ number }) => !this.ran.has(number)).map(({ vector }) => vector.name);
  }

  /** The vectors that got out of a place. */
  leaks(place: PlaceKey): string[] {
    return this.at(place).filter(({ number }) => this.kinds(number).length > 0).map(({ vector }) => vector.name);
  }

  /** As what a vector was seen outside; `null` where it was not tried. */
  seen(vector: string, place: PlaceKey): Arrival['kind'][] | null {
    const attempt = this.at(place).find((it) => it.vector.name === vector);
    return attempt ? this.kinds(attempt.number) : null;
  }

  /** All of it, as a table that a person reads. */
  table(): string {
    const places: PlaceKey[] = [...UNPROTECTED, 'skin', 'skinNested', 'skinWorker', 'loopWorker', 'noAllowList', 'noPolicy', 'noFrameSource', 'allowListAlone'];
    const row = (cells: string[]) => `| ${cells.join(' | ')} |\n`;
    const cell = (name: string, place: PlaceKey) => this.seen(name, place)?.join(', ').replace(/^$/, 'nothing') ?? '';
    return [
      row(['', ...places.map((place) => PLACES[place].name)]),
      row(places.map(() => '---').concat('---')),
      ...VECTORS.map(({ name }) => row([`\`${name}\``, ...places.map((place) => cell(name, place))])),
    ].join('');
  }

  private at(place: PlaceKey): Attempt[] {
    return this.attempts.filter((it) => it.place === place);
  }

  private kinds(number: number): Arrival['kind'][] {
    return [...new Set(this.arrivals.filter((it) => it.number === number).map(({ kind }) => kind))].sort();
  }
}
