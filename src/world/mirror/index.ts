export { TOMBSTONE_DAYS } from './housekeeping.ts';
export { importBatch } from './import-batch.ts';
export { instantOf } from './instant.ts';
export { mirrorModule } from './mirror.module.ts';
export type { Mirror } from './mirror.service.ts';
export { SKIP_REASONS, type SyncReport } from './report.ts';
export type { SyncScope } from './run-queue.ts';
export { succeeded } from './sync-reply.ts';
