export { driveModule } from './drive.module.ts';
export { driveJobsModule } from './drive-jobs.module.ts';
export type { DriveSync } from './drive-sync.ts';
