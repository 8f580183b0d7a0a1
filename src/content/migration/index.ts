export { type Converted, convertValue } from './convert.ts';
export { migrateEntity } from './migrate-entity.ts';
export { migrateTemplate } from './migrate-template.ts';
export type * from './types.ts';
