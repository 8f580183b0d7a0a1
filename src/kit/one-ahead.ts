import { setImmediate as turn } from 'node:timers/promises';

/** Makes the next item while the caller works on one, a turn later so that the caller's work starts first. */
export async function* oneAhead<Item>(source: AsyncGenerator<Item>): AsyncGenerator<Item> {
  let next = source.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = turn().then(() => source.next());
      // The error is thrown when the item is asked for.
      next.catch(() => {});
      yield value;
    }
  } finally {
    // There is no need to wait: nobody takes the item that is being made.
    void source.return(undefined);
  }
}
