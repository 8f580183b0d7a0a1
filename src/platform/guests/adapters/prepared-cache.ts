import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Clock } from '../../../kit/clock.ts';
import { createLastUsed } from '../../../kit/last-used.ts';
import { type GuestComponent, GuestError, type GuestShape } from '../guests.ts';
import type { PreparedGuest } from './prepared.ts';

/** Part of the names of files: raise it with every change of what a translation is, its package included. */
const VERSION = 1;
const MOST_FILES = 200;
const MOST_SHAPES = 1_000;
const DIGEST_BYTES = 32;
/** Milliseconds until a translation that was too slow or crashed is tried again: it may have been the machine's fault. */
const AGAIN_AFTER_MS = 10 * 60_000;
const HASH = /^[0-9a-f]{64}$/;

const digest = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

export interface PreparedCacheOptions {
  folder: string;
  clock: Clock;
  /** Checks and translates a component in its owner's turn. */
  prepare(bytes: Uint8Array, owner: string): Promise<PreparedGuest>;
}

/** The owner is the one whose turn a translation takes. */
export interface PreparedCache {
  get(component: GuestComponent, owner: string): Promise<PreparedGuest>;
  /** Remembered, since each save asks; also that a component is refused. */
  shape(component: GuestComponent, owner: string): Promise<GuestShape>;
  /** Null for a component that is refused, or that is still to be translated, which then goes on in the background. */
  readyShape(component: GuestComponent, owner: string): Promise<GuestShape | null>;
}

interface Known {
  /** An error for a component that is refused. */
  shape: GuestShape | GuestError;
  until: number;
}

/**
 * Translations of components in a folder, which several processes may share. A file that is damaged or missing is made again, so the
 * folder may be deleted at any time. The least recently used go first.
 */
export function createPreparedCache({ folder, clock, prepare }: PreparedCacheOptions): PreparedCache {
  const making = new Map<string, Promise<PreparedGuest>>();
  const shapes = createLastUsed<Known>({ most: MOST_SHAPES });

  function knownShape({ hash }: GuestComponent): GuestShape | GuestError | undefined {
    const known = shapes.get(hash);
    return known !== undefined && clock.now() < known.until ? known.shape : undefined;
  }

  function noteShape({ hash }: GuestComponent, { exports, imports }: PreparedGuest): GuestShape {
    const shape = { exports, imports };
    shapes.set(hash, { shape, until: Number.POSITIVE_INFINITY });
    return shape;
  }

  function noteRefusal({ hash }: GuestComponent, error: GuestError): void {
    const until = error.cause === undefined ? Number.POSITIVE_INFINITY : clock.now() + AGAIN_AFTER_MS;
    shapes.set(hash, { shape: error, until });
  }

  async function make(component: GuestComponent, owner: string): Promise<PreparedGuest> {
    const bytes = await component.read();
    if (digest(bytes).toString('hex') !== component.hash)
      throw new GuestError(
        'refused',
        'The component is not the one that was installed: its checksum differs',
      );
    const prepared = await prepare(bytes, owner).catch((error: unknown) => {
      if (error instanceof GuestError && error.code === 'refused') noteRefusal(component, error);
      throw error;
    });
    // Without the file the next start takes longer, and nothing else.
    await keep(folder, component.hash, prepared).catch(() => {});
    return prepared;
  }

  function makeOnce(component: GuestComponent, owner: string): Promise<PreparedGuest> {
    const known = making.get(component.hash);
    if (known) return known;
    const mine = make(component, owner).finally(() => making.delete(component.hash));
    making.set(component.hash, mine);
    return mine;
  }

  const kept = (component: GuestComponent): Promise<PreparedGuest | null> =>
    find(pathOf(folder, component.hash));

  async function get(component: GuestComponent, owner: string): Promise<PreparedGuest> {
    const known = knownShape(component);
    if (known instanceof GuestError) throw known;
    return (await kept(component)) ?? makeOnce(component, owner);
  }

  return {
    get,

    async shape(component, owner) {
      const known = knownShape(component);
      if (known instanceof GuestError) throw known;
      return known ?? noteShape(component, await get(component, owner));
    },

    async readyShape(component, owner) {
      const known = knownShape(component);
      if (known !== undefined) return known instanceof GuestError ? null : known;
      const prepared = await kept(component);
      if (prepared !== null) return noteShape(component, prepared);
      // A caller that needs the guest meets the error again.
      makeOnce(component, owner).then(
        (made) => noteShape(component, made),
        () => {},
      );
      return null;
    },
  };
}

function pathOf(folder: string, hash: string): string {
  if (!HASH.test(hash)) throw new TypeError(`not a SHA-256 in hex: ${hash}`);
  return join(folder, `${hash}.${VERSION}.guest`);
}

async function find(path: string): Promise<PreparedGuest | null> {
  try {
    const bytes = await readFile(path);
    const content = bytes.subarray(DIGEST_BYTES);
    if (!digest(content).equals(bytes.subarray(0, DIGEST_BYTES))) return null;
    const now = new Date();
    await utimes(path, now, now);
    return deserialize(content);
  } catch {
    return null;
  }
}

async function keep(folder: string, hash: string, prepared: PreparedGuest): Promise<void> {
  const content = serialize(prepared);
  await mkdir(folder, { recursive: true });
  const temporary = join(folder, `${hash}.${randomUUID()}.new`);
  try {
    await writeFile(temporary, Buffer.concat([digest(content), content]));
    await rename(temporary, pathOf(folder, hash));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await dropOldest(folder);
}

async function dropOldest(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= MOST_FILES) return;
  const files = await Promise.all(
    names.map(async (name) => ({ name, usedAt: (await stat(join(folder, name))).mtimeMs })),
  );
  files.sort((one, other) => other.usedAt - one.usedAt);
  for (const { name } of files.slice(MOST_FILES)) await rm(join(folder, name), { force: true });
}
