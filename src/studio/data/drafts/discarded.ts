import { type Draft, rowKeyOf } from '../../domain/drafts/draft.ts';
import type { StoreFault } from '../../kit/store/fault.ts';
import type { Table } from '../../kit/store/tables.ts';

export interface DiscardedDraft {
  draft: Draft;
  /** Milliseconds since 1970. */
  discarded_at: number;
}

const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

const keyOf = ({ draft, discarded_at }: DiscardedDraft): string[] => [
  ...rowKeyOf(draft.key),
  String(discarded_at),
];

/** Drafts that users threw away, or that gave way to somebody else's version, kept for 30 days. */
export function createDiscarded(table: Table, now: () => number) {
  return {
    keep(draft: Draft): Promise<StoreFault | null> {
      const discarded = { draft, discarded_at: now() };
      return table.put(keyOf(discarded), discarded);
    },
    forget: (discarded: DiscardedDraft) => table.remove(keyOf(discarded)),
    async list(account: string): Promise<DiscardedDraft[]> {
      const all = await table.list<DiscardedDraft>([account]);
      const isOver = ({ discarded_at }: DiscardedDraft) => discarded_at + KEPT_MS < now();
      await Promise.all(all.filter(isOver).map((each) => table.remove(keyOf(each))));
      return all
        .filter((each) => !isOver(each))
        .toSorted((one, other) => other.discarded_at - one.discarded_at);
    },
  };
}
