import type { Random } from '../replica/random.ts';

class Death extends Error {}

/** It may die after any of its writes, and then does nothing more in that round. */
export function createLife(died: (where: string) => void) {
  let writesLeft = Number.POSITIVE_INFINITY;
  const live = (): void => {
    if (writesLeft === 0) throw new Death('the process died');
  };
  return {
    isDead: (): boolean => writesLeft === 0,
    /** Throws in a dead process. */
    live,
    write(): void {
      live();
      writesLeft -= 1;
      if (writesLeft === 0) died(String(new Error('after this').stack));
    },
    /** Chosen in advance: writes run at once, and their order must not change what is drawn later. */
    begin(random: Random, share: number): void {
      writesLeft = Number.POSITIVE_INFINITY;
      if (share > 0) for (writesLeft = 1; !random.chance(share); ) writesLeft += 1;
    },
    end(): void {
      writesLeft = Number.POSITIVE_INFINITY;
    },
  };
}

export type Life = ReturnType<typeof createLife>;
