import { type Attendant, isHere, peopleAt, withUpdate } from '../domain/attendance.ts';
import type { ServerEvent } from '../domain/server-events.ts';
import type { Timers } from './drafts/entity-api.ts';

export interface PresenceOptions {
  /** `GET /api/presence/editing` and `GET /api/presence`: everybody who is here, as often as they have connections. */
  read(): Promise<readonly Attendant[]>;
  listen(listener: (event: ServerEvent) => void): () => void;
  timers: Timers;
  project: string;
  /** The signed-in user, who is not shown to themself. */
  account: string;
}

/** Longer than the service keeps somebody whose connection broke is no need to ask. */
const READ_EVERY_MS = 45_000;
/** Events say who and which entity; the field is read, soon and for all events at once. */
const READ_AFTER_EVENT_MS = 500;

/** The people in a project. The list is read now and then, and events change it in between. */
export function createPresence({ read, listen, timers, project, account }: PresenceOptions) {
  const watchers = new Set<() => void>();
  let people: readonly Attendant[] = [];
  let cancel: (() => void) | undefined;
  let due = 0;
  let isStopped = true;
  let isReading = false;
  let stopListening: () => void = () => undefined;

  function show(next: readonly Attendant[]): void {
    people = next.filter((each) => each.user_id !== account && each.project_id === project);
    for (const watcher of watchers) watcher();
  }

  function readAt(time: number): void {
    if (isStopped || (cancel && due <= time)) return;
    cancel?.();
    due = time;
    cancel = timers.after(Math.max(0, time - timers.now()), () => void readNow());
  }

  async function readNow(): Promise<void> {
    cancel = undefined;
    isReading = true;
    const found = await read().catch(() => null);
    isReading = false;
    if (isStopped) return;
    // Without an answer nobody stays longer than the service would keep them.
    show(found ?? people.filter((each) => isHere(each, timers.now())));
    readAt(timers.now() + READ_EVERY_MS);
  }

  function hear(event: ServerEvent): void {
    if (event.type !== 'presence_update' || event.user_id === account) return;
    show(withUpdate(people, event, project));
    // An answer that is under way may be older than the event.
    if (event.status === 'editing' || isReading) readAt(timers.now() + READ_AFTER_EVENT_MS);
  }

  return {
    async start(): Promise<void> {
      isStopped = false;
      stopListening = listen(hear);
      await readNow();
    },
    /** The connection is open: what others said while it was not is read. */
    refresh: (): void => readAt(timers.now()),
    stop(): void {
      isStopped = true;
      stopListening();
      cancel?.();
      cancel = undefined;
      show([]);
    },
    subscribe(watcher: () => void): () => void {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    /** All others; the same list until it changes. */
    getSnapshot: (): readonly Attendant[] => people,
    /** The people at an entity, or in one of its fields. */
    at: (type: string, id: string, field?: string): Attendant[] => peopleAt(people, { type, id, field }),
  };
}
