import { part } from './dom.ts';

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Shows a fault in the page's `#fault`; null takes away the last one. */
export function tell(fault: string | null): void {
  const place = part('fault');
  place.hidden = fault === null;
  place.textContent = fault;
}
