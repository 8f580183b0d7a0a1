export { type ExportPart, exportsModule } from './exports.module.ts';
export { type ZipSource, zipBytes } from './zip-writer.ts';
