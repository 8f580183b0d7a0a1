import { agentsModule } from '../exchange/agents/index.ts';
import { cloudSyncModule } from '../exchange/cloud/index.ts';
import { desktopModule } from '../exchange/desktop/index.ts';
import { driveJobsModule, driveModule } from '../exchange/drive/index.ts';
import { realtimeModule } from '../exchange/realtime/index.ts';
import { replicationModule } from '../exchange/replication/index.ts';
import { webhookJobsModule, webhooksModule } from '../exchange/webhooks/index.ts';
import { tablesOf } from '../frame/assemble.ts';
import { settingsMigrations } from '../frame/settings/index.ts';
import { accessChangesModule } from '../people/access-changes/index.ts';
import { apiKeysModule } from '../people/api-keys/index.ts';
import { authModule } from '../people/auth/index.ts';
import { invitesModule } from '../people/invites/index.ts';
import { peopleModule, usersModule } from '../people/users/index.ts';
import type { Migration } from '../platform/database/migration.ts';
import { jobMigrations } from '../platform/jobs/adapters/sql-jobs-tables.ts';
import { activityModule } from '../world/activity/index.ts';
import { assetQueueModule } from '../world/asset-queue/index.ts';
import { assetTagJobsModule, assetTagsModule } from '../world/asset-tags/index.ts';
import { assetJobsModule, assetsModule } from '../world/assets/index.ts';
import { canonModule } from '../world/canon/index.ts';
import { changesetsModule } from '../world/changesets/index.ts';
import { chatModule } from '../world/chat/index.ts';
import { conflictRecordsModule } from '../world/conflict-records/index.ts';
import { conflictsModule } from '../world/conflicts/index.ts';
import { rulesModule, templatesModule } from '../world/definitions/index.ts';
import { embeddingJobsModule, embeddingsModule } from '../world/embeddings/index.ts';
import { entitiesModule } from '../world/entities/index.ts';
import { exportsModule } from '../world/exports/index.ts';
import { fillJobsModule, generationModule } from '../world/generation/index.ts';
import { historyModule } from '../world/history/index.ts';
import { importsModule } from '../world/imports/index.ts';
import { mediaModule } from '../world/media/index.ts';
import { mirrorModule } from '../world/mirror/index.ts';
import { modelsModule } from '../world/models/index.ts';
import { namesModule } from '../world/names/index.ts';
import { pluginsModule } from '../world/plugins/index.ts';
import { projectsModule } from '../world/projects/index.ts';
import { proposalsModule } from '../world/proposals/index.ts';
import { referencesModule } from '../world/references/index.ts';
import { searchModule } from '../world/search/index.ts';
import { skillsModule } from '../world/skills/index.ts';
import { storageModule } from '../world/storage/index.ts';
import { uploadsModule } from '../world/uploads/index.ts';
import { validationModule } from '../world/validation/index.ts';
import { moneyModules } from './money.ts';

/** The modules of every core, in the order in which the API pages show them. */
export const contentModules = [
  entitiesModule,
  searchModule,
  namesModule,
  activityModule,
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
  assetTagsModule,
  templatesModule,
  validationModule,
  rulesModule,
  canonModule,
  skillsModule,
  chatModule,
  modelsModule,
  embeddingsModule,
  proposalsModule,
  generationModule,
  mirrorModule,
  replicationModule,
  cloudSyncModule,
  driveModule,
  realtimeModule,
  webhooksModule,
  pluginsModule,
  storageModule,
  projectsModule,
] as const;

/** They call the routes of the content modules. */
export const callingModules = [agentsModule] as const;

/** Background jobs: a self-hosted core runs them itself, in the cloud workers do. */
export const jobModules = [
  assetJobsModule,
  assetTagJobsModule,
  embeddingJobsModule,
  webhookJobsModule,
] as const;

/** Background jobs that need what a core has, such as templates and entities: every core runs them, in the cloud too. */
export const coreJobModules = [fillJobsModule, driveJobsModule] as const;

export const localSignInModules = [peopleModule, authModule] as const;
export const localPeopleModules = [usersModule, apiKeysModule, invitesModule] as const;

/** The database schema of every kind of core and worker. */
export const coreMigrations: readonly Migration[] = [
  ...tablesOf([
    accessChangesModule,
    ...localSignInModules,
    ...localPeopleModules,
    ...contentModules,
    ...jobModules,
    desktopModule,
    ...moneyModules,
  ]),
  ...jobMigrations,
  ...settingsMigrations,
];
