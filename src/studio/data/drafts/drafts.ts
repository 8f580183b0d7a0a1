import {
  asNew,
  type Base,
  baseOf,
  bodyOf,
  type Draft,
  type DraftKey,
  emptyDraft,
  isLocal,
  isUnsaved,
  localId,
  onlyPart,
  withBody,
  withEdit,
  withResolved,
} from '../../domain/drafts/draft.ts';
import { draftText } from '../../domain/drafts/outgoing.ts';
import { withoutParts } from '../../domain/drafts/refusal.ts';
import { type RebaseBody, takeIn } from '../../domain/drafts/take-in.ts';
import { BODY, valueAt } from '../../domain/field-path.ts';
import type { BrowserStore } from '../../kit/store/tables.ts';
import { type BodyEditor, createBook, type DraftView, type Entry } from './book.ts';
import { createDiscarded, type DiscardedDraft } from './discarded.ts';
import type { EntityApi, Locks, Timers } from './entity-api.ts';
import { createJournal } from './journal.ts';
import { createSaver } from './saver.ts';
import { createSend } from './send.ts';

export interface DraftsOptions {
  store: Pick<BrowserStore, 'table'>;
  api: EntityApi;
  /** The signed-in user's id. */
  account: string;
  /** Unique to this page. */
  tab: string;
  isTabAlive(tab: string): Promise<boolean>;
  locks: Locks;
  timers: Timers;
  random(): number;
  newId(): string;
  renew(): Promise<boolean>;
  rebaseBody: RebaseBody;
  /** Every state of a draft that this tab made, for other tabs. */
  onChange(draft: Draft): void;
  /** A new entity got its id. */
  onMoved(from: DraftKey, to: DraftKey): void;
}

/** What was let go as text, where the browser's store did not take it; null where it is kept. */
export type Unkept = string | null;

/** One entity's draft, for pages and the editor; it stays the same object, also when a new entity gets its id. */
export interface EntityDraft {
  subscribe(listener: () => void): () => void;
  getSnapshot(): DraftView;
  /** `null` clears a part. */
  edit(path: string, value: unknown): void;
  /** The whole text as the editor has it. */
  editBody(text: string, cursor?: number): void;
  /** Another text than the editor has, which shows it. What was typed since it was made of `from` stays. */
  replaceBody(text: string, from?: string): void;
  /** Shows changes by others in a mounted editor; returns how to detach it. */
  attachEditor(editor: BodyEditor): () => void;
  /** Ends a conflict by one's own side, or a value of both; `markdown_body` for the text. */
  resolve(path: string, value: unknown): void;
  /** Ends a conflict by theirs, or by a text that has theirs in it; mine is kept for 30 days. */
  resolveWithTheirs(path: string, theirs?: unknown): Promise<Unkept>;
  saveNow(): Promise<void>;
  /** Back to the service's state; what was typed is kept for 30 days. */
  discard(): Promise<Unkept>;
  /** Saves a new entity under another id. */
  chooseId(id: string): Promise<void>;
  /** Of an entity that was deleted: the text becomes a new entity's draft, which this returns. */
  keepAsNew(): Promise<EntityDraft>;
  /** The page is left: the draft may go from memory once it is saved. */
  release(): void;
}

export type Drafts = ReturnType<typeof createDrafts>;

/** Refusals that no edit changes. */
const LASTING: ReadonlySet<number> = new Set([402, 403, 404]);
const ID_TAKEN = 'id_taken';

