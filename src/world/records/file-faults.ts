import type { ValidationError } from '../../content/entity/types.ts';
import type { EntityState } from '../texts/index.ts';

/** Why a file is not taken in, as the column `problem` of its row holds it. */
export interface FileProblem {
  reason: string;
  line: number;
  column: number;
  /** What stands in the way lies elsewhere, so the file is looked at again by each sync. */
  retry?: boolean;
  /** The limit that it was over: with another one it is worth reading again. */
  largest_text?: number;
}

export const readProblem = (problem: string): FileProblem => JSON.parse(problem) as FileProblem;

/** The codes of entities that are not what their files say. */
const FAULT_CODES: ReadonlySet<unknown> = new Set(['unreadable_file', 'refused_file']);

/** What is wrong with an entity whose file has a problem: all else that is known of it is older. */
export const faultOf = ({ reason, line, retry }: FileProblem): ValidationError => ({
  field: null,
  message: `the file ${retry ? 'is not taken in' : 'cannot be read'}: ${reason}`,
  code: retry ? 'refused_file' : 'unreadable_file',
  line,
  severity: 'error',
});

/** A state that was read before its file had a problem. */
export const faultyState = (state: EntityState, problem: string): EntityState => ({
  ...state,
  is_valid: false,
  validation_errors: [faultOf(readProblem(problem)), ...state.validation_errors],
});

/** A stored reply's text of such a state. */
export function faultyReply(json: string, problem: string): string {
  const reply = JSON.parse(json) as { validation_errors: ValidationError[]; is_valid: boolean };
  const others = reply.validation_errors.filter(({ code }) => !FAULT_CODES.has(code));
  reply.validation_errors = [faultOf(readProblem(problem)), ...others];
  reply.is_valid = false;
  return JSON.stringify(reply);
}
