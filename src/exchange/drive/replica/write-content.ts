import { hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { mimeTypeOf } from '../../../content/paths/index.ts';
import { sha256Hex } from '../../../kit/crypto.ts';
import type { DriveContent, DriveFile } from '../../../platform/drive/drive.ts';
import { hasOrHad, type RecordsDb } from '../../../world/records/index.ts';
import { checksumText, isEntityKey, type Outcome } from '../../sync/index.ts';
import { sessionOf } from './content-session.ts';
import { coveredBy } from './covered.ts';
import { type DriveItem, putDriveItems } from './drive-items.store.ts';
import { write } from './drive-parts.ts';
import { baseOf, isLaterVersion, mergeEntity } from './merge-entity.ts';
import {
  type EntityOrFile,
  noteFile,
  type PutParts,
  refused,
  stored,
  superseded,
  unsent,
} from './put-parts.ts';
import { settledFile } from './settle-write.ts';
import { contentOf, contentOfBytes } from './texts.ts';
import { untrash } from './untrash.ts';

export const typeOf = (path: string): string => mimeTypeOf(path) ?? 'application/octet-stream';

/** Somebody else may write again between two writes of ours. More tries wait for the next round. */
const MOST_TRIES = 3;

/** True for a text of this side alone, and false for one that was merged with somebody else's. */
const isOwnText = async ({ project }: PutParts, { local: { row } }: EntityOrFile, sha256: string) =>
  row === null || project.database.read((db: RecordsDb) => hasOrHad(db, row, checksumText(sha256)));

/** The answer to an earlier write may be lost: then the drive says what it has, and what was this side's own may be replaced. */
async function settledRow(parts: PutParts, change: EntityOrFile, row: DriveItem): Promise<DriveItem | null> {
  if (row.writing === null) return row;
  const found = await parts.drive.file(row.file_id);
  if (found === null) return null;
  const file = await settledFile(parts, row, found);
  const noted = await noteFile(parts, row, file);
  if (file.sha256 === row.writing)
    return (await isOwnText(parts, change, row.writing)) ? { ...noted, unwanted: row.writing } : noted;
  // Nobody has written since, so that the upload may go on.
  const { writing, session } = row;
  return file.headRevisionId === row.head_revision ? { ...noted, writing, session } : noted;
}

/**
 * Nothing is lost if the own content replaces what is there: that is the agreed content, an earlier one of the entity here, whose
 * answer was lost, or one that nobody wants.
 */
async function isOurs(
  parts: PutParts,
  { sha256, unwanted }: DriveItem,
  change: EntityOrFile,
): Promise<boolean> {
  const { base, local } = change;
  if (sha256 === null) return false;
  if (sha256 === base.sha256 || sha256 === unwanted) return true;
  return (
    local.row !== null && (await isLaterVersion(parts.project, local.row, { sha256, than: base.sha256 }))
  );
}

/** Replaces a file's content, and merges where somebody else changed it. */
export async function writeContent(
  parts: PutParts,
  change: EntityOrFile,
  found: DriveItem,
): Promise<Outcome> {
  const row = await settledRow(parts, change, found);
  if (row === null) return unsent();
  if (row.sha256 === change.local.sha256) return stored();
  if (!(await isOurs(parts, row, change))) return join(parts, change, row);
  const content = contentOf(parts, change);
  if (content === null) return unsent();
  const written = await begin(parts, change, { row, content, sha256: change.local.sha256 });
  return lookBack(parts, change, written);
}

interface Begun {
  row: DriveItem;
  content: DriveContent;
  sha256: string;
}

/** Notes durably what is written, then writes it. Both stay noted until somebody has looked back (`settledFile`). */
async function begin(
  parts: PutParts,
  change: EntityOrFile,
  { row, content, sha256 }: Begun,
): Promise<Written> {
  const session = sessionOf(parts, row, sha256);
  const begun = { ...row, writing: sha256, session: session.path };
  await write(parts, (db) => putDriveItems(db, parts.project, [begun]));
  const file = await send(parts, begun, change.local.path, { ...content, session });
  return { before: row.head_revision, row: begun, file, sha256, tries: MOST_TRIES };
}

async function send(
  { drive }: PutParts,
  { file_id }: DriveItem,
  path: string,
  content: DriveContent,
): Promise<DriveFile> {
  const file = await drive.update(file_id, { content: { ...content, mimeType: typeOf(path) } });
  return file.isTrashed ? untrash(drive, file) : file;
}

interface Written {
  /** The revision that was written over, as far as this install knew. */
  before: string | null;
  row: DriveItem;
  file: DriveFile;
  /** Of what was written. */
  sha256: string;
  tries: number;
}

/**
 * A drive writes over whatever it has. The revisions say afterwards what that was: another person's content is joined now, and nothing
 * of it is lost. Only then is the answer noted, so that a process that dies before leaves this to the next round.
 */
async function lookBack(parts: PutParts, change: EntityOrFile, written: Written): Promise<Outcome> {
  const { before, row, file, sha256 } = written;
  const foreign = before === null ? null : await coveredBy(parts.drive, file, before);
  const isKnown = foreign === null || sha256Hex(foreign) === change.base.sha256;
  const joined: Joined = isKnown ? { kind: 'stays' } : await joinedWith(parts, change, foreign, file);
  if (joined.kind === 'stays') {
    // The file changed here while it was read, and is sent anew.
    const isAsSent = file.sha256 === sha256;
    await noteFile(parts, row, file, { unwanted: isAsSent ? null : file.sha256 });
    return isAsSent ? stored() : unsent();
  }
  const { bytes, outcome } = joined;
  const next = await send(parts, row, change.local.path, contentOfBytes(bytes));
  const again = { ...written, before: file.headRevisionId, file: next, sha256: sha256Hex(bytes) };
  if (written.tries > 1) await lookBack(parts, change, { ...again, tries: written.tries - 1 });
  else await noteFile(parts, row, next);
  return outcome;
}

type Joined = { kind: 'stays' } | { kind: 'other'; bytes: Uint8Array; outcome: Outcome };

/** The content that takes the place of the own one, which lies in the drive now. */
async function joinedWith(
  parts: PutParts,
  change: EntityOrFile,
  foreign: Uint8Array,
  file: DriveFile,
): Promise<Joined> {
  const theirs = (): Joined => ({ kind: 'other', bytes: foreign, outcome: superseded(false) });
  if (!isEntityKey(change.base.key)) return theirs();
  const merged = await mergeEntity(parts, change, foreign, file);
  // It stays among the revisions there. Ours, which can be read, is what all others go on with.
  if (merged.kind === 'unreadable') return { kind: 'stays' };
  if (merged.kind === 'conflict') return theirs();
  const bytes = Buffer.from(merged.text);
  if (sha256Hex(bytes) === change.local.sha256) return { kind: 'stays' };
  return { kind: 'other', bytes, outcome: superseded(true) };
}

/** The drive has something newer than the agreed content. */
async function join(parts: PutParts, change: EntityOrFile, row: DriveItem): Promise<Outcome> {
  if (!isEntityKey(change.base.key)) return superseded(false);
  const { drive } = parts;
  // Of both the newest, since the row may be older.
  const file = await drive.file(row.file_id);
  if (file === null) return unsent();
  const bytes = await buffer((await drive.download(row.file_id)).body);
  const now = sha256Hex(bytes);
  const known = await noteFile(parts, row, file, { sha256: now });
  if (now === change.local.sha256) return stored();
  if (await wasThereBefore(parts, change, row)) return superseded(true);
  const merged = await mergeEntity(parts, change, bytes, file);
  if (merged.kind === 'unreadable') return refused(merged.reason);
  if (merged.kind === 'conflict') return superseded(false);
  const next = Buffer.from(merged.text);
  const sha256 = sha256Hex(next);
  if (sha256 === now) return superseded(true);
  const written = await begin(parts, change, { row: known, content: contentOfBytes(next), sha256 });
  const outcome = await lookBack(parts, change, written);
  return sha256 === change.local.sha256 ? outcome : superseded(true);
}

/** A repeated put: it was stored before, and others have changed it since. */
async function wasThereBefore(parts: PutParts, change: EntityOrFile, row: DriveItem): Promise<boolean> {
  const md5s = (await parts.drive.revisions(row.file_id)).map(({ md5 }) => md5);
  const lastOf = (text: string) => md5s.lastIndexOf(hash('md5', text, 'hex'));
  const base = await baseOf(parts, change);
  const own = lastOf(String(change.content));
  // It was taken back, since it had covered what somebody else wrote (`settledFile`).
  if (own > 0 && md5s[own + 1] === md5s[own - 1]) return false;
  return own > (base ? lastOf(base.text) : -1);
}
