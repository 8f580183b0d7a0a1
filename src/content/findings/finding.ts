import type { Severity } from './severity.ts';

/** One thing that is wrong with a file or an entity. */
export interface Finding<Kind extends string | null = string> {
  /** The broken rule or the failed check. */
  kind: Kind;
  severity: Severity;
  message: string;
}

/** Where it stands: a file, and line and column from 1. */
export interface Place {
  path: string;
  line: number;
  column: number;
}
