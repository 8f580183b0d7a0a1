export { createSigningKeys, type SigningKeys } from './signing-keys.service.ts';
export { signingKeyMigrations } from './signing-keys.tables.ts';
