/** The right to have a thread. */
export interface Place {
  /** True if somebody waits who may have this place. */
  isWanted(): boolean;
  /** Keeps the place until somebody wants it; then `leave` is called, and the place is given on once it is done. */
  rest(leave: () => Promise<void>): void;
  /** Ends the rest; false if the place is already being given on. */
  wake(): boolean;
  release(): void;
}

export interface PlacesOptions {
  most: number;
  /** Of one owner, so that the others have some. */
  mostOfOwner: number;
}

interface Waiting {
  owner: string;
  give(place: Place): void;
}

/**
 * A limited number of places, given in the order of asking to those whose owner may have one more. Who rests makes room, the one that
 * has rested longest first.
 */
export function createPlaces({ most, mostOfOwner }: PlacesOptions) {
  const waiting: Waiting[] = [];
  const resting = new Map<Place, { owner: string; leave: () => Promise<void> }>();
  const taken = new Map<string, number>();
  let total = 0;

  const mayHave = (owner: string): boolean => (taken.get(owner) ?? 0) < mostOfOwner;
  const couldUse = (asking: string, owner: string): boolean => asking === owner || mayHave(asking);
  const isWanted = (owner: string): boolean => waiting.some((asking) => couldUse(asking.owner, owner));

  function count(owner: string, by: 1 | -1): void {
    const next = (taken.get(owner) ?? 0) + by;
    if (next === 0) taken.delete(owner);
    else taken.set(owner, next);
    total += by;
  }

  function serve(): void {
    while (total < most) {
      const at = waiting.findIndex(({ owner }) => mayHave(owner));
      const next = at === -1 ? undefined : waiting.splice(at, 1)[0];
      if (next === undefined) return;
      count(next.owner, 1);
      next.give(createPlace(next.owner));
    }
  }

  function giveOn(owner: string): void {
    count(owner, -1);
    serve();
  }

  function disturbFor(asking: string): void {
    for (const [place, { owner, leave }] of resting) {
      if (!couldUse(asking, owner)) continue;
      resting.delete(place);
      void leave().finally(() => giveOn(owner));
      return;
    }
  }

  function createPlace(owner: string): Place {
    const place: Place = {
      isWanted: () => isWanted(owner),
      rest(leave) {
        resting.set(place, { owner, leave });
        const asking = waiting.find((each) => couldUse(each.owner, owner));
        if (asking) disturbFor(asking.owner);
      },
      wake: () => resting.delete(place),
      release: () => giveOn(owner),
    };
    return place;
  }

  return {
    take(owner: string): Promise<Place> {
      const { promise, resolve } = Promise.withResolvers<Place>();
      const asking = { owner, give: resolve };
      waiting.push(asking);
      serve();
      if (waiting.includes(asking)) disturbFor(owner);
      return promise;
    },
  };
}

export type Places = ReturnType<typeof createPlaces>;
