import { type HttpError, tooLarge } from '../../../kit/errors.ts';
import type { HeaderValue } from '../../../kit/http/etag.ts';
import { type FileStat, type FileStore, over } from '../../../platform/files/files.ts';
import { unreadableFile } from '../../records/index.ts';
import { requireTag } from './file-tag.ts';
import type { DefinitionProblem, FileKind, PresentFile } from './text-file.ts';

export interface FileChange<File> {
  ifMatch?: HeaderValue;
  /** Why an unreadable file must not be replaced; undefined if the caller allowed it. */
  refuse(present: PresentFile<File>, problem: DefinitionProblem): HttpError | undefined;
  /** The whole next text; null if there is to be no file. */
  next(present: PresentFile<File> | null): string | null;
  /** Keeps an unreadable file's text before it is replaced. */
  keep?(present: PresentFile<File>, problem: DefinitionProblem): Promise<void>;
}

export interface FilePlace<File> {
  path: string;
  present: PresentFile<File> | null;
}

/**
 * Writes a file's next text over the one that was read, or creates the file. Undefined if the text is the same already.
 * Throws 412 if the caller has seen a different text, 413 above the limit; the write fails if the file changed since it was
 * read.
 */
export async function saveFile<File>(
  files: FileStore,
  { name, limit }: FileKind<File>,
  { path, present }: FilePlace<File>,
  change: FileChange<File>,
): Promise<{ stat: FileStat; text: string } | undefined> {
  requireTag(change.ifMatch, present?.checksum ?? null, name);
  const problem = present && 'problem' in present.read ? present.read.problem : null;
  const refusal = present && problem && change.refuse(present, problem);
  if (refusal) throw refusal;
  const text = change.next(present);
  if (text === null || text === present?.text) return undefined;
  if (Buffer.byteLength(text) > limit) throw tooLarge(`The ${name} would be larger than ${limit} bytes`);
  if (present && problem) await change.keep?.(present, problem);
  return { text, stat: await files.write(path, text, over(present?.bytes ?? null)) };
}

/** 409 for a definition that cannot be read; `help` says how to replace it, if its bytes are text at all. */
export function unreadable<File>(
  { path, isText }: PresentFile<File>,
  { reason, line, column }: DefinitionProblem,
  help: string,
): HttpError {
  const place = line === null ? '' : ` (line ${line}, column ${column})`;
  const advice = isText ? `Fix the file, or send ${help}` : 'Fix the file';
  return unreadableFile(`${path} cannot be read: ${reason}${place}. ${advice}`, [{ path, reason, line }]);
}
