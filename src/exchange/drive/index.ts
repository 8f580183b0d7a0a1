export { driveModule } from './drive.module.ts';
export type { DriveSync } from './drive-sync.ts';
