export { conflictsModule } from './conflicts.module.ts';
export type { Resolve } from './resolve.service.ts';
