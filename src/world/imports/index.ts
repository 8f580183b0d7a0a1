export { type ArchiveContent, readArchive } from './archive.ts';
export { IMPORT_LIMITS, isHidden, isTooLargeText } from './import-file.ts';
export { importsModule } from './imports.module.ts';
export type { ImportResult } from './imports.service.ts';
