import type { TSchema } from 'typebox';
import { didYouMean, nearest } from '../../text/near.ts';
import { type Contract, querySchemaOf } from '../contract.ts';
import { invalid } from '../errors.ts';

/** Names that some clients put into every address, whether the route is one of a project or not. */
const EVERYWHERE = ['project_id'];
const LONGEST_SHOWN = 100;

/** Makes a check that throws 422 for a query name that the route does not know: a filter that is mistyped must not pass as none. */
export function createQueryNameCheck(contract: Contract): (query: Readonly<Record<string, unknown>>) => void {
  const names = Object.keys(querySchemaOf(contract).properties);
  const known = new Set([...names, ...EVERYWHERE]);
  const { otherQuery } = contract;
  return (query) => {
    const unknown = Object.keys(query).find((name) => !known.has(name) && otherQuery?.test(name) !== true);
    if (unknown === undefined) return;
    const field = unknown.slice(0, LONGEST_SHOWN);
    const all = names.length === 0 ? '; this route takes none' : `; this route takes ${names.join(', ')}`;
    const message = `is not known here${didYouMean(unknown, names) || all}`;
    throw invalid(`query parameter '${field}' ${message}`, {
      code: 'invalid_request',
      errors: [{ field, message }],
    });
  };
}

/**
 * Makes a check that throws 422 for a name in a JSON body that is near to one that the route knows: `dry_rnu` must not
 * run. Others pass where the schema lets them, since a newer client may send more than this service reads.
 */
export function createBodyNameCheck({ body: schema }: Contract): (body: unknown) => void {
  const { properties, additionalProperties } = schema as TSchema & {
    properties?: object;
    additionalProperties?: unknown;
  };
  if (properties === undefined || additionalProperties !== undefined) return () => {};
  const known = new Set(Object.keys(properties));
  return (body) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
    for (const field of Object.keys(body)) {
      if (known.has(field) || nearest(field, known) === undefined) continue;
      const message = `is not known here${didYouMean(field, known)}`;
      throw invalid(`body field '${field}' ${message}`, {
        code: 'invalid_request',
        errors: [{ field, message }],
      });
    }
  };
}
