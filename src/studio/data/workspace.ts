import type { BrowserStore } from '../kit/store/tables.ts';
import type { Drafts } from './drafts/drafts.ts';
import { createStore, useStore, whenStore } from './store.ts';

/** The browser's store of an account, and the drafts in it. */
export interface Workspace {
  account: string;
  store: BrowserStore;
  drafts: Drafts;
  /** Nothing of the account is shown or sent from now on; its drafts stay in the browser's store. */
  close(): void;
}

const workspace = createStore<Workspace | null>(null);
const moves = new Set<(from: string, to: string) => void>();

/** Null until the browser's store is open. */
export const useWorkspace = (): Workspace | null => useStore(workspace);

export const closeWorkspace = (): void => workspace.get()?.close();

/** Null when it is closed. */
export const setWorkspace = (opened: Workspace | null): void => workspace.set(opened);

/** The workspace, as soon as it is open. */
export const whenOpen = (): Promise<Workspace> => whenStore(workspace, (open) => open !== null);

/** The user can be reached again: what waits is sent. */
export const sendWaiting = (): void => void workspace.get()?.drafts.flush();

/** Tells when a new entity, known by a local id so far, has got its own. */
export function onEntityMoved(listener: (from: string, to: string) => void): () => void {
  moves.add(listener);
  return () => moves.delete(listener);
}

export function tellEntityMoved(from: string, to: string): void {
  for (const listener of moves) listener(from, to);
}
