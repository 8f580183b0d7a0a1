import { setImmediate as turn } from 'node:timers/promises';

/** The items of a source; while one is worked on, the next is made, behind what that work begins with. */
export async function* oneAhead<Item>(source: AsyncGenerator<Item>): AsyncGenerator<Item> {
  let next = source.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = turn().then(() => source.next());
      // What fails is told once it is asked for.
      next.catch(() => {});
      yield value;
    }
  } finally {
    // Not waited for: what is being made has no taker any more.
    void source.return(undefined);
  }
}
