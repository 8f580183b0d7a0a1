export type { Finding, Place } from './finding.ts';
export { createLines } from './lines.ts';
export { byGravity, SEVERITIES, type Severity } from './severity.ts';
export { shortened } from './shortened.ts';
export { createTally } from './tally.ts';
