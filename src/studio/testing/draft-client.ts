import { createDrafts } from '../data/drafts/drafts.ts';
import type { EntityApi } from '../data/drafts/entity-api.ts';
import type { Draft } from '../domain/drafts/draft.ts';
import type { BrowserStore } from '../kit/store/tables.ts';
import type { FakeClock } from './fake-clock.ts';
import { rebaseText } from './rebase-text.ts';

interface ClientOptions {
  store: Pick<BrowserStore, 'table'>;
  api: EntityApi;
  clock: FakeClock;
  tab: string;
  account?: string;
  renew?: () => Promise<boolean>;
  onChange?: (draft: Draft) => void;
  isTabAlive?: (tab: string) => Promise<boolean>;
}

/** The drafts of one page over a fake service, and what it was told. */
export function createDraftClient({ clock, ...options }: ClientOptions) {
  const moved: string[] = [];
  let ids = 0;
  const drafts = createDrafts({
    account: 'ada',
    locks: { run: (_name, work) => work() },
    renew: async () => false,
    isTabAlive: async () => false,
    onChange: () => undefined,
    ...options,
    timers: clock,
    random: () => 1,
    newId: () => `${options.tab}-${++ids}`,
    rebaseBody: rebaseText,
    onMoved: (_from, to) => moved.push(to.id),
  });
  return { drafts, moved };
}
