import type { Layout } from '../../content/layout/index.ts';
import { currentAccount } from './account.ts';
import type { Api } from './api.ts';
import { createStore, useStore } from './store.ts';

/** How the form of a type is arranged: as it was saved, or the default. */
export type TypeLayout = Awaited<ReturnType<Api['getLayout']>>;

/** A layout that the user has changed and not saved. */
export interface LayoutDraft {
  /** The layout as it was read when the editing began, or as the user saved it last. */
  base: TypeLayout;
  layout: Layout;
}

const drafts = createStore<ReadonlyMap<string, LayoutDraft>>(new Map());

const keyOf = (project: string, type: string): string => JSON.stringify([currentAccount(), project, type]);

/** It stays when the user goes to another page of the Studio; the browser asks before the Studio is closed. */
export const useDraftOfLayout = (project: string, type: string): LayoutDraft | null =>
  useStore(drafts).get(keyOf(project, type)) ?? null;

export function setLayoutDraft(project: string, type: string, draft: LayoutDraft | null): void {
  const next = new Map(drafts.get());
  if (draft) next.set(keyOf(project, type), draft);
  else next.delete(keyOf(project, type));
  drafts.set(next);
  const change = next.size > 0 ? 'addEventListener' : 'removeEventListener';
  window[change]('beforeunload', askToStay);
}

/** Changes that were made while the draft was saved are kept, over what was saved. */
export function settleLayoutDraft(project: string, sent: Layout, saved: TypeLayout): void {
  const type = saved.entity_type;
  const draft = drafts.get().get(keyOf(project, type));
  if (draft) setLayoutDraft(project, type, draft.layout === sent ? null : { ...draft, base: saved });
}

const askToStay = (event: Event): void => event.preventDefault();
