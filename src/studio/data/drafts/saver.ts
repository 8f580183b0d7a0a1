import { bodyOf, type DraftKey, isUnsaved, keyText } from '../../domain/drafts/draft.ts';
import { nameOf, outgoing } from '../../domain/drafts/outgoing.ts';
import { dueAt, pauseMs } from '../../domain/drafts/pauses.ts';
import type { Book, Entry } from './book.ts';
import type { Locks, Timers } from './entity-api.ts';
import type { createSend, Outcome } from './send.ts';

export interface SaverOptions {
  book: Book;
  send: ReturnType<typeof createSend>;
  locks: Locks;
  timers: Timers;
  random(): number;
  /** Renews the session; false if the user must sign in. */
  renew(): Promise<boolean>;
  /** Of this tab: drafts that another tab changed last are saved there. */
  tab: string;
}

export type Saver = ReturnType<typeof createSaver>;

/** The number of attempts that may follow at once on another, each with less to send. */
const AT_ONCE = 5;

/** Decides when drafts are saved: one save at a time for an entity, in all tabs. */
export function createSaver({ book, send, locks, timers, random, renew, tab }: SaverOptions) {
  const underWay = new Map<string, Promise<void>>();
  const cancels = new Map<string, () => void>();
  let isStopped = false;

  function saveAt(key: DraftKey, time: number): void {
    if (isStopped) return;
    const text = keyText(key);
    cancels.get(text)?.();
    const cancel = timers.after(Math.max(0, time - timers.now()), () => {
      cancels.delete(text);
      void save(key);
    });
    cancels.set(text, cancel);
  }

  function save(key: DraftKey): Promise<void> {
    const text = keyText(key);
    const running = underWay.get(text);
    if (running) return running;
    const entry = book.find(key);
    if (!entry || !isSavable(entry)) return Promise.resolve();
    cancels.get(text)?.();
    const started = locks
      .run(`canonry:save:${text}`, () => saveAll(entry))
      .finally(() => {
        underWay.delete(text);
        goOn(entry);
      });
    underWay.set(text, started);
    return started;
  }

  const isSavable = ({ view: { draft }, run }: Entry): boolean =>
    !isStopped && isUnsaved(draft) && draft.tab === tab && run.refused === null;

  async function saveAll(entry: Entry): Promise<void> {
    let isRenewed = false;
    for (let count = 0; count < AT_ONCE && isSavable(entry); count += 1) {
      book.setRun(entry.view.draft.key, { isSaving: true, firstChangeAt: null });
      const outcome = await send.attempt(entry.view.draft.key);
      book.setRun(entry.view.draft.key, { isSaving: false });
      if (outcome.kind === 'again') continue;
      if (outcome.kind === 'sign-in' && !isRenewed && (await renew())) isRenewed = true;
      else return end(entry, outcome);
    }
    if (isSavable(entry)) end(entry, { kind: 'later', reason: 'service', retryAfter: undefined });
  }

  function end(entry: Entry, outcome: Outcome): void {
    const { key } = entry.view.draft;
    const { kept, failures } = entry.run;
    const since = kept?.since ?? timers.now();
    if (outcome.kind === 'sign-in') book.setRun(key, { kept: { reason: 'sign-in', since } });
    else if (outcome.kind === 'later') {
      book.setRun(key, { kept: { reason: outcome.reason, since }, failures: failures + 1 });
      saveAt(key, timers.now() + pauseMs(failures + 1, random(), outcome.retryAfter));
    } else book.setRun(key, { kept: null, failures: 0 });
    if (outcome.kind === 'taken') void flush((each) => each.run.kept?.reason === 'offline');
  }

  /** Changes typed during a save, or after an answer was lost, are saved after it. */
  function goOn({ view: { draft }, run }: Entry): void {
    if (outgoing(draft, Object.keys(run.refusedParts)) !== null) changed(draft.key);
  }

  function changed(key: DraftKey): void {
    const entry = book.required(key);
    const { draft } = entry.view;
    if (!isSavable(entry) || entry.run.kept || underWay.has(keyText(key))) return;
    if (draft.base === null && !isReady(entry)) return;
    saveAt(key, dueAt(entry.run.firstChangeAt ?? timers.now(), draft.changed_at));
  }

  /** A half-typed name makes no id: a new entity is saved by itself only when the user has gone on to another part. */
  const isReady = ({ view: { draft } }: Entry): boolean =>
    nameOf(draft) !== '' && (bodyOf(draft) !== '' || Object.keys(draft.changes).length > 1);

  async function flush(isMeant: (entry: Entry) => boolean = () => true): Promise<void> {
    for (const key of book.keysOfUnsaved()) {
      const entry = book.find(key);
      if (!entry || !isMeant(entry)) continue;
      await save(key);
      if (entry.run.kept?.reason === 'offline') return;
    }
  }

  return {
    /** The user has changed the draft. */
    edited(key: DraftKey): void {
      const { run } = book.required(key);
      if (run.firstChangeAt === null) book.setRun(key, { firstChangeAt: timers.now() });
      changed(key);
    },
    isUnderWay: (key: DraftKey): boolean => underWay.has(keyText(key)),
    /** On Ctrl+S: also what was refused or waits. */
    async saveNow(key: DraftKey): Promise<void> {
      await underWay.get(keyText(key));
      const entry = book.find(key);
      if (!entry) return;
      book.setRun(key, { refused: null, refusedParts: {} });
      await save(entry.view.draft.key);
    },
    /** Everything that is unsaved, in the order of change: on blur, on `online`, when the socket or the session is back. */
    flush: () => flush(),
    /** The page goes away. A creation waits for the next page: one whose answer nobody hears would come twice. */
    leave(): void {
      for (const key of book.keysOfUnsaved()) {
        const entry = book.find(key);
        if (entry?.view.draft.base && isSavable(entry) && !underWay.has(keyText(key))) send.part(key);
      }
    },
    /** For good: whoever is signed in next must not send these drafts. */
    stop(): void {
      isStopped = true;
      for (const cancel of cancels.values()) cancel();
      cancels.clear();
    },
  };
}
