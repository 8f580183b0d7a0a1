import { isEntityId } from '../../content/entity/index.ts';
import { idFromName } from '../../content/import/index.ts';
import { HttpError } from '../../kit/errors.ts';

const LONGEST_ID = 100;
const MOST_TRIES = 100;
const TAKEN: ReadonlySet<unknown> = new Set(['entity_exists', 'file_exists']);

const isTaken = (error: unknown): boolean => error instanceof HttpError && TAKEN.has(error.extras.code);

/** Yields ids for a new entity, best first: `mira_vale`, `mira_vale_2` and so on. */
export function* idsOf(name: string, entityType: string): Generator<string, undefined> {
  const wanted = idFromName(name) || entityType;
  const isUsable = isEntityId(wanted) && wanted !== 'schema';
  const base = isUsable ? wanted : `${entityType}_${wanted}`;
  for (let number = 1; number <= MOST_TRIES; number += 1) {
    const suffix = number === 1 ? '' : `_${number}`;
    yield `${base.slice(0, LONGEST_ID - suffix.length)}${suffix}`;
  }
}

/** Calls `create` with the first free id derived from the name; throws the last error if all are used. */
export async function withIdOfName<Result>(
  name: string,
  entityType: string,
  create: (entityId: string) => Promise<Result>,
): Promise<Result> {
  let refusal: unknown;
  for (const entityId of idsOf(name, entityType)) {
    try {
      return await create(entityId);
    } catch (error) {
      if (!isTaken(error)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}
