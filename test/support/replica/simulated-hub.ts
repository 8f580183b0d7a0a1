import type { Known } from './known.ts';
import { linesOf } from './words.ts';

/** The new text of a key, and what it was made from. */
export interface Push {
  key: string;
  text: string | undefined;
  base: string | undefined;
  /** The version that it was made from, plus one. */
  version: number;
}

export type PushReply =
  | { key: string; kind: 'stored'; version: number }
  | { key: string; kind: 'superseded' };

export interface Pulled {
  key: string;
  text: string | undefined;
  version: number;
}

interface Held {
  text: string | undefined;
  version: number;
  seq: number;
  /** All earlier texts, by version. */
  history: Map<number, string>;
}

/** Keys of files, which are compared and set, never merged. */
export const FILE = 'file:';

export interface HubOptions {
  /** A fault to be found out: merges from a version that is not the ancestor. */
  wrongAncestor?: boolean;
}

/** The cloud's side as in src/exchange/replication/README.md, on texts of a few lines. */
export function createSimulatedHub({ wrongAncestor = false }: HubOptions = {}) {
  const held = new Map<string, Held>();
  const conflicts: { key: string; text: string }[] = [];
  const deleted: string[] = [];
  let seq = 0;

  function store(key: string, text: string | undefined): number {
    const before = held.get(key);
    const version = (before?.version ?? 0) + (text === undefined ? 0 : 1);
    const history = before?.history ?? new Map<number, string>();
    if (text === undefined && before?.text !== undefined) deleted.push(before.text);
    if (text !== undefined) history.set(version, text);
    seq += 1;
    held.set(key, { text, version, seq, history });
    return version;
  }

  const baseOf = ({ history, version }: Held, push: Push): string | undefined => {
    if (wrongAncestor) return history.get(version);
    const base = history.get(push.version - 1);
    return base === push.base ? base : undefined;
  };

  function merge(current: Held, push: Push & { text: string }): string | null {
    const base = baseOf(current, push);
    if (base === undefined || current.text === undefined) return null;
    const [from, ours, theirs] = [linesOf(base), linesOf(current.text), linesOf(push.text)];
    const merged = ours.map((line, at) => {
      if (line === theirs[at] || theirs[at] === from[at]) return line;
      return line === from[at] ? (theirs[at] ?? null) : null;
    });
    return merged.includes(null) ? null : merged.join('\n');
  }

  function takeFile(push: Push, current: string | undefined): PushReply {
    const { key, text, base } = push;
    const isFree = current === base || (current === undefined && text !== undefined);
    if (current !== text && !isFree) return { key, kind: 'superseded' };
    if (current !== text) store(key, text);
    return { key, kind: 'stored', version: 0 };
  }

  function takeEntity(push: Push): PushReply {
    const { key, text } = push;
    const current = held.get(key);
    if (current?.text === text) return { key, kind: 'stored', version: current?.version ?? 0 };
    const isNext = current?.version === push.version - 1 && current.text === push.base;
    if (text === undefined) {
      if (!isNext) return { key, kind: 'superseded' };
      return { key, kind: 'stored', version: store(key, undefined) };
    }
    // A late repeat: it was accepted before, and others have changed it since.
    if (current?.history.get(push.version) === text) return { key, kind: 'superseded' };
    if (current?.text === undefined || isNext) return { key, kind: 'stored', version: store(key, text) };
    const merged = merge(current, { ...push, text });
    if (merged === null) {
      if (!conflicts.some((known) => known.key === key && known.text === text)) conflicts.push({ key, text });
    } else if (merged !== current.text) store(key, merged);
    return { key, kind: 'superseded' };
  }

  return {
    push: (pushes: readonly Push[]): PushReply[] =>
      pushes.map((push) =>
        push.key.startsWith(FILE) ? takeFile(push, held.get(push.key)?.text) : takeEntity(push),
      ),
    pull: (cursor: number): { items: Pulled[]; cursor: number } => ({
      items: [...held]
        .filter(([, { seq: changed }]) => changed > cursor)
        .map(([key, { text, version }]) => ({ key, text, version })),
      cursor: seq,
    }),
    tree: (): Map<string, string> =>
      new Map([...held].flatMap(([key, { text }]) => (text === undefined ? [] : [[key, text]]))),
    /** Texts that are kept although they are not current. */
    kept: (): string[] => [...conflicts.map(({ text }) => text), ...deleted],
    conflicts,
  };
}

export type SimulatedHub = ReturnType<typeof createSimulatedHub>;

export const pushOf = (key: string, text: string | undefined, { synced, version }: Known): Push => ({
  key,
  text,
  base: synced,
  version: version + 1,
});
