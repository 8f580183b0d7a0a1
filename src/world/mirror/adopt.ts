import { decodeUtf8 } from '../../content/frontmatter/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { newId } from '../../kit/ids.ts';
import type { TemplateSet } from '../definitions/index.ts';
import { entityLock, recycleRowOf } from '../entities/index.ts';
import {
  entityRowOf,
  insertRecycleItem,
  type Project,
  type RecordsDb,
  takeSequence,
} from '../records/index.ts';
import type { RecycledFolder } from '../scan/index.ts';
import { type EntityStamp, type EntityState, readEntityFile } from '../texts/index.ts';
import { recycledFolders } from './mirror.store.ts';

/** Folders adopted per sync, so that a large bin does not delay it. */
const MOST_ADOPTED = 500;

/** The former path of a recycled file: `_RecycleBin/Characters/ada~k3/CH_ada.md` → `Characters/ada/CH_ada.md`. */
function originalPath(path: string): string {
  const [, type = '', folder = '', file = ''] = path.split('/');
  return `${type}/${folder.replace(/~[^~]*$/, '')}/${file}`;
}

/** Creates items for folders in the recycle bin that have none, as in a rebuilt database. Resolves to their number. */
export async function adoptRecycled(
  project: Project,
  set: TemplateSet,
  folders: readonly RecycledFolder[],
  clock: Clock,
): Promise<number> {
  if (folders.length === 0) return 0;
  const known = await recycledFolders(project);
  const orphans = folders.filter(({ folder }) => !known.has(folder)).slice(0, MOST_ADOPTED);
  let adopted = 0;
  for (const orphan of orphans) if (await adopt(project, set, orphan, clock)) adopted += 1;
  return adopted;
}

async function adopt(
  project: Project,
  set: TemplateSet,
  { folder, path }: RecycledFolder,
  clock: Clock,
): Promise<boolean> {
  const original = originalPath(path);
  const template = set.byFolder.get(original.slice(0, original.indexOf('/')));
  const read = template && (await readRecycled(project, template, path, original));
  if (!read) return false;
  const { state, text, modifiedAt } = read;
  // A running deletion moves the folder before it stores the item.
  return project.database.exclusive(entityLock(project, state.entity_type, state.entity_id), async () => {
    if ((await recycledFolders(project)).has(folder)) return false;
    await project.database.write(async (db: RecordsDb) => {
      const seq = await takeSequence(db, project, 1);
      // A new row id: another entity may have the one in the folder's name by now.
      const row = entityRowOf(
        project,
        { state, stamp: stampOf(state, modifiedAt), changed: [], previous: null },
        seq,
      );
      const at = isoTime(clock.now());
      await insertRecycleItem(
        db,
        recycleRowOf(row, { itemId: newId(), folder, content: text, at, actor: null }),
      );
    });
    return true;
  });
}

async function readRecycled(project: Project, template: TemplateDefinition, path: string, original: string) {
  const stat = await project.files.stat(path).catch(() => undefined);
  const bytes = stat && (await project.files.read(path).catch(() => undefined));
  const decoded = bytes && decodeUtf8(bytes);
  if (!stat || !bytes || !decoded?.ok) return undefined;
  const file = { path: original, text: decoded.text, checksum: checksumOf(bytes) };
  const read = readEntityFile(template, file);
  return read.ok ? { state: read.state, text: decoded.text, modifiedAt: isoTime(stat.mtimeMs) } : undefined;
}

const stampOf = (state: EntityState, modifiedAt: string): EntityStamp => ({
  version: 1,
  created_at: state.created_at ?? modifiedAt,
  updated_at: modifiedAt,
  updated_by: null,
  source: 'import',
});
