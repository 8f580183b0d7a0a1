import { type FieldError, invalid } from '../../kit/errors.ts';
import type { JsonMap } from '../../text/json.ts';
import { mergePatch } from '../../text/merge-patch.ts';
import type { Sealed } from './sealed-secrets.ts';

export interface StoredSettings {
  values: JsonMap;
  sealed: Sealed;
}

interface PatchRules {
  name: string;
  secrets: readonly string[];
  check(values: unknown): FieldError[] | null;
  seal(secret: string, text: string): string;
}

const MOST_CHARACTERS = 10_000;

const isSecretText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= MOST_CHARACTERS;

/** Applies a merge patch; 422 with the wrong fields. Secrets that the patch does not name stay. */
export function patchSettings(
  { values, sealed }: StoredSettings,
  patch: JsonMap,
  { name, secrets, check, seal }: PatchRules,
): StoredSettings {
  const isSecret = ([field]: [string, unknown]) => secrets.includes(field);
  const entries = Object.entries(patch);
  const given = entries.filter(isSecret);
  const merged = mergePatch(values, Object.fromEntries(entries.filter((entry) => !isSecret(entry))));
  const errors = [
    ...(check(merged) ?? []),
    ...given
      .filter(([, value]) => value !== null && !isSecretText(value))
      .map(([field]) => ({
        field,
        message: `must be a text of 1 to ${MOST_CHARACTERS} characters, or null`,
      })),
  ];
  const first = errors[0];
  if (first)
    throw invalid(`settings '${name}': '${first.field}' ${first.message}`, {
      code: 'invalid_settings',
      errors,
    });
  const kept = { ...sealed };
  for (const [secret, value] of given)
    if (isSecretText(value)) kept[secret] = seal(secret, value);
    else delete kept[secret];
  return { values: merged, sealed: kept };
}
