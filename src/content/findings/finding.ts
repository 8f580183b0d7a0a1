import type { Severity } from './severity.ts';

export interface Finding<Kind extends string | null = string> {
  kind: Kind;
  severity: Severity;
  message: string;
}

/** Line and column count from 1. */
export interface Place {
  path: string;
  line: number;
  column: number;
}
