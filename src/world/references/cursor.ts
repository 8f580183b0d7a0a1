import { invalid } from '../../kit/errors.ts';
import type { EdgeKey, EntityName } from '../records/index.ts';

const refused = () =>
  invalid(
    "The cursor does not belong to this list: send the previous page's `next_cursor`, or none to start",
    {
      code: 'invalid_cursor',
      errors: [{ field: 'cursor', message: 'must be next_cursor of the page before' }],
    },
  );

const EDGE = /^(\d{1,16})\.(\d{1,5})$/;

export const edgeCursor = ({ row_id, position }: EdgeKey): string => `${row_id}.${position}`;

/** Parses the key of an edge. 422 if it is invalid. */
export function readEdgeCursor(text: string | undefined): EdgeKey | null {
  if (text === undefined) return null;
  const [, row, position] = EDGE.exec(text) ?? [];
  if (row === undefined || position === undefined) throw refused();
  return { row_id: Number(row), position: Number(position) };
}

export const nameOf = ({ entity_type, entity_id }: EntityName): string => `${entity_type}:${entity_id}`;

/** Parses an entity's `type:id`. 422 if it is invalid. */
export function readName(text: string | undefined, field: string): EntityName | null {
  if (text === undefined) return null;
  const colon = text.indexOf(':');
  if (colon > 0 && colon < text.length - 1)
    return { entity_type: text.slice(0, colon), entity_id: text.slice(colon + 1) };
  throw invalid(`${field} must be \`type:id\`, such as character:mira_vale`, {
    errors: [{ field, message: 'must be `type:id`' }],
  });
}
