import { invalid } from '../../kit/errors.ts';

/** A position in a project's event log. */
export interface LogPlace {
  /** When numbering began; distinguishes the log of a rebuilt database. */
  since: string;
  seq: number;
}

const CURSOR = /^([0-9a-z]{1,12})-([0-9a-z]{1,11})$/;

const epochOf = (since: string): string => Date.parse(since).toString(36);

/** Opaque to clients. */
export const cursorText = ({ since, seq }: LogPlace): string => `${epochOf(since)}-${seq.toString(36)}`;

/** Null if the cursor belongs to another log. 422 if it is not a cursor at all. */
export function seqOf(cursor: string, end: LogPlace): number | null {
  const [, epoch, digits] = CURSOR.exec(cursor) ?? [];
  if (epoch === undefined || digits === undefined) {
    throw invalid('This is not a cursor: send one exactly as you got it from an earlier reply', {
      code: 'invalid_cursor',
      errors: [{ field: 'cursor', message: 'was not given by this service' }],
    });
  }
  const seq = Number.parseInt(digits, 36);
  return epoch === epochOf(end.since) && seq <= end.seq ? seq : null;
}
