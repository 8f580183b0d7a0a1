export { cloudSyncModule } from './cloud.module.ts';
export {
  type Answer,
  type BatchFile,
  CloudError,
  type OpenCloud,
  type Sent,
} from './cloud-port.ts';
export type { CloudSync } from './cloud-sync.ts';
export type { CloudLinks } from './links.service.ts';
