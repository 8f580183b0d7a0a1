export { referencesModule } from './references.module.ts';
export type { References } from './references.service.ts';
