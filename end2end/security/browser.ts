// What an experiment needs of a browser, whichever it is.

import type { FrameOrder } from './frames.ts';

/** Runs inside a world: nothing that opens in it has another way out. */
export interface Browser {
  open(address: string): Promise<Tab>;
  close(): Promise<void>;
}

export interface Tab {
  /** Makes all attempts at once, and tells which of them ran as they do. */
  make(orders: FrameOrder[], ran: (number: number) => void): Promise<void>;
  /** Takes all frames away. */
  clear(): Promise<void>;
}

/** Starts a browser in the namespaces of the process `inside`, with a new profile in `folder`. */
export type Start = (inside: number, folder: string) => Promise<Browser>;
