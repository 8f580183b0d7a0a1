import { setImmediate as turn } from 'node:timers/promises';

/** Each turn accepts one new connection, and many may be waiting. */
const TURNS_BETWEEN = 8;

let last: Promise<void> = Promise.resolve();

/**
 * Gives one large piece of work its own turn of the event loop, which it would otherwise share with everything that
 * arrived at the same moment. Such pieces queue up, and all other work gets several turns between two of them.
 */
export function ownTurn(): Promise<void> {
  last = last.then(waitTurns);
  return last;
}

async function waitTurns(): Promise<void> {
  for (let turns = 0; turns < TURNS_BETWEEN; turns += 1) await turn();
}
