export {
  type Answer,
  type BatchFile,
  CloudError,
  type CloudErrorCode,
  type OpenCloud,
  type Sent,
} from './cloud-port.ts';
export { cloudSyncModule } from './cloud-sync.module.ts';
export type { CloudSync } from './cloud-sync.ts';
export type { CloudLinks } from './links.service.ts';
