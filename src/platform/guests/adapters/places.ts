/** The right to have a thread. */
export interface Place {
  /** True if somebody waits for a place. */
  isWanted(): boolean;
  /** Keeps the place until somebody wants it; then `leave` is called, and the place is given on once it is done. */
  rest(leave: () => Promise<void>): void;
  /** Ends the rest; false if the place is already being given on. */
  wake(): boolean;
  release(): void;
}

/**
 * A limited number of places, given to those who ask in their order. Who rests makes room, the one that has rested longest first.
 */
export function createPlaces(most: number) {
  const waiting: ((place: Place) => void)[] = [];
  const resting = new Map<Place, () => Promise<void>>();
  let taken = 0;

  function giveOn(): void {
    const next = waiting.shift();
    if (next) next(createPlace());
    else taken -= 1;
  }

  function disturb(): void {
    const [place, leave] = resting.entries().next().value ?? [];
    if (!place || !leave) return;
    resting.delete(place);
    void leave().finally(giveOn);
  }

  function createPlace(): Place {
    const place: Place = {
      isWanted: () => waiting.length > 0,
      rest(leave) {
        resting.set(place, leave);
        if (waiting.length > 0) disturb();
      },
      wake: () => resting.delete(place),
      release: giveOn,
    };
    return place;
  }

  return {
    take(): Promise<Place> {
      const { promise, resolve } = Promise.withResolvers<Place>();
      waiting.push(resolve);
      if (taken < most) {
        taken += 1;
        giveOn();
      } else disturb();
      return promise;
    },
  };
}

export type Places = ReturnType<typeof createPlaces>;
