import type { ExpressionBuilder } from 'kysely';
import type { Dialect } from '../../platform/database/dialect.ts';
import type { SettingsDb, SettingsRow, SettingsTables } from './settings.tables.ts';

export type SettingsKey = Pick<SettingsRow, 'tenant_id' | 'scope' | 'id' | 'name'>;

const isAt =
  ({ tenant_id, scope, id, name }: SettingsKey) =>
  (eb: ExpressionBuilder<SettingsTables, 'settings'>) =>
    eb.and({ tenant_id, scope, id, name });

const rowsOf = (db: SettingsDb, key: SettingsKey) => db.selectFrom('settings').selectAll().where(isAt(key));

export const findSettings = (db: SettingsDb, key: SettingsKey): Promise<SettingsRow | undefined> =>
  rowsOf(db, key).executeTakeFirst();

/** Locks the row until the end of the transaction. */
export const lockSettings = (db: SettingsDb, key: SettingsKey, { forUpdate }: Dialect) =>
  rowsOf(db, key).modifyEnd(forUpdate).executeTakeFirst();

/** Returns false if another transaction inserted the row first. */
export async function insertSettings(db: SettingsDb, row: SettingsRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('settings')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tenant_id', 'scope', 'id', 'name']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function updateSettings(db: SettingsDb, row: SettingsRow): Promise<void> {
  const { tenant_id, scope, id, name, ...values } = row;
  await db.updateTable('settings').set(values).where(isAt({ tenant_id, scope, id, name })).execute();
}

export async function deleteSettings(db: SettingsDb, key: SettingsKey): Promise<void> {
  await db.deleteFrom('settings').where(isAt(key)).execute();
}

/** The settings of one name, whoever they belong to. */
export async function deleteSettingsOfAll(
  db: SettingsDb,
  { tenant_id, scope, name }: Omit<SettingsKey, 'id'>,
): Promise<void> {
  await db
    .deleteFrom('settings')
    .where((eb) => eb.and({ tenant_id, scope, name }))
    .execute();
}
