import { isMap } from '../../../text/json.ts';
import { BODY, overlaps } from '../field-path.ts';
import type { Changes, Sending } from './draft.ts';

/** Why the service did not take a save; the shape of `ClientError`. */
export interface Refusal {
  status: number;
  detail: string;
  code?: string | undefined;
  errors: readonly { field: string; message: string }[];
  /** Seconds, of the reply's header. */
  retryAfter?: number | undefined;
  /** The parts that a merge could not settle. */
  conflicting?: readonly string[] | undefined;
}

/** Null where no answer came at all. */
export function refusalOf(error: unknown): Refusal | null {
  if (!isMap(error) || typeof error.status !== 'number') return null;
  const { status, detail, code, errors, retryAfter, conflict } = error;
  return {
    status,
    detail: typeof detail === 'string' ? detail : `The service answered ${status}`,
    code: typeof code === 'string' ? code : undefined,
    errors: Array.isArray(errors) ? errors : [],
    retryAfter: typeof retryAfter === 'number' ? retryAfter : undefined,
    conflicting:
      isMap(conflict) && Array.isArray(conflict.conflicting_fields) ? conflict.conflicting_fields : undefined,
  };
}

/**
 * The next step after an answer: read the entity and merge (`merge`), ask for another id (`taken`), the entity is gone
 * (`gone`), sign in (`sign-in`), try later (`later`), or wait for the user (`refused`).
 */
export type Verdict = 'merge' | 'taken' | 'gone' | 'sign-in' | 'later' | 'refused';

const MERGEABLE = new Set(['edit_conflict', 'unknown_base', 'unreadable_base']);
const TAKEN = new Set(['entity_exists', 'file_exists']);

export function verdictOn(refusal: Refusal | null, isCreation: boolean): Verdict {
  if (refusal === null) return 'later';
  const { status, code = '' } = refusal;
  if (status === 401) return 'sign-in';
  if (status === 412 || (status === 409 && MERGEABLE.has(code))) return 'merge';
  if (status === 409 && TAKEN.has(code)) return 'taken';
  if (status === 404 && !isCreation) return 'gone';
  return status === 408 || status === 425 || status === 429 || status >= 500 ? 'later' : 'refused';
}

/** True where the service may have taken a save although it did not say so. */
export const mayBeTaken = (refusal: Refusal | null): boolean =>
  refusal === null || refusal.status === 408 || refusal.status >= 500;

const BY_CONTENT: ReadonlySet<number | undefined> = new Set([400, 413, 422]);

/** True where the same save cannot have been taken the first time either, when its answer was lost. */
export const wasRefusedBefore = (refusal: Refusal | null): boolean => BY_CONTENT.has(refusal?.status);

/** The messages of a refusal by the parts that were sent; none if it is about none of them. */
export function refusedParts(
  { status, errors }: Refusal,
  { changes, body }: Sending,
): Record<string, string> {
  if (status !== 422) return {};
  const sent = [...Object.keys(changes), ...(body === null ? [] : [BODY])];
  const found = errors.flatMap(({ field, message }) =>
    sent.filter((path) => namesPart(field, path)).map((path) => [path, message] as const),
  );
  return Object.fromEntries(found);
}

/** A refusal names fields with and without `fields.` before them. */
const namesPart = (field: string, path: string): boolean =>
  overlaps(path, field) || overlaps(path, `fields.${field}`);

export const withoutParts = (parts: Changes, edited: string): Changes =>
  Object.fromEntries(Object.entries(parts).filter(([path]) => !overlaps(path, edited)));
