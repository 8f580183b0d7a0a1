import { invalid } from '../../kit/errors.ts';

/** A place in a project's event log. */
export interface LogPlace {
  /** When the project began to count, so that the places of a database that was made anew are told from the old one's. */
  since: string;
  seq: number;
}

const CURSOR = /^([0-9a-z]{1,12})-([0-9a-z]{1,11})$/;

const epochOf = (since: string): string => Date.parse(since).toString(36);

/** As clients get it: opaque to them. */
export const cursorText = ({ since, seq }: LogPlace): string => `${epochOf(since)}-${seq.toString(36)}`;

/** The number that a cursor stands for; null when it is not of this log. 422 for what never was a cursor. */
export function seqOf(cursor: string, end: LogPlace): number | null {
  const [, epoch, digits] = CURSOR.exec(cursor) ?? [];
  if (epoch === undefined || digits === undefined) {
    throw invalid('This is no cursor: send one exactly as an earlier reply gave it', {
      code: 'invalid_cursor',
      errors: [{ field: 'cursor', message: 'was not given by this service' }],
    });
  }
  const seq = Number.parseInt(digits, 36);
  return epoch === epochOf(end.since) && seq <= end.seq ? seq : null;
}
