export { exportsModule } from './exports.module.ts';
