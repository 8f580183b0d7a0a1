import {
  bodyOf,
  type Draft,
  type DraftKey,
  emptyDraft,
  isUnsaved,
  keyText,
} from '../../domain/drafts/draft.ts';
import { IDLE, type Run, type SaveState, saveStateOf } from '../../domain/drafts/save-state.ts';
import type { Journal } from './journal.ts';

/** A mounted editor: it makes its text the given one as a change by others, where `sent` is the text it had. */
export interface BodyEditor {
  applyRemote(server: string, sent: string): void;
}

/** The state of a draft for a page to show; the same object until something changes. */
export interface DraftView {
  draft: Draft;
  state: SaveState;
  /** When a draft was changed that an earlier page left unsaved. */
  recoveredFrom: number | null;
}

export interface Entry {
  view: DraftView;
  run: Run;
  editor: BodyEditor | null;
  readonly listeners: Set<() => void>;
}

export type Book = ReturnType<typeof createBook>;

/** The drafts of this page. Every change is shown at once, kept in the journal and told to `onChange`. */
export function createBook({ journal, onChange }: { journal: Journal; onChange(draft: Draft): void }) {
  const entries = new Map<string, Entry>();
  const watchers = new Set<() => void>();
  let unsaved: readonly DraftView[] = [];

  function show(entry: Entry, draft: Draft, run: Run): void {
    const { recoveredFrom } = entry.view;
    const state = saveStateOf(draft, run);
    entry.run = run;
    entry.view = { draft, state, recoveredFrom: state.kind === 'saved' ? null : recoveredFrom };
    unsaved = [...entries.values()].map(({ view }) => view).filter(({ state: { kind } }) => kind !== 'saved');
    for (const listener of [...entry.listeners, ...watchers]) listener();
  }

  function required(key: DraftKey): Entry {
    const entry = entries.get(keyText(key));
    if (!entry) throw new Error(`The draft of ${key.type} '${key.id}' is not open`);
    return entry;
  }

  /** The mounted editor has the user's own typing already; any other change of the text is shown in it. */
  function present(draft: Draft, typed = false): void {
    const entry = required(draft.key);
    const [before, after] = [bodyOf(entry.view.draft), bodyOf(draft)];
    show(entry, draft, entry.run);
    if (!typed && before !== after) entry.editor?.applyRemote(after, before);
  }

  function replace(draft: Draft, typed = false): Promise<void> {
    present(draft, typed);
    return isUnsaved(draft) ? journal.put(draft) : journal.remove(draft.key);
  }

  return {
    find: (key: DraftKey): Entry | undefined => entries.get(keyText(key)),
    required,
    add(draft: Draft, recoveredFrom: number | null): Entry {
      const view = { draft, state: saveStateOf(draft, IDLE), recoveredFrom };
      const entry: Entry = { view, run: IDLE, editor: null, listeners: new Set() };
      entries.set(keyText(draft.key), entry);
      show(entry, draft, IDLE);
      return entry;
    },
    set(draft: Draft, { typed = false } = {}): Promise<void> {
      onChange(draft);
      return replace(draft, typed);
    },
    /** Shows what another tab made of the draft, which keeps it as well. */
    follow(draft: Draft): void {
      journal.giveWay(draft.key);
      present(draft);
    },
    setRun(key: DraftKey, change: Partial<Run>): void {
      const entry = required(key);
      show(entry, entry.view.draft, { ...entry.run, ...change });
    },
    /** A new entity has got its id; who watches the local one goes on watching. */
    async move(from: DraftKey, draft: Draft): Promise<void> {
      const entry = required(from);
      entries.delete(keyText(from));
      entries.set(keyText(draft.key), entry);
      const stored = replace(draft);
      onChange(draft);
      // Other tabs that list the local one must not make it again, and follow it to its id.
      onChange({ ...emptyDraft(from, null, draft.tab), entity_id: draft.key.id });
      await stored;
      await journal.remove(from);
    },
    remove(key: DraftKey): void {
      entries.delete(keyText(key));
      unsaved = unsaved.filter(({ draft }) => keyText(draft.key) !== keyText(key));
      for (const listener of watchers) listener();
    },
    /** In the order of change. */
    keysOfUnsaved: (): DraftKey[] =>
      unsaved
        .map(({ draft }) => draft)
        .toSorted((one, other) => one.changed_at - other.changed_at)
        .map(({ key }) => key),
    unsaved: {
      subscribe(listener: () => void): () => void {
        watchers.add(listener);
        return () => watchers.delete(listener);
      },
      getSnapshot: (): readonly DraftView[] => unsaved,
    },
  };
}
