import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { eachAtOnce } from '../../../kit/each-at-once.ts';
import { type BlobStat, type BlobStore, BlobsError } from '../../blobs/blobs.ts';
import { isAbsent } from './blob-errors.ts';
import { AT_ONCE, keysBelow, pagesBelow } from './blob-listing.ts';
import { holdSameBytes } from './blob-same.ts';

/** Notes of our own; like everything below a hidden name, they are not content. */
export const NOTES = '.canonry/';
export const MOVES = `${NOTES}moves/`;

/** A mover gives up after the first of these, and others consider its note abandoned after the second (milliseconds). */
const LONGEST_COPY_MS = 5 * 60_000;
const DEAD_AFTER_MS = 15 * 60_000;

export interface BlobMove {
  from: string;
  to: string;
}

/** As it was when its move began. Some stores derive etags from the bytes, so the time tells it from a later one. */
type Moved = Pick<BlobStat, 'key' | 'etag' | 'modifiedAt'>;

interface Note extends BlobMove {
  /** Others at either place belong to somebody else. */
  objects: readonly Moved[];
  /** Milliseconds since the epoch. */
  at: number;
  /** Every object has its copy, so the originals may be removed. */
  copied: boolean;
}

/** Including the object at `path` itself. */
async function below(blobs: BlobStore, path: string): Promise<Moved[]> {
  const found: Moved[] = [];
  for await (const page of pagesBelow(blobs, path))
    for (const { key, etag, modifiedAt } of page)
      if (key === path || key.startsWith(`${path}/`)) found.push({ key, etag, modifiedAt });
  return found;
}

const secondOf = ({ modifiedAt }: Moved): number => Math.floor(modifiedAt / 1_000);
const isSame = (one: Moved, other: Moved): boolean =>
  one.etag === other.etag && secondOf(one) === secondOf(other);

/**
 * Objects cannot be renamed. A move is a note, a copy of each object, a second note that all are copied, and the removal
 * of the originals; a move that a crash interrupted is undone before that second note and finished after it.
 */
export function createBlobMoves(blobs: BlobStore, now: () => number) {
  const write = (key: string, note: Note) => blobs.put(key, Buffer.from(JSON.stringify(note)));

  async function copyAll({ objects, from, to, at }: Note): Promise<void> {
    await eachAtOnce(objects, AT_ONCE, async ({ key }) => {
      if (now() > at + LONGEST_COPY_MS) throw new BlobsError('unavailable', 'The storage copies too slowly');
      await blobs.copy(key, to + key.slice(from.length));
    });
  }

  /** Removes only true copies at the new place: objects with the same bytes as at the old one. */
  async function takeBack({ objects, from, to }: Note): Promise<void> {
    await eachAtOnce(objects, AT_ONCE, async ({ key }) => {
      const copy = to + key.slice(from.length);
      if (await holdSameBytes(blobs, key, copy)) await blobs.delete(copy);
    });
  }

  /** Removes only copied originals at the old place: somebody may have written there since. */
  async function removeOld({ objects, from }: Note): Promise<void> {
    const moved = new Map(objects.map((each) => [each.key, each]));
    const old = (await below(blobs, from)).filter((each) => {
      const before = moved.get(each.key);
      return before !== undefined && isSame(before, each);
    });
    await eachAtOnce(old, AT_ONCE, ({ key }) => blobs.delete(key));
  }

  async function finish(key: string, note: Note): Promise<void> {
    await (note.copied ? removeOld(note) : takeBack(note));
    await blobs.delete(key);
  }

  async function notes(): Promise<{ key: string; note: Note }[]> {
    const found: { key: string; note: Note }[] = [];
    for (const key of await keysBelow(blobs, MOVES)) {
      const note = await blobs.get(key).then(({ stream }) => text(stream), absentIsNull);
      if (note !== null) found.push({ key, note: readNote(note) });
    }
    return found;
  }

  return {
    /** There must be nothing at `to`. After an error everything is at the old place, unless the note could not be removed. */
    async run(move: BlobMove): Promise<void> {
      const key = `${MOVES}${randomUUID()}.json`;
      const note: Note = { ...move, objects: await below(blobs, move.from), at: now(), copied: false };
      await write(key, note);
      try {
        await copyAll(note);
        await write(key, { ...note, copied: true });
      } catch (error) {
        // The note that all are copied may have arrived although its reply did not.
        await write(key, note)
          .then(() => finish(key, note))
          .catch(() => undefined);
        throw error;
      }
      await finish(key, { ...note, copied: true });
    },
    /** Running or interrupted: the objects at either place prove nothing yet. */
    current: async (): Promise<BlobMove[]> => (await notes()).map(({ note }) => note),
    /** Finishes or undoes abandoned moves; resolves to their number. */
    async settle(): Promise<number> {
      const dead = (await notes()).filter(({ note }) => note.copied || note.at < now() - DEAD_AFTER_MS);
      for (const { key, note } of dead) await finish(key, note);
      return dead.length;
    },
  };
}

export type BlobMoves = ReturnType<typeof createBlobMoves>;

/** A note without objects is from an earlier release: nothing at either place is removed. */
const readNote = (json: string): Note => ({
  objects: [],
  ...(JSON.parse(json) as Omit<Note, 'objects'> & { objects?: readonly Moved[] }),
});

function absentIsNull(error: unknown): null {
  if (isAbsent(error)) return null;
  throw error;
}
