// How a figure is told: its median, its extremes, and all that was measured.

export function tell(what: string, unit: string, measured: number[]): void {
  const sorted = measured.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(1);
  const raw = measured.map((each) => each.toFixed(1)).join(' ');
  console.log(`${what}: p50 ${at(0.5)} ${unit}, p99 ${at(0.99)}, largest ${at(1)}; raw ${raw}`);
}
