export { createStudioModule } from './studio.module.ts';
export type { StudioConfig } from './studio.routes.ts';
export { createStudio, type Studio } from './studio.service.ts';
export { openStudioFiles } from './studio-files.ts';
