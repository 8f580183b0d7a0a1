export { cloudSyncModule } from './cloud.module.ts';
export {
  type BatchFile,
  CloudError,
  type ConflictAnswer,
  type OpenCloud,
  type Sent,
} from './cloud-port.ts';
export type { CloudSync } from './cloud-sync.ts';
export type { CloudLinks } from './links.service.ts';