export function createDrafts(options: DraftsOptions) {
  const { store, api, account, tab, timers, rebaseBody } = options;
  const journal = createJournal(store.table('drafts'));
  const discarded = createDiscarded(store.table('discarded'), timers.now);
  const book = createBook({ journal, onChange: options.onChange });
  const send = createSend({ book, api, rebaseBody, onMoved: options.onMoved });
  const saver = createSaver({ ...options, book, send });
  const handles = new WeakMap<Entry, EntityDraft>();
  const released = new Set<Entry>();

  const origin = () => ({ at: timers.now(), tab });

  /** A handle whose entry was removed must not write over the one that has come in its place, here or in other tabs. */
  function change(entry: Entry, path: string, next: Draft, typed = false): void {
    if (book.required(next.key) !== entry) throw new Error('The draft was opened anew');
    const { refused, refusedParts } = entry.run;
    const isOver =
      !refused || (!LASTING.has(refused.status) && (refused.code !== ID_TAKEN || path === 'name'));
    void book.set(next, { typed });
    book.setRun(next.key, {
      refused: isOver ? null : refused,
      refusedParts: withoutParts(refusedParts, path) as Record<string, string>,
    });
    saver.edited(next.key);
  }

  function handleOf(entry: Entry): EntityDraft {
    const known = handles.get(entry);
    if (known) return known;
    const made = createHandle(entry);
    handles.set(entry, made);
    return made;
  }

  function createHandle(entry: Entry): EntityDraft {
    const draft = () => entry.view.draft;
    return {
      subscribe(listener) {
        entry.listeners.add(listener);
        return () => entry.listeners.delete(listener);
      },
      getSnapshot: () => entry.view,
      edit: (path, value) => change(entry, path, withEdit(draft(), path, value, origin())),
      editBody(text, cursor) {
        const next = withBody(draft(), text, origin());
        change(entry, BODY, { ...next, cursor: cursor ?? next.cursor }, true);
      },
      replaceBody(text, from = bodyOf(draft())) {
        const merged = rebaseBody({ sent: from, server: text, current: bodyOf(draft()) });
        change(entry, BODY, withBody(draft(), merged, origin()));
      },
      attachEditor(editor) {
        entry.editor = editor;
        return () => {
          if (entry.editor === editor) entry.editor = null;
        };
      },
      resolve: (path, value) => change(entry, path, withResolved(draft(), path, value, origin())),
      async resolveWithTheirs(path, theirs = valueAt(draft().base, path)) {
        // Nothing that is typed while mine is being kept may be lost, so the change comes at once.
        const kept = putAway(onlyPart(draft(), path));
        change(entry, path, withResolved(draft(), path, theirs ?? null, origin()));
        return kept;
      },
      saveNow: () => saver.saveNow(draft().key),
      discard: () => discard(entry),
      async chooseId(id) {
        await book.set({ ...draft(), entity_id: id });
        await saver.saveNow(draft().key);
      },
      async keepAsNew() {
        const copy = add(asNew(draft(), localId(options.newId()), origin()), null);
        await discard(entry);
        await book.set(copy.view.draft);
        return handleOf(copy);
      },
      release: () => void released.add(entry),
    };
  }

  const putAway = async (draft: Draft): Promise<Unkept> => (await discarded.keep(draft)) && draftText(draft);

  async function discard(entry: Entry): Promise<Unkept> {
    const { draft } = entry.view;
    const kept = putAway(draft);
    book.setRun(draft.key, { refused: null, refusedParts: {}, kept: null, firstChangeAt: null });
    const { key, base, sending } = entry.view.draft;
    const stored = book.set({ ...emptyDraft(key, base, tab), sending, changed_at: timers.now() });
    if (isLocal(key)) book.remove(key);
    await stored;
    return kept;
  }

  function add(draft: Draft, recoveredFrom: number | null): Entry {
    for (const entry of released) {
      const { key } = entry.view.draft;
      if (entry.view.state.kind !== 'saved' || entry.listeners.size > 0 || saver.isUnderWay(key)) continue;
      released.delete(entry);
      book.remove(key);
    }
    return book.add(draft, recoveredFrom);
  }

  /** A draft of a page that is gone becomes this one's; that of another open tab is only shown. */
  async function addKept(kept: Draft): Promise<Entry> {
    const isOther = kept.tab !== tab && (await options.isTabAlive(kept.tab));
    const present = book.find(kept.key);
    if (present) return present;
    if (isOther) return add(kept, null);
    const entry = add({ ...kept, tab }, kept.changed_at);
    void book.set(entry.view.draft);
    return entry;
  }

  function refresh(key: DraftKey, entity: Base): void {
    const entry = book.find(key);
    if (!entry) return;
    const { draft } = entry.view;
    const isOlder = draft.base !== null && entity.version <= draft.base.version;
    const isOfOtherTab = isUnsaved(draft) && draft.tab !== tab;
    if (isOlder || isOfOtherTab || draft.sending !== null || saver.isUnderWay(key)) return;
    const incoming = { entity, taken: null, othersChanged: true, bodyConflicts: false };
    void book.set(takeIn(draft, incoming, rebaseBody));
  }

  /** Takes over another tab's state of a draft that is open here; that tab may have created the entity. */
  function follow(draft: Draft): void {
    book.follow(draft);
    const { key, entity_id: id } = draft;
    if (isLocal(key) && !isUnsaved(draft) && id !== null) options.onMoved(key, { ...key, id });
  }

  /** Drafts of tabs that were closed become this one's. */
  async function adopt(): Promise<void> {
    for (const { draft } of book.unsaved.getSnapshot()) {
      if (draft.tab === tab || (await options.isTabAlive(draft.tab))) continue;
      const entry = book.find(draft.key);
      if (entry && entry.view.draft.tab === draft.tab) await book.set({ ...entry.view.draft, tab });
    }
  }

  return {
    /** Takes over what earlier pages left unsaved, and saves it. */
    async start(): Promise<void> {
      for (const kept of await journal.list(account)) await addKept(kept);
      await saver.flush();
    },
    /** The draft of an entity as the service has it, or as it was kept; null where neither is known. */
    async open(key: DraftKey, entity?: Base): Promise<EntityDraft | null> {
      const kept = book.find(key) ? undefined : await journal.get(key);
      const entry = book.find(key) ?? (kept && (await addKept(kept)));
      if (entry) {
        released.delete(entry);
        if (entity) refresh(key, entity);
        return handleOf(entry);
      }
      return entity ? handleOf(add(emptyDraft(key, baseOf(entity), tab), null)) : null;
    },
    /** An entity that does not exist yet. */
    create(project: string, type: string): EntityDraft {
      const key = { account, project, type, id: localId(options.newId()) };
      return handleOf(add(emptyDraft(key, null, tab), null));
    },
    /** The service's state was read again; a draft that is open takes it in. */
    refresh,
    follow,
    /** Takes over the merged draft after both tabs typed at once. */
    replace: (draft: Draft): void => void book.set(draft),
    find: (key: DraftKey): Draft | undefined => book.find(key)?.view.draft,
    /** For the frame: every draft whose state is not `saved`. */
    unsaved: book.unsaved,
    /** On blur, `online`, when the socket or the session is back: all that is unsaved, in the order of change. */
    async flush(): Promise<void> {
      await adopt();
      await saver.flush();
    },
    /** On `pagehide`. */
    leave: saver.leave,
    discarded: () => discarded.list(account),
    /**
     * Brings a discarded draft back as the draft of its entity; what was typed there meanwhile changes places with it.
     * False: the browser has no room for that, and nothing is changed.
     */
    async restore({ draft, discarded_at }: DiscardedDraft): Promise<boolean> {
      // Another tab may have left one in the store alone.
      const open = book.find(draft.key)?.view.draft ?? (await journal.get(draft.key));
      if (open && isUnsaved(open) && (await discarded.keep(open))) return false;
      const restored = { ...draft, sending: null, changed_at: timers.now(), tab };
      if (!book.find(draft.key)) add(restored, null);
      const stored = book.set(restored);
      if (open?.base) refresh(draft.key, open.base);
      saver.edited(draft.key);
      await stored;
      if (journal.isKept(draft.key)) await discarded.forget({ draft, discarded_at });
      return true;
    },
    /** For a file, where the browser's store is full. */
    asText: (): string =>
      book.unsaved
        .getSnapshot()
        .map(({ draft }) => draftText(draft))
        .join('\n\n'),
    /** Of an account that signs out; drafts stay in the store. */
    async stop(): Promise<void> {
      saver.stop();
      await journal.idle();
    },
  };
}
