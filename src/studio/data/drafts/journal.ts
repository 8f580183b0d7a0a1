import { type Draft, type DraftKey, keyText, rowKeyOf } from '../../domain/drafts/draft.ts';
import type { Table } from '../../kit/store/tables.ts';

export type Journal = ReturnType<typeof createJournal>;

/**
 * Keeps drafts in the browser's store: for each key one write at a time, and the newest state wins. What the store did
 * not take is put there again after the next write that it takes, since there may be room by then.
 */
export function createJournal(table: Table) {
  const waiting = new Map<string, { key: DraftKey; draft: Draft | null }>();
  const writing = new Map<string, Promise<void>>();
  const refused = new Map<string, Draft>();
  const givenWay = new Set<string>();

  async function drain(text: string): Promise<void> {
    let isTaken = false;
    for (let next = waiting.get(text); next; next = waiting.get(text)) {
      waiting.delete(text);
      const row = rowKeyOf(next.key);
      isTaken = (await (next.draft ? table.put(row, next.draft) : table.remove(row))) === null;
      const isNewest = !waiting.has(text) && !givenWay.has(text);
      if (next.draft && !isTaken && isNewest) refused.set(text, next.draft);
    }
    writing.delete(text);
    const [again] = refused.values();
    if (isTaken && again) void write(again.key, again);
  }

  function write(key: DraftKey, draft: Draft | null): Promise<void> {
    const text = keyText(key);
    waiting.set(text, { key, draft });
    refused.delete(text);
    givenWay.delete(text);
    const under = writing.get(text);
    if (under) return under;
    const started = drain(text);
    writing.set(text, started);
    return started;
  }

  return {
    /** Resolves once this state or a newer one is written, or the store has failed, which its status says. */
    put: (draft: Draft): Promise<void> => write(draft.key, draft),
    remove: (key: DraftKey): Promise<void> => write(key, null),
    /** Another tab has this draft from now on, and puts it down. */
    giveWay(key: DraftKey): void {
      const text = keyText(key);
      refused.delete(text);
      waiting.delete(text);
      givenWay.add(text);
    },
    /** False for a draft that the store did not take. */
    isKept: (key: DraftKey): boolean => !refused.has(keyText(key)),
    get: (key: DraftKey): Promise<Draft | undefined> => table.get<Draft>(rowKeyOf(key)),
    list: (account: string): Promise<Draft[]> => table.list<Draft>([account]),
    async idle(): Promise<void> {
      while (writing.size > 0) await Promise.all(writing.values());
    },
  };
}
