import type { Clock } from '../../kit/clock.ts';
import { MEMORY } from '../../kit/contract.ts';
import type { HoldBytes } from '../../kit/work-budget.ts';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { FileStore, OpenFile } from '../../platform/files/files.ts';
import { ifGone } from '../../platform/files/if-gone.ts';
import type { Scope } from '../records/index.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Milliseconds of waiting: a page requests many files at once, and each takes time. */
const LONGEST_WAIT_MS = 60_000;

export interface MadeFilesOptions {
  /** Shared by all processes that make files of the same bytes. */
  files: FileStore;
  locks: { tenant(tenantId: string): Pick<TenantDatabase, 'exclusive'> };
  holdBytes: HoldBytes;
  clock: Clock;
}

/** The source of derived files: an asset's bytes, by their hash. */
export interface Source {
  scope: Scope;
  sha256: string;
}

export interface MadeFile {
  name: string;
  bytes: Uint8Array;
}

const folderOf = ({ tenantId, projectId }: Scope): string => `${tenantId}/${projectId}`;
const bucketOf = ({ scope, sha256 }: Source): string => `${folderOf(scope)}/${sha256.slice(0, 2)}`;
const pathOf = (source: Source, name: string): string => `${bucketOf(source)}/${source.sha256}_${name}`;

/** Files derived from assets' bytes: they can be made again at any time, and are removed when no asset has the bytes. */
export function createMadeFiles({ files, locks, holdBytes, clock }: MadeFilesOptions) {
  const making = new Map<string, Promise<void>>();
  const sweptAtMs = new Map<string, number>();

  const missing = (source: Source, names: readonly string[]) =>
    Promise.all(names.map(async (name) => ((await files.stat(pathOf(source, name))) ? [] : [name]))).then(
      (found) => found.flat(),
    );

  return {
    /** Reads a small file as text. */
    async read(source: Source, name: string): Promise<string | undefined> {
      const bytes = await files.read(pathOf(source, name)).catch(ifGone);
      return bytes && Buffer.from(bytes).toString('utf8');
    },

    open: (source: Source, name: string): Promise<OpenFile | undefined> =>
      files.open(pathOf(source, name)).catch(ifGone),

    /** Makes missing files. Concurrent callers for the same bytes, in any process, wait instead of making them again. */
    async ensure(
      source: Source,
      names: readonly string[],
      make: (names: readonly string[]) => Promise<readonly MadeFile[]>,
    ): Promise<void> {
      const key = `${folderOf(source.scope)}/${source.sha256}`;
      for (let running = making.get(key); running; running = making.get(key)) await running;
      const mine = (async () => {
        if ((await missing(source, names)).length === 0) return;
        const { tenantId } = source.scope;
        const release = await holdBytes(tenantId, MEMORY.ofPicture, { waitMs: LONGEST_WAIT_MS });
        try {
          await locks.tenant(tenantId).exclusive(`made ${key}`, async () => {
            const wanted = await missing(source, names);
            if (wanted.length === 0) return;
            for (const { name, bytes } of await make(wanted)) await files.write(pathOf(source, name), bytes);
          });
        } finally {
          release();
        }
      })().finally(() => making.delete(key));
      making.set(key, mine);
      await mine;
    },

    /** Once a day, removes a project's files of bytes that are not `known`. */
    async sweep(
      scope: Scope,
      known: (hashes: readonly string[]) => Promise<ReadonlySet<string>>,
    ): Promise<void> {
      const folder = folderOf(scope);
      if (clock.now() - (sweptAtMs.get(folder) ?? 0) < DAY_MS) return;
      sweptAtMs.set(folder, clock.now());
      for (const bucket of (await files.list(folder).catch(ifGone)) ?? []) {
        const place = `${folder}/${bucket.name}`;
        const made = (await files.list(place).catch(ifGone)) ?? [];
        const hashes = new Set(made.map(({ name }) => hashOf(name)));
        const kept = await known([...hashes]);
        for (const { name } of made)
          if (!kept.has(hashOf(name))) await files.remove(`${place}/${name}`).catch(ifGone);
      }
      await files.cleanTemporaryFiles();
    },
  };
}

export type MadeFiles = ReturnType<typeof createMadeFiles>;

const hashOf = (name: string): string => name.slice(0, name.indexOf('_'));
