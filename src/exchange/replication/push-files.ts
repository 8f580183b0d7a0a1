import type { PlanName, Role } from '../../access/plans.ts';
import { decodeUtf8 } from '../../content/frontmatter/index.ts';
import { mergeDocuments } from '../../content/merge/index.ts';
import { sha256Hex, streamingSha256 } from '../../kit/crypto.ts';
import { conflict } from '../../kit/errors.ts';
import { type FileStat, over } from '../../platform/files/files.ts';
import { ifGone } from '../../platform/files/if-gone.ts';
import type { AssetRecycleBin, Assets } from '../../world/assets/index.ts';
import type { TemplateRegistry } from '../../world/definitions/index.ts';
import { binOfFile } from '../../world/entities/index.ts';
import { type Mirror, succeeded } from '../../world/mirror/index.ts';
import {
  type FileRow,
  findFiles,
  type HeldRoom,
  lastSequence,
  type Project,
  type RecordsDb,
  type StorageRoom,
} from '../../world/records/index.ts';
import { type FilePlace, filePlace } from './file-place.ts';
import { formerText } from './former-text.ts';
import { incomingBytes, type SentBytes } from './incoming-bytes.ts';
import type { PushedFile, PushReply } from './push.contract.ts';
import { refusalOf } from './refusal.ts';

export interface PushFilesOptions {
  templates: TemplateRegistry;
  mirror: Mirror;
  assets: Assets;
  assetBin: AssetRecycleBin;
  room: StorageRoom;
}

/** The sender's rights that matter for files. */
export interface FilePusher {
  actor: string;
  plan: PlanName;
  role: Role;
  sent: SentBytes;
}

/** The state of one push. */
interface Taking extends FilePusher {
  held: HeldRoom[];
}

type FilesReply = NonNullable<PushReply['files']>;
type Rejected = FilesReply['rejected'][number];

