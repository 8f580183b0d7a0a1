export type DocumentProblemCode =
  | 'no_frontmatter'
  | 'unclosed'
  | 'language_tag'
  | 'yaml'
  | 'not_a_map'
  | 'duplicate_key'
  | 'reserved_key'
  | 'too_large'
  | 'too_deep'
  | 'too_many_nodes'
  | 'alias_bomb'
  | 'encoding'
  | 'invalid_text';

/** `line` and `column` count from 1. */
export interface DocumentProblem {
  reason: string;
  line: number;
  column: number;
  code: DocumentProblemCode;
}

/** The document cannot be changed without risk. */
export class DocumentError extends Error {
  readonly problem: DocumentProblem;

  constructor(problem: DocumentProblem) {
    super(`line ${problem.line}, column ${problem.column}: ${problem.reason}`);
    this.name = 'DocumentError';
    this.problem = problem;
  }
}

/** For a problem without a better place. */
export function problemAtStart(code: DocumentProblemCode, reason: string): DocumentProblem {
  return { reason, line: 1, column: 1, code };
}
