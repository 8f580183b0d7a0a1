import { conflict, type HttpError, tooLarge } from '../../../kit/errors.ts';
import type { HeaderValue } from '../../../kit/http/etag.ts';
import { type FileStat, type FileStore, over } from '../../../platform/files/files.ts';
import { requireTag } from './file-tag.ts';
import type { DefinitionProblem, FileKind, PresentFile } from './text-file.ts';

/** A change of a text file, given the file as it is. */
export interface FileChange<File> {
  ifMatch?: HeaderValue;
  /** Why a file that cannot be read is not to be replaced; undefined: the caller said so. */
  refuse(present: PresentFile<File>, problem: DefinitionProblem): HttpError | undefined;
  /** The whole next text; null: there is to be no file either. */
  next(present: PresentFile<File> | null): string | null;
  /** Keeps the text of a file that cannot be read before it is replaced. */
  keep?(present: PresentFile<File>, problem: DefinitionProblem): Promise<void>;
}

/** Where a file is, or is to be. */
export interface FilePlace<File> {
  path: string;
  present: PresentFile<File> | null;
}

/**
 * Writes a file's next text over the one that was read, or makes the file. Undefined: it has the text already. 412 over
 * a text that the caller has not seen, 413 for one over the limit; the write fails where somebody wrote since the reading.
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

/** 409 for a definition that cannot be read; `help` says how it is replaced, if its bytes are text at all. */
export function unreadable<File>(
  { path, isText }: PresentFile<File>,
  { reason, line, column }: DefinitionProblem,
  help: string,
): HttpError {
  const place = line === null ? '' : ` (line ${line}, column ${column})`;
  const advice = isText ? `Mend the file, or send ${help}` : 'Mend the file';
  return conflict(`${path} cannot be read: ${reason}${place}. ${advice}`, {
    code: 'unreadable_file',
    errors: [{ field: path, message: reason, ...(line !== null && { line }) }],
  });
}
