import type { Static, TObject } from 'typebox';
import type { FieldError } from '../../kit/errors.ts';
import { createChecker } from '../../kit/http/validation.ts';

/** Whose settings: each tenant has its own, each user in a tenant, or each project. */
export interface SettingsOwners {
  tenant: { tenantId: string };
  user: { tenantId: string; userId: string };
  project: { tenantId: string; projectId: string };
}

export type SettingsScope = keyof SettingsOwners;

interface Given<Scope extends SettingsScope, Schema extends TObject, Secret extends string> {
  /** Unique for ever within the scope: rows are found by it. */
  name: string;
  scope: Scope;
  /** What is no secret. Values of other fields are refused. */
  schema: Schema;
  /** Names of texts that are kept sealed and never shown. Each may be missing. */
  secrets: readonly Secret[];
}

export interface SettingsDefinition<
  Scope extends SettingsScope,
  Schema extends TObject,
  Secret extends string,
> extends Given<Scope, Schema, Secret> {
  /** What is wrong with the values; null when nothing is. */
  check(values: unknown): FieldError[] | null;
}

export type SettingsValues<Schema extends TObject> = Static<Schema>;

/** Declares a kind of settings. */
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
