import { createStore } from '../data/store.ts';

/** True while the help is open. */
export const keyboardHelp = createStore(false);
