import { cutAfter } from '../../text/cut.ts';

export type ArchiveErrorCode =
  | 'not_an_archive'
  | 'damaged'
  | 'too_large'
  | 'too_many_entries'
  | 'bad_path'
  | 'bad_entry'
  | 'duplicate'
  | 'encrypted';

export interface ArchiveErrorOptions extends ErrorOptions {
  /** Its name as the archive spells it. */
  entry?: string;
}

const LONGEST_SHOWN = 100;

/** `message` is for people; `entry` is the name of what is wrong as it can be shown, null for the archive itself. */
export class ArchiveError extends Error {
  readonly code: ArchiveErrorCode;
  readonly entry: string | null;

  constructor(code: ArchiveErrorCode, reason: string, { entry, ...options }: ArchiveErrorOptions = {}) {
    const name = entry === undefined ? null : shown(entry);
    super(name === null ? `The archive ${reason}` : `The archive has an entry "${name}" ${reason}`, options);
    this.name = 'ArchiveError';
    this.code = code;
    this.entry = name;
  }
}

export const damaged = (reason: string, options?: ArchiveErrorOptions) =>
  new ArchiveError('damaged', `${reason}: pack it again`, options);

/** A name as it can be shown to people. */
export const shown = (name: string): string =>
  cutAfter(name.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd'), LONGEST_SHOWN).toWellFormed();
