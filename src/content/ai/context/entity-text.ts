import { isUnsaid } from '../target.ts';
import type { ContextEntity, Neighbour } from './types.ts';

const NEIGHBOUR_BODY = 800;
const NEIGHBOUR_FIELDS = 1_500;

/** One line for each field that says something, its value as JSON. */
const fieldLines = (fields: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(fields)
    .filter(([, value]) => !isUnsaid(value))
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`);

export const headOf = ({ name, status, fields }: ContextEntity): string =>
  [`name: ${JSON.stringify(name)}`, `status: ${JSON.stringify(status)}`, ...fieldLines(fields)].join('\n');

export const refOf = ({
  entity_type: type,
  entity_id: id,
}: {
  entity_type: string;
  entity_id: string;
}): string => `${type}/${id}`;

/** Its fields and the beginning of its body; null for one that is only named. */
export function neighbourText(
  { name, content }: Neighbour,
  shorten: (text: string, most: number) => string,
): string | null {
  if (content === null) return null;
  const fields = shorten(fieldLines(content.fields).join('\n'), NEIGHBOUR_FIELDS);
  const body = shorten(content.markdown_body.trim(), NEIGHBOUR_BODY);
  return [`name: ${JSON.stringify(name)}`, fields, body].filter((part) => part !== '').join('\n');
}

/** How each neighbour is related, one a line. */
export const relationLines = (neighbours: readonly Neighbour[]): string =>
  neighbours
    .map((neighbour) => {
      const ways = neighbour.relations.map(({ direction, field }) =>
        direction === 'out' ? field : `its ${field}`,
      );
      return `${refOf(neighbour)} ${JSON.stringify(neighbour.name)}: ${[...new Set(ways)].join(', ')}`;
    })
    .join('\n');
