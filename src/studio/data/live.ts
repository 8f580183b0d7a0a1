import { useEffect } from 'react';
import type { EntityState } from '../domain/drafts/draft.ts';
import { newsOf, type ServerEvent } from '../domain/server-events.ts';
import { apiOf } from './api.ts';
import { cache, keys, markEntity, markGone, markLists, markWorld } from './cache.ts';
import { createEvents, type PresenceSaid, type Socket } from './events.ts';
import { createPresence } from './presence.ts';
import { whenSignedIn } from './session.ts';
import { createStore, useStore } from './store.ts';
import { timers } from './timers.ts';
import { updateNames } from './use-names.ts';
import { sendWaiting } from './workspace.ts';

/** News of lists and counts are taken in together, since an import tells of hundreds of entities at once. */
const GATHERED_MS = 300;

export type Presence = ReturnType<typeof createPresence>;

interface Live {
  presence: Presence;
  say(said: PresenceSaid): void;
  /** Returns how to stop. */
  listen(listener: (event: ServerEvent) => void): () => void;
}

const live = createStore<Live | null>(null);

/** Follows what others do in a world, for as long as it is shown. */
export function useFollowing(project: string, account: string): void {
  useEffect(() => {
    const events = createEvents({
      project,
      timers,
      random: Math.random,
      makeTicket: async () => {
        await whenSignedIn();
        return apiOf(project).makeSocketTicket();
      },
      openSocket,
      readEvents: async (cursor) => {
        const page = await apiOf(project).listEvents({ query: { cursor } });
        return { ...page, events: page.events as readonly ServerEvent[] };
      },
    });
    const presence = createPresence({
      read: () => readPresence(project),
      listen: events.listen,
      timers,
      project,
      account,
    });
    const gathered = gather(project);
    const stops = [
      events.listen((event) => takeIn(project, event, gathered.note)),
      events.subscribe(() => {
        if (!events.getSnapshot().isOpen) return;
        // They are never old by themselves, and a change before the first opening was not heard.
        void cache.invalidateQueries({ queryKey: keys.types(project) });
        void cache.invalidateQueries({ queryKey: keys.schemas(project) });
        presence.refresh();
        void cache.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
        sendWaiting();
      }),
    ];
    const onOnline = () => events.retry();
    window.addEventListener('online', onOnline);
    events.start();
    void presence.start();
    live.set({ presence, say: events.say, listen: events.listen });
    return () => {
      for (const stop of stops) stop();
      window.removeEventListener('online', onOnline);
      gathered.stop();
      presence.stop();
      events.stop();
      live.set(null);
    };
  }, [project, account]);
}

export const useLive = (): Live | null => useStore(live);

function openSocket(path: string): Socket {
  const { protocol, host } = location;
  const socket = new WebSocket(`${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}${path}`);
  return {
    send: (text) => socket.send(text),
    close: () => socket.close(),
    get onmessage() {
      return socket.onmessage as Socket['onmessage'];
    },
    set onmessage(listener) {
      socket.onmessage = listener;
    },
    get onclose() {
      return socket.onclose as Socket['onclose'];
    },
    set onclose(listener) {
      socket.onclose = listener;
    },
  };
}

async function readPresence(project: string) {
  const api = apiOf(project);
  const [{ users }, { editing }] = await Promise.all([api.listPresence(), api.listEditing()]);
  return [...users.filter(({ status }) => status !== 'editing'), ...editing];
}

function takeIn(project: string, event: ServerEvent, note: (type: string | null) => void): void {
  const known = (type: string, id: string) =>
    cache.getQueryData<EntityState>(keys.entity(project, type, id))?.version;
  const news = newsOf(event, known);
  if (news.kind === 'everything') note(null);
  if (news.kind === 'plugins') void cache.invalidateQueries({ queryKey: keys.plugins(project) });
  if (news.kind !== 'entity') return;
  const { type, id } = news;
  if (news.change === 'gone') markGone({ project, type, id });
  else markEntity({ project, type, id });
  note(type);
}

function gather(project: string) {
  const types = new Set<string>();
  let isAll = false;
  let cancel: (() => void) | undefined;

  function takeInGathered(): void {
    cancel = undefined;
    updateNames(project);
    if (isAll) void markWorld(project);
    else markLists(project, types);
    types.clear();
    isAll = false;
  }

  return {
    /** A type of which an entity changed; null for anything at all. */
    note(type: string | null): void {
      if (type === null) isAll = true;
      else types.add(type);
      cancel ??= timers.after(GATHERED_MS, takeInGathered);
    },
    stop: () => cancel?.(),
  };
}
