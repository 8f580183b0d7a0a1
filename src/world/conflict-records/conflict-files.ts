import { type Static, Type } from 'typebox';
import { checksumOf } from '../../kit/crypto.ts';
import { messageOf } from '../../kit/errors.ts';
import { createChecker } from '../../kit/http/validation.ts';
import type { Log } from '../../kit/log.ts';
import { FilesError } from '../../platform/files/files.ts';
import { ifGone } from '../../platform/files/if-gone.ts';
import { findEntityRow, type Project, type RecordsDb } from '../records/index.ts';
import { findConflictRow, keepConflictRow, unresolvedConflictIds } from './conflicts.store.ts';
import type { ConflictRow, ConflictSide, NewRow } from './conflicts.tables.ts';

/** A hidden folder, so that no scan, list or copy of the content includes it. */
const ROOT = '.canonry/conflicts';
const folderOf = (conflictId: string): string => `${ROOT}/${conflictId}`;
const ID = /^[0-9a-f-]{36}$/;

const Origin = Type.Object({
  version: Type.Union([Type.Integer(), Type.Null()]),
  updated_at: Type.Union([Type.String(), Type.Null()]),
  updated_by: Type.Union([Type.String(), Type.Null()]),
});
/** The content of `about.json`; the texts are files of their own. */
const About = Type.Object({
  entity_type: Type.String(),
  entity_id: Type.String(),
  conflicting_fields: Type.Array(Type.String()),
  copy_path: Type.Union([Type.String(), Type.Null()]),
  is_pushed: Type.Boolean(),
  detected_at: Type.String(),
  base: Type.Union([Origin, Type.Null()]),
  local: Origin,
  remote: Origin,
});
type About = Static<typeof About>;
const checkAbout = createChecker(About);

export type ConflictFiles = ReturnType<typeof createConflictFiles>;

/**
 * The texts of unresolved conflicts as files, so that they outlive the database: a folder for each with `local.md`, `remote.md`,
 * `base.md` if known, and `about.json`, which is written last.
 */
export function createConflictFiles({ log }: { log: Log }) {
  const logged = new Set<string>();
  const reconciledAfter = new WeakMap<Project, string>();
  const searched = new WeakSet<Project>();

  function warnOnce(conflictId: string, message: string): void {
    if (logged.has(conflictId)) return;
    logged.add(conflictId);
    log.warn(message);
  }

  async function write(project: Project, row: NewRow): Promise<void> {
    const folder = folderOf(row.conflict_id);
    const sides = { local: row.local, remote: row.remote, ...(row.base !== null && { base: row.base }) };
    for (const [name, side] of Object.entries(sides))
      await project.files.write(`${folder}/${name}.md`, sideOf(side).text);
    await project.files.write(`${folder}/about.json`, `${JSON.stringify(aboutOf(row), null, 2)}\n`);
  }

  async function remove(project: Project, conflictId: string): Promise<void> {
    // After an error the next full sync looks again.
    searched.delete(project);
    await project.files.remove(folderOf(conflictId)).catch(ifGone);
  }

  /** The files are written first, so that no row exists without its texts. */
  const keep = (project: Project, row: NewRow): Promise<ConflictRow> =>
    alone(project, async () => {
      await write(project, row);
      try {
        const kept = await keepConflictRow(project, row);
        if (kept.conflict_id !== row.conflict_id) await remove(project, row.conflict_id);
        else
          log.info(
            `${row.entity_type} '${row.entity_id}' has a conflict: both texts are kept in ${folderOf(row.conflict_id)} until it is resolved`,
          );
        return kept;
      } catch (error) {
        await remove(project, row.conflict_id).catch(() => {});
        throw error;
      }
    });

  /** Reads unknown conflicts back after a rebuild of the database; removes resolved ones. */
  async function reconcileFolder(project: Project, conflictId: string): Promise<void> {
    const known = await findConflictRow(project, conflictId);
    if (known?.status === 'resolved') await remove(project, conflictId);
    if (known) return;
    const read = await readFolder(project, conflictId);
    if (read === null) {
      warnOnce(conflictId, `${folderOf(conflictId)} cannot be read as a conflict, and is left as it is`);
      return;
    }
    const { about, texts } = read;
    const entity = await project.database.read((db: RecordsDb) =>
      findEntityRow(db, project, about.entity_type, about.entity_id),
    );
    if (entity === undefined) {
      const name = `${about.entity_type} '${about.entity_id}'`;
      warnOnce(conflictId, `${folderOf(conflictId)} is of ${name}, which is not there: it is left as it is`);
      return;
    }
    const row = rowOf(project, { conflictId, rowId: entity.row_id, about, texts });
    const kept = await keepConflictRow(project, row);
    // A copy beside the entity's file may already have led to the same conflict.
    if (kept.conflict_id !== conflictId) return remove(project, conflictId);
    log.info(
      `a conflict of ${about.entity_type} '${about.entity_id}' was read back from ${folderOf(conflictId)}`,
    );
  }

  async function writeMissing(project: Project, conflictId: string): Promise<void> {
    const row = await findConflictRow(project, conflictId);
    if (row?.status === 'unresolved') await write(project, row);
  }

  async function reconcile(project: Project): Promise<void> {
    const unresolved = await unresolvedConflictIds(project);
    // Folders without a row come from another database and are searched for once.
    if (searched.has(project) && unresolved.length === 0) return;
    const entries = (await project.files.list(ROOT).catch(ifGone)) ?? [];
    const folders = new Set(entries.flatMap(({ name }) => (ID.test(name) ? name : [])));
    for (const id of folders) await alone(project, () => reconcileFolder(project, id));
    for (const id of unresolved.filter((each) => !folders.has(each)))
      await alone(project, () => writeMissing(project, id));
    searched.add(project);
  }

  return {
    keep,
    remove,

    async afterSync(project: Project, fullSyncAt: string | null): Promise<void> {
      if (fullSyncAt === null || reconciledAfter.get(project) === fullSyncAt) return;
      reconciledAfter.set(project, fullSyncAt);
      await reconcile(project).catch((error: unknown) =>
        log.warn(`the files of conflicts could not be compared with the database: ${messageOf(error)}`),
      );
    },
  };
}

