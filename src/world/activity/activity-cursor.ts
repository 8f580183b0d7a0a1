import { invalid } from '../../kit/errors.ts';

/** Rows have times in common, so that the row tells them apart. */
export interface ActivityPlace {
  at: string;
  rowId: number;
}

const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)~(\d{1,16})$/;

export const cursorText = ({ at, rowId }: ActivityPlace): string => `${at}~${rowId}`;

export function placeAt(cursor: string): ActivityPlace {
  const [, at, rowId] = CURSOR.exec(cursor) ?? [];
  if (at !== undefined && rowId !== undefined) return { at, rowId: Number(rowId) };
  throw invalid('This is not a cursor: send `next_cursor` exactly as you got it from an earlier reply', {
    code: 'invalid_cursor',
    errors: [{ field: 'cursor', message: 'was not given by this service' }],
  });
}
