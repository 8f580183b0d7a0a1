import { Readable } from 'node:stream';
import {
  type Change,
  type ChangePage,
  fileKey,
  namedKey,
  type Outcome,
  type RemoteItem,
  type Replica,
} from '../../../src/exchange/sync/index.ts';
import { sha256Hex } from '../../../src/kit/crypto.ts';
import { freePlace, type Places, possibleMoves } from './memory-places.ts';
import { mergedLines } from './merged-lines.ts';

interface Held {
  /** Latin1 of a file's bytes; null: deleted. */
  text: string | null;
  path: string;
  version: number;
  seq: number;
  /** All earlier texts, by hash, with their last version. */
  history: Map<string, { text: string; version: number }>;
}

/** The bytes of a large file that is put without them, as latin1. */
type ReadFile = (path: string) => string | undefined;

export interface MemoryOptions {
  /** Changes per page. */
  pageSize?: number;
  /** A fault to be found out: merges from a version that is not the ancestor. */
  wrongAncestor?: boolean;
}

/** Merges entities, compares and sets files, as a cloud does. */
export function createMemoryReplica({ pageSize = 3, wrongAncestor = false }: MemoryOptions = {}) {
  const held = new Map<string, Held>();
  const kept = new Set<string>();
  let seq = 0;
  /** Changes after each restored backup. */
  let epoch = 0;

  const cursorAt = (at: number): string => `${epoch}-${at}`;

  function store(key: string, text: string | null, path: string): number {
    const before = held.get(key);
    const history: Held['history'] = before?.history ?? new Map();
    if (text === null && before?.text != null) kept.add(before.text);
    seq += 1;
    const version = (before?.version ?? 0) + 1;
    if (text !== null) history.set(hashOf(key, text), { text, version });
    held.set(key, { text, path, version, seq, history });
    return version;
  }

  const places = (): Places =>
    new Map(
      [...held].flatMap(([key, { text, path }]) =>
        namedKey(key).kind === 'entity' && text !== null ? [[key, path]] : [],
      ),
    );

  /** Entities that lie where they were last seen follow their moves; others stay. */
  function move(changes: readonly Change[]): void {
    const at = places();
    const moves = new Map<string, string>();
    for (const { base, local } of changes)
      if (local && at.get(base.key) === base.path && local.path !== base.path)
        moves.set(base.key, local.path);
    for (const [key, path] of possibleMoves(at, moves)) store(key, held.get(key)?.text ?? null, path);
  }

  function putEntity({ base, local, content }: Change): Outcome {
    const { key } = base;
    const current = held.get(key);
    const lies = current?.text == null ? undefined : { ...current, sha256: hashOf(key, current.text) };
    if (local === undefined) {
      if (lies === undefined) return { kind: 'stored', version: 0 };
      if (lies.sha256 !== base.sha256 || lies.path !== base.path)
        return { kind: 'superseded', isMerged: true };
      return { kind: 'stored', version: store(key, null, lies.path) };
    }
    const text = String(content);
    // A late repeat: it was accepted before, and others have changed it since.
    const isOld = (current?.history.get(local.sha256)?.version ?? 0) > base.version;
    if (lies === undefined && isOld) return { kind: 'superseded', isMerged: true };
    const next = lies && !isOld ? mergedText(lies, text, base.sha256) : (lies?.text ?? text);
    if (next === null) kept.add(text);
    const path = lies?.path ?? freePlace(places(), local.path, key);
    const stored = next ?? lies?.text ?? text;
    const version = lies?.text === stored && lies.path === path ? lies.version : store(key, stored, path);
    return stored === text && path === local.path
      ? { kind: 'stored', version }
      : { kind: 'superseded', isMerged: next !== null };
  }

  /** Null if both changed the same. */
  function mergedText(
    lies: Held & { sha256: string; text: string | null },
    text: string,
    base: string | null,
  ): string | null {
    if (lies.text === text || lies.sha256 === base) return text;
    const ancestor = base === null ? undefined : lies.history.get(base)?.text;
    if (ancestor === undefined || lies.text === null) return null;
    return mergedLines(wrongAncestor ? lies.text : ancestor, lies.text, text);
  }

  function putFile({ base, local, content }: Change, read: ReadFile): Outcome {
    const { key } = base;
    const current = held.get(key)?.text ?? null;
    const name = namedKey(key);
    if (name.kind !== 'file') throw new Error(`${key} is no file`);
    const text =
      content === null ? (local ? read(local.path) : null) : Buffer.from(content).toString('latin1');
    if (text === undefined || (text !== null && hashOf(key, text) !== local?.sha256))
      return { kind: 'unsent' };
    if (current === text) return { kind: 'stored', version: 0 };
    const isBase = (current === null ? null : hashOf(key, current)) === base.sha256;
    if (!isBase && !(current === null && local)) return { kind: 'superseded', isMerged: false };
    store(key, text, name.path);
    return { kind: 'stored', version: 0 };
  }

  function put(changes: readonly Change[], read: ReadFile = () => undefined): Outcome[] {
    move(changes);
    return changes.map((change) =>
      namedKey(change.base.key).kind === 'entity' ? putEntity(change) : putFile(change, read),
    );
  }

  function itemOf(key: string, { text, path, version }: Held): RemoteItem {
    const name = namedKey(key);
    if (text === null) return { key, kind: 'gone' };
    const sha256 = hashOf(key, text);
    if (name.kind === 'entity')
      return { key, ...name, version, path, sha256, content: text, updatedBy: null };
    const bytes = path.endsWith('.png') ? null : Buffer.from(text, 'latin1').toString('base64');
    return { key, kind: 'file', path, sha256, size: text.length, bytes, encoding: 'base64' };
  }

  function changes(cursor: string | null): ChangePage {
    const [of, at, began] = (cursor ?? `${epoch}-0-${seq}`).split('-').map(Number);
    const isRestored = of !== epoch;
    const isListing = isRestored || began !== undefined;
    const from = isRestored ? 0 : (at ?? 0);
    const after = [...held].filter(([, item]) => item.seq > from && !(isListing && item.text === null));
    const page = after.sort(([, one], [, other]) => one.seq - other.seq).slice(0, pageSize);
    const hasMore = after.length > page.length;
    // Deletions during a full listing come after it.
    const end = hasMore ? (page.at(-1)?.[1].seq ?? seq) : isRestored ? seq : (began ?? seq);
    return {
      items: page.map(([key, item]) => itemOf(key, item)),
      paths: page.map(([, { path }]) => path),
      isListing,
      isRestored,
      hasMore,
      left: [],
      cursor: `${cursorAt(end)}${isListing && hasMore ? `-${began ?? seq}` : ''}`,
    };
  }

  return {
    put,
    /** For one round. */
    open(read?: ReadFile): Replica {
      let requests = 0;
      return {
        link: { url: 'memory:', by: 'signed_in' },
        takesSample: false,
        get requests() {
          return requests;
        },
        account: async () => 'somebody',
        async changes(cursor) {
          requests += 1;
          return changes(cursor);
        },
        async put(some, { cursor }) {
          requests += 1;
          const isNext = cursor === cursorAt(seq);
          const outcomes = put(some, read);
          return { outcomes, cursor: isNext ? cursorAt(seq) : null };
        },
        async bytes({ key }) {
          return Readable.from([Buffer.from(held.get(key)?.text ?? '', 'latin1')]);
        },
        forget: async () => {},
        conflicts: null,
      };
    },
    /** Latin1 by path. */
    tree: (): Map<string, string> =>
      new Map(
        [...held].flatMap(([key, { text, path }]) =>
          text === null ? [] : [[path, key.startsWith('e:') ? Buffer.from(text).toString('latin1') : text]],
        ),
      ),
    /** Texts that are kept although they are not current. */
    kept: (): string[] => [...kept],
    /** A user's edit in the replica. */
    write(key: string, text: string): void {
      const item = held.get(key);
      if (item) store(key, text, item.path);
    },
    find(key: string): { text: string; path: string; version: number; sha256: string } | undefined {
      const item = held.get(key);
      return item?.text == null ? undefined : { ...item, text: item.text, sha256: hashOf(key, item.text) };
    },
    keys: (): string[] => [...held.keys()],
    size: (): number => seq,
    /** Later changes are lost, and later cursors unknown. */
    bringBack(backup: ReadonlyMap<string, Held>): void {
      held.clear();
      for (const [key, item] of backup) held.set(key, item);
      epoch += 1;
    },
    backup: (): Map<string, Held> =>
      new Map([...held].map(([key, item]) => [key, { ...item, history: new Map(item.history) }])),
  };
}

export type MemoryReplica = ReturnType<typeof createMemoryReplica>;

const hashOf = (key: string, text: string): string =>
  sha256Hex(key.startsWith(fileKey('')) ? Buffer.from(text, 'latin1') : text);
