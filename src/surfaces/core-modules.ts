import { cloudSyncModule } from '../exchange/cloud-sync/cloud-sync.module.ts';
import { desktopModule } from '../exchange/desktop/desktop.module.ts';
import { realtimeModule } from '../exchange/realtime/realtime.module.ts';
import { replicationModule } from '../exchange/replication/replication.module.ts';
import { webhookJobsModule } from '../exchange/webhooks/webhook-jobs.module.ts';
import { webhooksModule } from '../exchange/webhooks/webhooks.module.ts';
import { tablesOf } from '../frame/assemble.ts';
import { settingsMigrations } from '../frame/settings/settings.tables.ts';
import { accessChangesModule } from '../people/access-changes/access-changes.module.ts';
import { apiKeysModule } from '../people/api-keys/api-keys.module.ts';
import { authModule } from '../people/auth/auth.module.ts';
import { invitesModule } from '../people/invites/invites.module.ts';
import { peopleModule, usersModule } from '../people/users/users.module.ts';
import type { Migration } from '../platform/database/migration.ts';
import { jobMigrations } from '../platform/jobs/adapters/sql-jobs-tables.ts';
import { assetQueueModule } from '../world/asset-queue/asset-queue.module.ts';
import { assetJobsModule } from '../world/assets/asset-jobs.module.ts';
import { assetsModule } from '../world/assets/assets.module.ts';
import { canonModule } from '../world/canon/canon.module.ts';
import { changesetsModule } from '../world/changesets/changesets.module.ts';
import { conflictRecordsModule } from '../world/conflict-records/conflict-records.module.ts';
import { conflictsModule } from '../world/conflicts/conflicts.module.ts';
import { entitiesModule } from '../world/entities/entities.module.ts';
import { exportsModule } from '../world/exports/exports.module.ts';
import { historyModule } from '../world/history/history.module.ts';
import { importsModule } from '../world/imports/imports.module.ts';
import { mediaModule } from '../world/media/media.module.ts';
import { mirrorModule } from '../world/mirror/mirror.module.ts';
import { projectsModule } from '../world/projects/projects.module.ts';
import { referencesModule } from '../world/references/references.module.ts';
import { rulesModule } from '../world/rules/rules.module.ts';
import { storageModule } from '../world/storage/storage.module.ts';
import { templatesModule } from '../world/templates/templates.module.ts';
import { uploadsModule } from '../world/uploads/uploads.module.ts';
import { validationModule } from '../world/validation/validation.module.ts';

/** What every core serves, in the order in which the API's pages show it. */
export const contentModules = [
  entitiesModule,
  conflictRecordsModule,
  conflictsModule,
  historyModule,
  changesetsModule,
  importsModule,
  exportsModule,
  referencesModule,
  assetsModule,
  mediaModule,
  uploadsModule,
  assetQueueModule,
  templatesModule,
  validationModule,
  rulesModule,
  canonModule,
  mirrorModule,
  replicationModule,
  cloudSyncModule,
  realtimeModule,
  webhooksModule,
  storageModule,
  projectsModule,
] as const;

/** What is done behind requests: by a self-hosted core itself, in the cloud by workers. */
export const jobModules = [assetJobsModule, webhookJobsModule] as const;

/** How the people of a self-hosted core get in. */
export const localSignInModules = [peopleModule, authModule] as const;
export const localPeopleModules = [usersModule, apiKeysModule, invitesModule] as const;

/** The schema of a core's database, whatever kind of core or worker opens it. */
export const coreMigrations: readonly Migration[] = [
  ...tablesOf([accessChangesModule, ...localSignInModules, ...localPeopleModules]),
  ...tablesOf(contentModules),
  ...tablesOf([desktopModule]),
  ...jobMigrations,
  ...settingsMigrations,
];
