import { cutAfter } from '../../text/cut.ts';

const LONGEST = 200;

/** A long value is cut to the beginning of its JSON. */
export function shortened(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text.length <= LONGEST ? value : cutAfter(text, LONGEST);
}
