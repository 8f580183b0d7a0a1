import { type Draft, type DraftKey, emptyDraft, keyText } from '../../domain/drafts/draft.ts';
import type { RebaseBody } from '../../domain/drafts/take-in.ts';
import { mergeTabs } from '../../domain/drafts/two-tabs.ts';
import type { Locks } from './entity-api.ts';

/** The part of a `BroadcastChannel` that is used. */
export interface Channel {
  postMessage(message: unknown): void;
  onmessage: ((message: { data: unknown }) => void) | null;
  close(): void;
}

export interface TabsOptions {
  channel: Channel;
  tab: string;
  rebaseBody: RebaseBody;
  drafts(): {
    find(key: DraftKey): Draft | undefined;
    follow(draft: Draft): void;
    replace(draft: Draft): void;
  };
}

interface TabMessage {
  from: string;
  /** Counts the sender's states of this draft. */
  count: number;
  draft: Draft;
  /** The number of states of each other tab that are in this one. */
  known: Readonly<Record<string, number>>;
}

interface Shared {
  count: number;
  /** Own states by count. */
  states: Map<number, Draft>;
  known: Record<string, number>;
  /** The last state of another tab that went into this one, and how many own states were in it. */
  heard: Map<string, { draft: Draft; seen: number }>;
}

/** The number of own states that are remembered for a tab that does not listen. */
const MOST_STATES = 200;

/** Tabs of one browser show the same draft: who does not type follows; what is typed in both at once is merged. */
export function createTabs({ channel, tab, rebaseBody, drafts }: TabsOptions) {
  const shared = new Map<string, Shared>();
  // A save that was under way at the end changes its draft after it.
  let isClosed = false;

  function sharedOf(key: DraftKey): Shared {
    const text = keyText(key);
    const known = shared.get(text) ?? { count: 0, states: new Map(), known: {}, heard: new Map() };
    shared.set(text, known);
    return known;
  }

  function tell(draft: Draft): void {
    if (isClosed) return;
    const own = sharedOf(draft.key);
    own.count += 1;
    own.states.set(own.count, draft);
    own.states.delete(own.count - MOST_STATES);
    const message: TabMessage = { from: tab, count: own.count, draft, known: { ...own.known } };
    channel.postMessage(message);
  }

  /**
   * A state that knows all own ones is taken as it is. Of two tabs that typed at once, the one with the lower name
   * merges, and the other waits for the result.
   */
  function hear({ from, count, draft, known }: TabMessage): void {
    const present = drafts().find(draft.key);
    if (present === undefined) return;
    const own = sharedOf(draft.key);
    const seen = known[tab] ?? 0;
    const isAtOnce = seen < own.count;
    if (isAtOnce && tab > from) return;
    const last = own.heard.get(from);
    own.known[from] = count;
    own.heard.set(from, { draft, seen });
    if (!isAtOnce) {
      drafts().follow(draft);
      return;
    }
    const before = own.states.get(seen) ?? emptyDraft(draft.key, present.base, tab);
    drafts().replace(mergeTabs(last?.seen === seen ? last.draft : before, present, draft, rebaseBody));
  }

  channel.onmessage = ({ data }) => hear(data as TabMessage);
  return {
    tell,
    close(): void {
      isClosed = true;
      channel.close();
    },
  };
}

const tabLock = (tab: string): string => `canonry:tab:${tab}`;

/** Locks of all tabs of this browser; each tab holds one for as long as it lives. */
export function createTabLocks(manager: Pick<LockManager, 'request'>, tab: string) {
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  void manager.request(tabLock(tab), () => left);
  return {
    run: (name, work) => manager.request(name, work),
    isTabAlive: (other: string): Promise<boolean> =>
      manager.request(tabLock(other), { ifAvailable: true }, async (lock) => lock === null),
    leave: () => leave(),
  } satisfies Locks & { isTabAlive(other: string): Promise<boolean>; leave(): void };
}
