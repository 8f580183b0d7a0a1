export { type ContentFinding, isFault } from './content-finding.ts';
export { examineProject } from './examine.ts';
export { FIX, type Finding, finding } from './finding.ts';
export { readContent } from './read-content.ts';
export { repairProject } from './repair.ts';
export { type ContentReport, validateContent } from './validate.ts';
