import { invalid } from '../../kit/errors.ts';

/** A position in a project's changes. */
export interface NamesPlace {
  /** When numbering began; distinguishes a rebuilt database. */
  since: string;
  projectNumber: number;
  seq: number;
  /** Fingerprint of the types in force, since types hide and show their entities. */
  types: string;
}

const CURSOR = /^[0-9a-z]{1,12}-[0-9a-z]{1,7}-([0-9a-z]{1,11})-[0-9a-f]{8}$/;

/** Opaque to clients. */
export const cursorText = ({ since, projectNumber, seq, types }: NamesPlace): string =>
  [Date.parse(since).toString(36), projectNumber.toString(36), seq.toString(36), types].join('-');

/** Null if the cursor does not lead to `end`. 422 if it is not a cursor at all. */
export function seqOf(cursor: string, end: NamesPlace): number | null {
  const digits = CURSOR.exec(cursor)?.[1];
  if (digits === undefined) {
    throw invalid('This is not a cursor: send one exactly as you got it from an earlier reply', {
      code: 'invalid_cursor',
      errors: [{ field: 'cursor', message: 'was not given by this service' }],
    });
  }
  const seq = Number.parseInt(digits, 36);
  return seq <= end.seq && cursor === cursorText({ ...end, seq }) ? seq : null;
}
