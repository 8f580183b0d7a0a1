export { fenced } from './fenced.ts';
export { applyHunks, type BodyHunk, bodyHunks, withLineBreaksOf } from './hunks.ts';
