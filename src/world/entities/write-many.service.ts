import type { ReadDocument } from '../../content/frontmatter/index.ts';
import { decodeUtf8, readDocument } from '../../content/frontmatter/index.ts';
import { entityFilePath } from '../../content/paths/index.ts';
import type { Clock } from '../../kit/clock.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { HttpError } from '../../kit/errors.ts';
import { createPauses } from '../../kit/pauses.ts';
import { FilesError } from '../../platform/files/files.ts';
import type { EntityRow, Project, RecordsDb } from '../records/index.ts';
import { type EntityState, entityOfDocument, type ReadTexts } from '../texts/index.ts';
import type { Author } from './author.ts';
import { changedInDocuments } from './changed-parts.ts';
import type { Entities } from './entities.service.ts';
import { entityLock } from './entity-lock.ts';
import { inRoom } from './entity-room.ts';
import { keyOf } from './file-import-plan.ts';
import { folderOf } from './recycle-item.ts';
import type { BatchOrigin, ReadyWrite, TextWrite, WrittenFile } from './text-write.ts';
import { knownOf, storeMany } from './write-many.store.ts';

export type WriteMany = ReturnType<typeof createWriteMany>;

const nameOf = ({ template, entityId }: TextWrite): string => keyOf(template.entity_type, entityId);

/**
 * Writes many texts with one commit, each as `writeNew` and `writeText` would. Accepts only plain cases: an unlocked entity whose file
 * and row are the state that the text is based on. All others, and texts that disk or limit refuse, are left to the caller.
 * Resolves to the rows of the accepted texts.
 */
export function createWriteMany({
  entities,
  readTexts,
  clock,
}: {
  entities: Entities;
  readTexts: ReadTexts;
  clock: Clock;
}) {
  async function takeAll(
    project: Project,
    writes: readonly TextWrite[],
    author: Author,
    origin: BatchOrigin,
  ): Promise<Map<TextWrite, EntityRow>> {
    const known = await knownOf(project, writes);
    const taken = new Map<TextWrite, EntityRow>();
    const fresh: TextWrite[] = [];
    const ready: ReadyWrite[] = [];
    const pause = createPauses();
    for (const write of writes) {
      const row = known.rows.get(nameOf(write));
      if (row && row.file_checksum === checksumOf(write.text)) taken.set(write, row);
      else if (row) ready.push(...(await prepareNext(project, write, row)));
      else if (write.base === null && !known.recycled.has(nameOf(write))) fresh.push(write);
      await pause();
    }
    ready.push(...(await prepareNew(fresh)));
    const { also } = origin;
    if (also && taken.size > 0) await project.database.write((db: RecordsDb) => also(db, [...taken.keys()]));
    const more = ready.filter(({ previous }) => previous === null).length;
    const stored = await inRoom(project, { plan: author.plan, more }, () =>
      writeAndStore(project, ready, { author, origin }),
    ).catch(noneOverLimit);
    const added = [...stored].flatMap(([{ previous }, row]) => (previous === null ? row : []));
    if (added.length > 0) await entities.followTargets(project, { added, removed: [] });
    for (const [{ write }, row] of stored) taken.set(write, row);
    return taken;
  }

  async function prepareNew(writes: readonly TextWrite[]): Promise<ReadyWrite[]> {
    const states = await readTexts(
      writes.map(({ template, entityId, text, path = entityFilePath(template, entityId) }) => ({
        template,
        path,
        text,
      })),
    );
    return writes.flatMap((write, index) => {
      const state = states[index];
      const isIts = state?.entity_id === write.entityId;
      return isIts ? { write, state, previous: null, old: null, changed: [] } : [];
    });
  }

  async function writeAndStore(
    project: Project,
    ready: readonly ReadyWrite[],
    options: { author: Author; origin: BatchOrigin },
  ): Promise<ReadonlyMap<WrittenFile, EntityRow>> {
    const files = ready.map(({ state: { path }, old }) => ({ path, newFolder: old === null }));
    const end = project.ownWrites.begin(files);
    let written: WrittenFile[] = [];
    let stored: ReadonlyMap<WrittenFile, EntityRow> | null = null;
    try {
      written = await writeFiles(project, ready);
      stored = await storeMany(project, written, { ...options, clock });
      return stored;
    } finally {
      if (stored === null) await Promise.all(written.map((file) => putBack(project, file)));
      end([...(stored?.keys() ?? [])].map(({ stat }) => stat));
    }
  }

  return (
    project: Project,
    writes: readonly TextWrite[],
    author: Author,
    origin: BatchOrigin,
  ): Promise<Map<TextWrite, EntityRow>> => {
    const lockOf = ({ template, entityId }: TextWrite) => entityLock(project, template.entity_type, entityId);
    const fitting = writes.filter(({ text }) => Buffer.byteLength(text) <= project.largestText);
    return project.database.withFree(fitting.map(lockOf), (held) =>
      takeAll(
        project,
        fitting.filter((write) => held.has(lockOf(write))),
        author,
        origin,
      ),
    );
  };
}

async function prepareNext(project: Project, write: TextWrite, row: EntityRow): Promise<ReadyWrite[]> {
  const { base } = write;
  const follows =
    base?.version === row.version &&
    (base.fileChecksum === undefined || base.fileChecksum === row.file_checksum);
  const read = follows ? readWrite(write, row.path) : undefined;
  const old = read && (await project.files.read(row.path).catch(noFile));
  const before = old && checksumOf(old) === row.file_checksum ? decodeUtf8(old) : undefined;
  if (!read || !old || !before?.ok) return [];
  const changed = changedInDocuments(readDocument(before.text), read.document);
  return [{ write, state: read.state, previous: row, old, changed }];
}

function readWrite(
  { template, entityId, text }: TextWrite,
  path: string,
): { state: EntityState; document: ReadDocument & { ok: true } } | undefined {
  const document = readDocument(text);
  if (!document.ok) return undefined;
  const { state } = entityOfDocument(template, { path, document, checksum: checksumOf(text) });
  return state.entity_id === entityId ? { state, document } : undefined;
}

/** The caller then writes the texts one by one, up to the limit. */
function noneOverLimit(error: unknown): ReadonlyMap<WrittenFile, EntityRow> {
  if (error instanceof HttpError && error.status === 402) return new Map();
  throw error;
}

function noFile(error: unknown): undefined {
  if (!(error instanceof FilesError)) throw error;
}

/** Writes the files and returns those that the disk accepted; a new entity needs a new folder. */
async function writeFiles(project: Project, ready: readonly ReadyWrite[]): Promise<WrittenFile[]> {
  const results = await project.files.writeMany(
    ready.map(({ write: { text: content }, state: { path }, old }) =>
      old === null ? { path, content, ifAbsent: true, newFolder: true } : { path, content, onlyOver: old },
    ),
  );
  return ready.flatMap((each, index) => {
    const result = results[index];
    return result?.status === 'fulfilled' ? [{ ...each, stat: result.value }] : [];
  });
}

/** Restores the files, except for those edited since; the next sync imports the others like outside edits. */
async function putBack(project: Project, { write, state, old }: ReadyWrite): Promise<void> {
  try {
    const written = Buffer.from(write.text);
    if (old !== null) {
      await project.files.write(state.path, old, { onlyOver: written });
      return;
    }
    await project.files.removeOnly(state.path, written);
    await project.files.removeEmptyFolder(folderOf(state.path));
  } catch {
    return;
  }
}
