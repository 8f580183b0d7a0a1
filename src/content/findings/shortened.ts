import { cutAfter } from '../../text/cut.ts';

const LONGEST = 200;

/** A value as reports show it: itself, or the beginning of its JSON where that is long. */
export function shortened(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text.length <= LONGEST ? value : cutAfter(text, LONGEST);
}
