export { signingKeyMigrations } from './signing-keys.tables.ts';
