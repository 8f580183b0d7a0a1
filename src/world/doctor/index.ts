export { examineProject } from './examine.ts';
export { type DoctorFinding, FIX, finding } from './finding.ts';
export { repairProject } from './repair.ts';
