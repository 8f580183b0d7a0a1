/**
 * Names that file-sync tools give to the other side of a file that two machines changed: `CH_ada (Bo's conflicted copy
 * 2026-01-01).md`, `CH_ada.sync-conflict-20260101-120000-ABCDEFG.md`, `CH_ada (1).md`.
 */
const CONFLICT_COPY =
  /(?: ?\([^()]*conflicted copy[^()]*\)|\.sync-conflict-\d{8}-\d{6}(?:-[a-z0-9]+)?| ?\(\d{1,3}\))\.md$/i;

export const isConflictCopy = (path: string): boolean => CONFLICT_COPY.test(path);
