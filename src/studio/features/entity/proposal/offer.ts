import { createStore } from '../../../data/store.ts';
import type { Subject } from './subject.ts';

/** What a model may be asked for at the place of the cursor. */
export interface Offer {
  kind: Subject['kind'];
  /** Dotted path of the field with the cursor. */
  at: string | null;
  title: string;
  /** @param back gives the focus back once the proposal is closed. */
  ask: (back: () => void) => void;
}

/** Null where nothing may be asked, or a proposal is open. */
export const offer = createStore<Offer | null>(null);
