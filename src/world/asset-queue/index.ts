export { assetQueueModule } from './asset-queue.module.ts';