/** No folder may be read back before its row is stored. */
const alone = <Result>(project: Project, work: () => Promise<Result>): Promise<Result> =>
  project.database.exclusive(`conflict files ${project.projectId}`, work);

const sideOf = (json: string): ConflictSide => JSON.parse(json) as ConflictSide;

const originOf = (json: string) => {
  const { version, updated_at, updated_by } = sideOf(json);
  return { version, updated_at, updated_by };
};

const aboutOf = (row: NewRow): About => ({
  entity_type: row.entity_type,
  entity_id: row.entity_id,
  conflicting_fields: JSON.parse(row.conflicting_fields) as string[],
  copy_path: row.copy_path,
  is_pushed: row.is_pushed === 1,
  detected_at: row.detected_at,
  base: row.base === null ? null : originOf(row.base),
  local: originOf(row.local),
  remote: originOf(row.remote),
});

interface ReadConflict {
  about: About;
  texts: { local: string; remote: string; base: string };
}

async function readFolder(project: Project, conflictId: string): Promise<ReadConflict | null> {
  const textOf = async (name: string) =>
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      await project.files.read(`${folderOf(conflictId)}/${name}`),
    );
  try {
    const about: unknown = JSON.parse(await textOf('about.json'));
    if (checkAbout(about)) return null;
    const known = about as About;
    const base = known.base === null ? '' : await textOf('base.md');
    return {
      about: known,
      texts: { local: await textOf('local.md'), remote: await textOf('remote.md'), base },
    };
  } catch (error) {
    if (error instanceof FilesError && error.code !== 'not_found') throw error;
    return null;
  }
}

const rowOf = (
  project: Project,
  { conflictId, rowId, about, texts }: ReadConflict & { conflictId: string; rowId: number },
): NewRow => ({
  conflict_id: conflictId,
  tenant_id: project.tenantId,
  project_id: project.projectId,
  row_id: rowId,
  entity_type: about.entity_type,
  entity_id: about.entity_id,
  status: 'unresolved',
  conflicting_fields: JSON.stringify(about.conflicting_fields),
  base: about.base && JSON.stringify({ ...about.base, text: texts.base }),
  local: JSON.stringify({ ...about.local, text: texts.local }),
  remote: JSON.stringify({ ...about.remote, text: texts.remote }),
  remote_checksum: checksumOf(texts.remote),
  copy_path: about.copy_path,
  is_pushed: about.is_pushed ? 1 : 0,
  detected_at: about.detected_at,
  resolution: null,
  resolved_at: null,
  resolved_by: null,
});
