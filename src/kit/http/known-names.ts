import type { TSchema } from 'typebox';
import { didYouMean, nearest } from '../../text/near.ts';
import { type Contract, querySchemaOf } from '../contract.ts';
import { invalid } from '../errors.ts';

/** Some clients send these on every route, whether it belongs to a project or not. */
const EVERYWHERE = ['project_id'];
const LONGEST_SHOWN = 100;

/** Throws 422 for an unknown query name: a mistyped filter must not be ignored. */
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
 * Throws 422 for a name that resembles a known one: a request with `dry_rnu` must not run for real. Other unknown names
 * pass if the schema allows them, since a newer client may send more.
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
