import type { TObject } from 'typebox';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { stale } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { SecretBox } from '../../kit/secret-box.ts';
import type { Database } from '../../platform/database/database.ts';
import type { JsonMap } from '../../text/json.ts';
import type { SettingsDefinition, SettingsOwners, SettingsScope, SettingsValues } from './define-settings.ts';
import { patchSettings, type StoredSettings } from './patch-settings.ts';
import { createSealedSecrets } from './sealed-secrets.ts';
import {
  deleteSettings,
  deleteSettingsOfAll,
  findSettings,
  insertSettings,
  lockSettings,
  type SettingsKey,
  updateSettings,
} from './settings.store.ts';
import type { SettingsDb, SettingsRow } from './settings.tables.ts';

export interface SettingsOptions {
  database: Database;
  box: SecretBox;
  clock: Clock;
}

export interface SettingsView<Values, Secret extends string> {
  values: Values & Record<`has_${Secret}`, boolean>;
  revision: string;
  updatedBy: string;
  updatedAt: string;
}

/** For the service's own use; must not be shown or logged. */
export interface OpenSettings<Values, Secret extends string> {
  values: Values;
  secrets: Partial<Record<Secret, string>>;
  revision: string;
}

export interface RevisionCheck {
  /** The revision that the caller has read; null if there was none. Without it, any revision is accepted. */
  ifRevision?: string | null;
}

export interface SettingsChange extends RevisionCheck {
  /** A JSON merge patch that may also hold secrets: null removes a field, and fields left out stay. */
  patch: JsonMap;
  actor: string;
}

const ID_OF: { [Scope in SettingsScope]: (owner: SettingsOwners[Scope]) => string } = {
  tenant: ({ tenantId }) => tenantId,
  user: ({ userId }) => userId,
  project: ({ projectId }) => projectId,
};

function requireRevision(
  { name }: SettingsKey,
  row: SettingsRow | undefined,
  { ifRevision }: RevisionCheck,
): void {
  if (ifRevision === undefined || ifRevision === (row?.revision ?? null)) return;
  throw stale(
    `The settings '${name}' were changed since you read them: read them again and repeat your change`,
    { code: 'settings_changed' },
  );
}

const picked = <Value>(
  map: Readonly<Record<string, Value>>,
  fields: readonly string[],
): Record<string, Value> =>
  Object.fromEntries(Object.entries(map).filter(([field]) => fields.includes(field)));

/** Settings of one kind: at most one set per owner, safe for concurrent changes. */
export function createSettings<Scope extends SettingsScope, Schema extends TObject, Secret extends string>(
  { name, scope, schema, secrets, check }: SettingsDefinition<Scope, Schema, Secret>,
  { database, box, clock }: SettingsOptions,
) {
  type Owner = SettingsOwners[Scope];
  type Values = SettingsValues<Schema>;
  const { seal, open } = createSealedSecrets(box);

  const keyOf = (owner: Owner): SettingsKey => ({
    tenant_id: owner.tenantId,
    scope,
    id: ID_OF[scope](owner),
    name,
  });
  const find = (owner: Owner): Promise<SettingsRow | undefined> =>
    database.tenant(owner.tenantId).read((db: SettingsDb) => findSettings(db, keyOf(owner)));

  /** Leaves out fields of an earlier definition, which would make every later change fail. */
  function storedIn({ json, sealed }: Pick<SettingsRow, 'json' | 'sealed'>): StoredSettings {
    return {
      values: picked(JSON.parse(json), Object.keys(schema.properties)),
      sealed: picked<string>(JSON.parse(sealed), secrets),
    };
  }

  function viewOf(row: SettingsRow): SettingsView<Values, Secret> {
    const { values, sealed } = storedIn(row);
    const isSet = secrets.map((secret) => [`has_${secret}`, secret in sealed]);
    return {
      values: { ...values, ...Object.fromEntries(isSet) } as SettingsView<Values, Secret>['values'],
      revision: row.revision,
      updatedBy: row.updated_by,
      updatedAt: row.updated_at,
    };
  }

  function changed(key: SettingsKey, row: SettingsRow | undefined, change: SettingsChange): SettingsRow {
    const { values, sealed } = patchSettings(storedIn(row ?? { json: '{}', sealed: '{}' }), change.patch, {
      name,
      secrets,
      check,
      seal: (secret, text) => seal(key, secret, text),
    });
    return {
      ...key,
      json: JSON.stringify(values),
      sealed: JSON.stringify(sealed),
      revision: newId(),
      updated_by: change.actor,
      updated_at: isoTime(clock.now()),
    };
  }

  return {
    /** Null if nothing was set. */
    async get(owner: Owner): Promise<SettingsView<Values, Secret> | null> {
      const row = await find(owner);
      return row ? viewOf(row) : null;
    },

    /** The settings with their secrets in clear; null if nothing was set. 409 if one was sealed under another ENCRYPTION_KEY. */
    async read(owner: Owner): Promise<OpenSettings<Values, Secret> | null> {
      const row = await find(owner);
      if (!row) return null;
      const { values, sealed } = storedIn(row);
      const opened = secrets.flatMap((secret) => {
        const text = sealed[secret];
        return text === undefined ? [] : [[secret, open(keyOf(owner), secret, text)]];
      });
      return {
        values: values as Values,
        secrets: Object.fromEntries(opened) as Partial<Record<Secret, string>>,
        revision: row.revision,
      };
    },

    /** 412 if `ifRevision` is not the current revision, 422 for values that the schema refuses. */
    change(owner: Owner, change: SettingsChange): Promise<SettingsView<Values, Secret>> {
      const key = keyOf(owner);
      return database.tenant(owner.tenantId).write(async (db: SettingsDb) => {
        for (;;) {
          const row = await lockSettings(db, key, database.dialect);
          requireRevision(key, row, change);
          const next = changed(key, row, change);
          if (row) await updateSettings(db, next);
          // Another transaction has inserted the row: the next round reads it.
          else if (!(await insertSettings(db, next))) continue;
          return viewOf(next);
        }
      });
    },

    /** Removes all of it, secrets too. Returns false if nothing was set; 412 as for `change`. */
    remove(owner: Owner, condition: RevisionCheck = {}): Promise<boolean> {
      const key = keyOf(owner);
      return database.tenant(owner.tenantId).write(async (db: SettingsDb) => {
        const row = await lockSettings(db, key, database.dialect);
        requireRevision(key, row, condition);
        await deleteSettings(db, key);
        return row !== undefined;
      });
    },

    /** Removes them for every owner in the tenant. */
    removeOfAll: (tenantId: string): Promise<void> =>
      database
        .tenant(tenantId)
        .write((db: SettingsDb) => deleteSettingsOfAll(db, { tenant_id: tenantId, scope, name })),
  };
}
