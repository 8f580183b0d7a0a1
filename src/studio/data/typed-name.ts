import { useEffect } from 'react';
import { isLocalId } from '../domain/drafts/draft.ts';
import type { Place } from '../domain/places.ts';
import { createStore } from './store.ts';
import { typeAhead } from './type-ahead.ts';

const typed = createStore<string | null>(null);
let stop = () => {};

/** Keeps what is typed after somebody began an entry, until its page is there to take it. */
export function useTypedName(place: Place): void {
  const isBegun = place.screen === 'new' && place.name === undefined;
  const isComing = place.screen === 'entity' && isLocalId(place.id);
  useEffect(() => {
    if (!isBegun) return;
    stop();
    typed.set('');
    stop = typeAhead(typed);
  }, [isBegun]);
  useEffect(() => {
    if (!isBegun && !isComing) takeTypedName();
  }, [isBegun, isComing]);
}

/** Once: the keys are the page's again. */
export function takeTypedName(): string {
  stop();
  const name = typed.get() ?? '';
  typed.set(null);
  return name;
}
