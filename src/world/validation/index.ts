export { createOnce, findingsOf, placed, type StoredReply, UNKNOWN_FIELD } from './findings.ts';
export type { FixReport } from './fix.service.ts';
export { validationModule } from './validation.module.ts';
