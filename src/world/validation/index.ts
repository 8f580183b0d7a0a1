export { type ContentFinding, isFault, UNKNOWN_FIELD } from './findings.ts';
export type { FixReport } from './fix.service.ts';
export { type ContentReport, validateContent } from './validate-content.ts';
export { validationModule } from './validation.module.ts';
