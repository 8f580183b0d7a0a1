import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../../kit/clock.ts';
import { syncFolder } from '../../kit/sync-folder.ts';

export interface Kept {
  id: string;
  tenantId: string;
  projectId: string;
  userId: string;
  /** Milliseconds since the epoch. */
  begunAt: number;
}

export interface KeptFoldersOptions {
  folder: string;
  keptMs: number;
  clock: Clock;
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Folders for work over several requests, each with an `info.json`, until they expire. */
export function createKeptFolders<Info extends Kept>({ folder, keptMs, clock }: KeptFoldersOptions) {
  const placeOf = (id: string, name = '') => join(folder, id, name);
  // Another process may write into the folder while it is removed.
  const remove = (id: string) => rm(placeOf(id), { recursive: true, force: true, maxRetries: 5 });

  async function find(id: string): Promise<Info | undefined> {
    if (!ID.test(id)) return undefined;
    const text = await readFile(placeOf(id, 'info.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    return text === undefined ? undefined : (JSON.parse(text) as Info);
  }

  const owned = new Map<string, Kept>();

  /** A person's unexpired folders. The owner of a folder never changes, so each is read once. */
  async function keptOf({ tenantId, userId }: Pick<Kept, 'tenantId' | 'userId'>): Promise<Kept[]> {
    const ids = new Set(await idsIn(folder));
    for (const id of owned.keys()) if (!ids.has(id)) owned.delete(id);
    for (const id of ids) {
      const info = owned.has(id) ? undefined : await find(id);
      if (info === undefined) continue;
      const { projectId, begunAt } = info;
      owned.set(id, { id, tenantId: info.tenantId, projectId, userId: info.userId, begunAt });
    }
    const until = clock.now() - keptMs;
    return [...owned.values()].filter(
      (each) => each.tenantId === tenantId && each.userId === userId && each.begunAt >= until,
    );
  }

  async function make(id: string): Promise<void> {
    const first = await mkdir(placeOf(id), { recursive: true });
    if (first === undefined) return;
    for (let made = join(folder, id); made.length >= first.length; made = dirname(made))
      await syncFolder(dirname(made));
  }

  return {
    placeOf,
    find,
    keptOf,
    make,
    remove,
    expiresAt: ({ begunAt }: Info): number => begunAt + keptMs,

    /** Replaces the metadata in one step, so that a crash leaves the old or the new. */
    async note(info: Info): Promise<void> {
      await make(info.id);
      const draft = placeOf(info.id, `info-${randomUUID()}`);
      await writeFile(draft, JSON.stringify(info), { mode: 0o600, flush: true });
      await rename(draft, placeOf(info.id, 'info.json'));
      await syncFolder(placeOf(info.id));
    },

    async all(): Promise<Info[]> {
      const found = await Promise.all((await idsIn(folder)).map(find));
      return found.filter((info) => info !== undefined);
    },

    /** Removes expired folders and leftovers of a crash. */
    async collect(): Promise<void> {
      const until = clock.now() - keptMs;
      for (const id of await idsIn(folder)) {
        const begunAt = (await find(id))?.begunAt ?? (await changedAt(placeOf(id)));
        if (begunAt < until) await remove(id);
      }
    },
  };
}

export type KeptFolders<Info extends Kept> = ReturnType<typeof createKeptFolders<Info>>;

/** Returns the present time if another process has just removed it. */
const changedAt = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Number.POSITIVE_INFINITY,
  );

const idsIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => [])).filter((name) => ID.test(name));
