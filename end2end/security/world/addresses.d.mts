export const MOST: number;
export const GATEWAY: string;
export const BROWSER: string;
export function nameOf(number: number): string;
export function addressOf(number: number): string;
export function portOf(number: number): number;
export function numberOfName(name: string): number | null;
export function numberOfAddress(address: string): number | null;
