import { setImmediate as turn } from 'node:timers/promises';

/** A turn takes one new connection, and many may come at once. */
const TURNS_BETWEEN = 8;

let last: Promise<void> = Promise.resolve();

/**
 * A turn of the event loop for one large piece of work, which would otherwise share it with all that came in the same
 * moment. Those who ask stand in line, and everybody else has some turns between two of them.
 */
export function ownTurn(): Promise<void> {
  last = last.then(waitTurns);
  return last;
}

async function waitTurns(): Promise<void> {
  for (let turns = 0; turns < TURNS_BETWEEN; turns += 1) await turn();
}
