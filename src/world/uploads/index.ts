export type { Batches } from './batch.service.ts';
export { uploadsModule } from './uploads.module.ts';