/** Accepts files without versions: each is written only if it is still what the sender last saw. */
export function createPushFiles({ templates, mirror, assets, assetBin, room }: PushFilesOptions) {
  async function take(project: Project, pushed: PushedFile, pusher: Taking): Promise<void> {
    const place = await filePlace(project, await templates.of(project), pushed.path, pusher.role);
    await project.database.exclusive(place.lock, async () => {
      const present = await fileAt(project, place.path);
      if (pushed.deleted) await remove(project, pushed, { place, present }, pusher);
      else await set(project, pushed, { place, present }, pusher);
    });
  }

  async function set(
    project: Project,
    pushed: PushedFile,
    { place, present }: { place: FilePlace; present: PresentFile | null },
    { plan, sent, held }: Taking,
  ): Promise<void> {
    const presentHash = present?.sha256 ?? null;
    if (presentHash !== null && presentHash === pushed.sha256) return;
    const { sha256, size, content } = await incomingBytes(project, pushed, { assets, sent });
    if (presentHash === sha256) return;
    const more = size - (present?.stat.size ?? 0);
    const isStored = place.entry_type === 'asset' || place.role === 'plugin';
    if (isStored && more > 0) held.push(await room.hold(project, plan, more));
    const condition = over(present?.stat ?? null);
    if (presentHash === pushed.base_sha256) {
      await project.files.write(place.path, content, condition);
      return;
    }
    const isMergeable = present !== null && content instanceof Uint8Array;
    const merged = isMergeable ? await mergedText(project, pushed, place, content) : undefined;
    if (merged === undefined) throw changed(place.path);
    await project.files.write(place.path, merged, condition);
  }

  async function remove(
    project: Project,
    { base_sha256: base }: PushedFile,
    { place, present }: { place: FilePlace; present: PresentFile | null },
    { actor }: FilePusher,
  ): Promise<void> {
    if (present === null) return;
    if (present.sha256 !== base) throw changed(place.path);
    const id = place.entry_type === 'asset' ? await assets.idAt(project, place.path) : undefined;
    if (id !== undefined) await assetBin.remove(project, id, actor);
    else await project.files.move(place.path, binOfFile(place.path));
  }

  /** Brings the index up to date for these paths; resolves to their rows. */
  async function settle(project: Project, paths: readonly string[]): Promise<Map<string, FileRow>> {
    const rowsOf = () => project.database.read((db: RecordsDb) => findFiles(db, project, paths));
    const rows = await rowsOf();
    const behind: string[] = [];
    for (const path of paths)
      if (liveHash(rows.get(path)) !== ((await fileAt(project, path))?.sha256 ?? null)) behind.push(path);
    if (behind.length === 0) return rows;
    succeeded(await mirror.sync(project, { kind: 'paths', paths: behind }));
    return rowsOf();
  }

  async function takeAll(
    project: Project,
    files: readonly PushedFile[],
    pusher: Taking,
  ): Promise<FilesReply> {
    const before = await project.database.read((db: RecordsDb) => lastSequence(db, project));
    const taken: PushedFile[] = [];
    const rejected: Rejected[] = [];
    for (const pushed of files) {
      try {
        await take(project, pushed, pusher);
        taken.push(pushed);
      } catch (error) {
        const present = await fileAt(project, pushed.path).catch(() => null);
        rejected.push({ path: pushed.path, ...refusalOf(error), sha256: present?.sha256 ?? null });
      }
    }
    // A refused file is reported to later pulls, and so is its disappearance.
    const inTheWay = rejected.filter(({ sha256 }) => sha256 !== null);
    const rows = await settle(
      project,
      [...taken, ...inTheWay].map(({ path }) => path),
    );
    for (const refused of inTheWay) refused.sha256 = (await fileAt(project, refused.path))?.sha256 ?? null;
    const reply: FilesReply = { accepted: [], rejected };
    for (const { path, deleted } of taken) {
      const row = rows.get(path);
      const isUnknown = liveHash(row) === null && (row?.seq ?? 0) <= before;
      // A file lost with its folder before it was indexed leaves no tombstone, so its sender would never hear of it.
      if (!deleted && isUnknown && (await fileAt(project, path)) === null)
        rejected.push({ path, ...refusalOf(changed(path)), sha256: null });
      else reply.accepted.push(path);
    }
    return reply;
  }

  return async (project: Project, files: readonly PushedFile[], pusher: FilePusher): Promise<FilesReply> => {
    const held: HeldRoom[] = [];
    try {
      return await takeAll(project, files, { ...pusher, held });
    } finally {
      await Promise.all(held.map((each) => each.release()));
    }
  };
}

export type PushFiles = ReturnType<typeof createPushFiles>;

const liveHash = (row: FileRow | undefined): string | null =>
  row === undefined || row.deleted_at !== null ? null : row.sha256;

const changed = (path: string) =>
  conflict(`${path} has been changed since: pull it, then push your change again`, { code: 'changed' });

/** Merges a template or rule file; undefined if the changes overlap or the base is unknown. */
async function mergedText(
  project: Project,
  { base_sha256: base }: PushedFile,
  { path, role }: FilePlace,
  incoming: Uint8Array,
): Promise<string | undefined> {
  if (base === null || (role !== 'template' && role !== 'rule')) return undefined;
  const former = await formerText(project, path, base);
  const bytes = await project.files.read(path);
  const [ours, theirs] = [decodeUtf8(bytes), decodeUtf8(incoming)];
  if (former === undefined || sha256Hex(former) !== base || !ours.ok || !theirs.ok) return undefined;
  const { clean, structured, text } = mergeDocuments(former, ours.text, theirs.text);
  return clean && structured ? text : undefined;
}

interface PresentFile {
  stat: FileStat;
  /** Of the bytes that `stat` describes. */
  sha256: string;
}

/** Null if there is no file. */
async function fileAt(project: Project, path: string): Promise<PresentFile | null> {
  if ((await project.files.stat(path)) === undefined) return null;
  const hash = streamingSha256();
  try {
    const file = await project.files.open(path);
    for await (const bytes of file.stream()) hash.update(bytes as Uint8Array);
    return { stat: file.stat, sha256: hash.digest('hex') };
  } catch (error) {
    return ifGone(error) ?? null;
  }
}
