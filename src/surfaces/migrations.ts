import { accessMigrations } from '../modules/access-changes/access-changes.tables.ts';
import { apiKeyMigrations } from '../modules/api-keys/api-keys.tables.ts';
import { assetMigrations } from '../modules/assets/assets.tables.ts';
import { sessionMigrations } from '../modules/auth/sessions.tables.ts';
import { changesetMigrations } from '../modules/changesets/changesets.tables.ts';
import { cloudSyncMigrations } from '../modules/cloud-sync/cloud-sync.tables.ts';
import { conflictMigrations } from '../modules/conflicts/conflicts.tables.ts';
import { desktopMigrations } from '../modules/desktop/desktop.tables.ts';
import { importMigrations } from '../modules/imports/imports.tables.ts';
import { inviteMigrations } from '../modules/invites/invites.tables.ts';
import { oauthMigrations } from '../modules/oauth/oauth.tables.ts';
import { recordMigrations } from '../modules/records/records.tables.ts';
import { replicationMigrations } from '../modules/replication/replication.tables.ts';
import { signingKeyMigrations } from '../modules/signing-keys/signing-keys.tables.ts';
import { storageMigrations } from '../modules/storage/storage.tables.ts';
import { activationMigrations } from '../modules/templates/activation.tables.ts';
import { ruleTextMigrations } from '../modules/templates/rule-texts.tables.ts';
import { tenantMigrations } from '../modules/tenants/tenants.tables.ts';
import { userMigrations } from '../modules/users/users.tables.ts';
import { webhookMigrations } from '../modules/webhooks/webhooks.tables.ts';
import type { Migration } from '../platform/database/migration.ts';
import { jobMigrations } from '../platform/jobs/adapters/sql-jobs-tables.ts';

/** Every step of the accounts service's schema, in the order of its modules. */
export const accountsMigrations: readonly Migration[] = [
  ...accessMigrations,
  ...tenantMigrations,
  ...signingKeyMigrations,
  ...userMigrations,
  ...sessionMigrations,
  ...inviteMigrations,
  ...apiKeyMigrations,
  ...oauthMigrations,
];

/** Every step of the core's schema, in the order of its modules. */
export const coreMigrations: readonly Migration[] = [
  ...recordMigrations,
  ...accessMigrations,
  ...storageMigrations,
  ...userMigrations,
  ...sessionMigrations,
  ...inviteMigrations,
  ...apiKeyMigrations,
  ...activationMigrations,
  ...ruleTextMigrations,
  ...changesetMigrations,
  ...importMigrations,
  ...conflictMigrations,
  ...assetMigrations,
  ...replicationMigrations,
  ...jobMigrations,
  ...webhookMigrations,
  ...cloudSyncMigrations,
  ...desktopMigrations,
];
