import type { Static, TObject } from 'typebox';
import type { FieldError } from '../../kit/errors.ts';
import { createChecker } from '../../kit/http/validation.ts';

export interface SettingsOwners {
  tenant: { tenantId: string };
  user: { tenantId: string; userId: string };
  project: { tenantId: string; projectId: string };
}

export type SettingsScope = keyof SettingsOwners;

interface Given<Scope extends SettingsScope, Schema extends TObject, Secret extends string> {
  /** Unique within the scope and never changed: rows are stored under it. */
  name: string;
  scope: Scope;
  /** The fields that are not secret. Unknown fields are refused. */
  schema: Schema;
  /** Names of the secrets, which are stored sealed and never shown. Each is optional. */
  secrets: readonly Secret[];
}

export interface SettingsDefinition<
  Scope extends SettingsScope,
  Schema extends TObject,
  Secret extends string,
> extends Given<Scope, Schema, Secret> {
  check(values: unknown): FieldError[] | null;
}

export type SettingsValues<Schema extends TObject> = Static<Schema>;

export function defineSettings<
  Scope extends SettingsScope,
  Schema extends TObject,
  const Secret extends string,
>(given: Given<Scope, Schema, Secret>): SettingsDefinition<Scope, Schema, Secret> {
  for (const secret of given.secrets)
    if (secret in given.schema.properties || `has_${secret}` in given.schema.properties)
      throw new Error(
        `settings '${given.name}': '${secret}' is a secret, so the schema must have neither it nor 'has_${secret}'`,
      );
  return { ...given, check: createChecker({ ...given.schema, additionalProperties: false }) };
}
