import type { EntityAddress } from './entity.ts';
import { createStore, useStore } from './store.ts';

const peeked = createStore<EntityAddress | null>(null);

/** The entity that is shown above the page. */
export const usePeeked = (): EntityAddress | null => useStore(peeked);

export const peekAt = (entity: EntityAddress): void => peeked.set(entity);

export const closePeek = (): void => peeked.set(null);
