import { checksumOf, sha256Hex } from '../../kit/crypto.ts';
import type { ConflictRecords } from '../../world/conflict-records/index.ts';
import { lastSequence, type Project, type RecordsDb } from '../../world/records/index.ts';
import type { Cursors } from './cursors.ts';
import { type ChangedFile, filesAfter } from './pull.store.ts';
import type { PushedEntity, PushedFile, PushReply } from './push.contract.ts';

export interface Pushed {
  entities: readonly PushedEntity[];
  files?: readonly PushedFile[] | undefined;
  cursor?: string | undefined;
}

/** Beyond this many changes the installation has to pull. */
const MOST_CHANGES = 5_000;

/**
 * The end of the log if everything since the pushed cursor came from this push: then its sender has it all. Null if anyone
 * else changed something, or something was stored differently.
 */
export async function seqAfterOwnWork(
  project: Project,
  { conflicts, cursors }: { conflicts: ConflictRecords; cursors: Cursors },
  { pushed, reply }: { pushed: Pushed; reply: PushReply },
): Promise<number | null> {
  if (pushed.cursor === undefined || reply.conflicts.length > 0) return null;
  const end = await project.database.read((db: RecordsDb) => lastSequence(db, project));
  const position = await cursors.positionOf(project, pushed.cursor);
  if (typeof position === 'string' || position.complete) return null;
  const window = { after: position.seq, limit: MOST_CHANGES, withFiles: true };
  const files = await project.database.read((db: RecordsDb) => filesAfter(db, project, window));
  const others = await conflicts.changedAfter(project, position.seq, 1);
  const isOwn = ownChanges(pushed, reply);
  const hasAll = isOwn !== null && files.length <= MOST_CHANGES && files.every(isOwn) && others.length === 0;
  return hasAll ? end : null;
}

/** Recognizes the changes of a push; null if the sender lacks part of their result. */
function ownChanges(
  { entities, files = [] }: Pushed,
  reply: PushReply,
): ((file: ChangedFile) => boolean) | null {
  const accepted = new Set(reply.accepted);
  const deleted = new Set<string>();
  const texts = new Map<string, string>();
  for (const { entity_type, entity_id, content, path, deleted: isGone } of entities) {
    const key = `${entity_type}/${entity_id}`;
    if (!accepted.has(key)) continue;
    if (isGone) deleted.add(key);
    else if (content === undefined || !isStored(reply.versions[key], content, path)) return null;
    else texts.set(key, reply.versions[key]?.file_checksum ?? '');
  }
  const taken = new Set(reply.files?.accepted ?? []);
  const sent = new Map(files.filter(({ path }) => taken.has(path)).map((file) => [file.path, file]));
  return ({ path, entity_type, entity_id, entry_type, sha256, deleted_at }) => {
    const key = `${entity_type}/${entity_id}`;
    const file = sent.get(path);
    // Deleting an entity also removes other files in its folder, perhaps newer than the sender's. Only the entity's own
    // file counts.
    if (deleted_at !== null)
      return file?.deleted === true || (entry_type === 'markdown' && deleted.delete(key));
    return file
      ? sha256 === hashOf(file)
      : entry_type === 'markdown' && texts.get(key) === `sha256:${sha256}`;
  };
}

const isStored = (
  stored: PushReply['versions'][string] | undefined,
  content: string,
  path?: string,
): boolean => stored?.file_checksum === checksumOf(content) && (path === undefined || stored.path === path);

const hashOf = ({ sha256, content = '', encoding = 'utf8' }: PushedFile): string =>
  sha256 ?? sha256Hex(Buffer.from(content, encoding));
