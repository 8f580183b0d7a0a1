import type { RebaseBody } from '../domain/drafts/take-in.ts';
import { type Api, apiOf } from './api.ts';
import { browserStore } from './browser-store.ts';
import { cache, keys } from './cache.ts';
import { createDrafts, type Drafts } from './drafts/drafts.ts';
import type { EntityApi, Locks } from './drafts/entity-api.ts';
import { type Channel, createTabLocks, createTabs } from './drafts/tabs.ts';
import { renewSession } from './renew-session.ts';
import { timers } from './timers.ts';
import { setWorkspace, tellEntityMoved } from './workspace.ts';

const CHANNEL = 'canonry-drafts';

const tab = crypto.randomUUID();

/** Opens what an account has in this browser until it is left, and saves what an earlier page left unsaved. */
export async function openWorkspace(
  account: string,
  rebaseBody: RebaseBody,
  left: AbortSignal,
): Promise<void> {
  const store = await browserStore();
  if (left.aborted) return;
  const { run, isTabAlive, leave } = navigator.locks ? createTabLocks(navigator.locks, tab) : ALONE;
  const tabs = createTabs({ channel: openChannel(), tab, rebaseBody, drafts: () => drafts });
  const drafts: Drafts = createDrafts({
    store,
    account,
    tab,
    api: entityApi,
    isTabAlive,
    locks: { run },
    timers,
    rebaseBody,
    random: Math.random,
    newId: () => crypto.randomUUID(),
    renew: renewSession,
    onChange: tabs.tell,
    onMoved: (from, to) => tellEntityMoved(from.id, to.id),
  });
  const life = new AbortController();
  const close = () => life.abort();
  life.signal.addEventListener('abort', () => {
    setWorkspace(null);
    tabs.close();
    leave();
    void drafts.stop();
  });
  left.addEventListener('abort', close);
  setWorkspace({ account, store, drafts, close });
  saveAtTheRightMoments(drafts, life.signal);
  askToStay(drafts);
  // What cannot be sent now stays in the browser, and is tried again.
  drafts.start().catch(() => undefined);
}

// A draft may hold any status, as files do; the service refuses what it does not know.
type UpdateBody = Parameters<Api['updateEntity']>[0]['body'];
type CreateBody = Parameters<Api['createEntity']>[0]['body'];

const entityApi: EntityApi = {
  get: ({ project, type, id }) => apiOf(project).getEntity({ params: { type, id } }),
  async save({ project, type, id }, body, options = {}) {
    const saved = await apiOf(project).updateEntity({
      params: { type, id },
      body: body as UpdateBody,
      ...options,
    });
    cache.setQueryData(keys.entity(project, type, id), saved);
    return saved;
  },
  create: ({ project, type }, body, options = {}) =>
    apiOf(project).createEntity({ params: { type }, body: body as CreateBody, ...options }),
};

function saveAtTheRightMoments(drafts: Drafts, signal: AbortSignal): void {
  window.addEventListener('blur', () => void drafts.flush(), { signal });
  window.addEventListener('online', () => void drafts.flush(), { signal });
  window.addEventListener('pagehide', () => void drafts.leave(), { signal });
}

/** Browsers may clear what a site keeps when they need room; what nobody else has shall stay. Asked once. */
function askToStay({ unsaved }: Drafts): void {
  const stop = unsaved.subscribe(() => {
    const isOffline = unsaved
      .getSnapshot()
      .some(({ state }) => state.kind === 'kept' && state.reason === 'offline');
    if (!isOffline) return;
    stop();
    // Browsers have it on https and on loopback alone.
    void navigator.storage?.persist();
  });
}

/** Without Web Locks (plain http on another host) each tab is alone; the service merges what two of them save. */
const ALONE = {
  run: (_: string, work: () => Promise<void>) => work(),
  isTabAlive: async () => false,
  leave: () => undefined,
} satisfies Locks & { isTabAlive(tab: string): Promise<boolean>; leave(): void };

function openChannel(): Channel {
  const channel = new BroadcastChannel(CHANNEL);
  return {
    postMessage: (message) => channel.postMessage(message),
    close: () => channel.close(),
    get onmessage() {
      return channel.onmessage as Channel['onmessage'];
    },
    set onmessage(listener) {
      channel.onmessage = listener;
    },
  };
}
