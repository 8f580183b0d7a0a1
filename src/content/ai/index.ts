export { applyHunks, type BodyHunk, bodyHunks, withLineBreaksOf } from './hunks.ts';
