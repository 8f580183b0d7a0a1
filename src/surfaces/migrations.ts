import { cloudSyncMigrations } from '../exchange/cloud-sync/cloud-sync.tables.ts';
import { desktopMigrations } from '../exchange/desktop/desktop.tables.ts';
import { replicationMigrations } from '../exchange/replication/replication.tables.ts';
import { webhookMigrations } from '../exchange/webhooks/webhooks.tables.ts';
import { accessMigrations } from '../people/access-changes/access-changes.tables.ts';
import { apiKeyMigrations } from '../people/api-keys/api-keys.tables.ts';
import { sessionMigrations } from '../people/auth/sessions.tables.ts';
import { inviteMigrations } from '../people/invites/invites.tables.ts';
import { oauthMigrations } from '../people/oauth/oauth.tables.ts';
import { signingKeyMigrations } from '../people/signing-keys/signing-keys.tables.ts';
import { tenantMigrations } from '../people/tenants/tenants.tables.ts';
import { userMigrations } from '../people/users/users.tables.ts';
import type { Migration } from '../platform/database/migration.ts';
import { jobMigrations } from '../platform/jobs/adapters/sql-jobs-tables.ts';
import { assetMigrations } from '../world/assets/assets.tables.ts';
import { changesetMigrations } from '../world/changesets/changesets.tables.ts';
import { conflictMigrations } from '../world/conflicts/conflicts.tables.ts';
import { importMigrations } from '../world/imports/imports.tables.ts';
import { recordMigrations } from '../world/records/records.tables.ts';
import { storageMigrations } from '../world/storage/storage.tables.ts';
import { activationMigrations } from '../world/templates/activation.tables.ts';
import { ruleTextMigrations } from '../world/templates/rule-texts.tables.ts';

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
