import type { ValidationError } from '../../content/entity/types.ts';
import { conflict, type HttpError } from '../../kit/errors.ts';
import type { EntityState } from '../texts/index.ts';

/** The reason why a file is not imported, as the column `problem` of its row holds it. */
export interface FileProblem {
  reason: string;
  line: number;
  column: number;
  /** True if the cause is elsewhere, so that each sync reads the file again. */
  retry?: boolean;
  /** The limit that it exceeded: with another limit it is worth reading again. */
  largest_text?: number;
}

export const readProblem = (problem: string): FileProblem => JSON.parse(problem) as FileProblem;

const FAULT_CODES: ReadonlySet<unknown> = new Set(['unreadable_file', 'refused_file']);

/** The validation error of an entity whose file has a problem: the rest of its state is older than the file. */
export const faultOf = ({ reason, line, retry }: FileProblem): ValidationError => ({
  field: null,
  message: `the file ${retry ? 'was not imported' : 'cannot be read'}: ${reason}`,
  code: retry ? 'refused_file' : 'unreadable_file',
  line,
  severity: 'error',
});

/** 409 for files that cannot be read or edited; `detail` says what to do. */
export const unreadableFile = (
  detail: string,
  faults: readonly { path: string; reason: string; line?: number | null }[] = [],
): HttpError =>
  conflict(detail, {
    code: 'unreadable_file',
    ...(faults.length > 0 && {
      errors: faults.map(({ path, reason, line }) => ({
        field: path,
        message: reason,
        ...(typeof line === 'number' && { line }),
      })),
    }),
  });

/** The last readable state, marked with the problem of its file. */
export const faultyState = (state: EntityState, problem: string): EntityState => ({
  ...state,
  is_valid: false,
  validation_errors: [faultOf(readProblem(problem)), ...state.validation_errors],
});

/** The same for the text of a stored reply. */
export function faultyReply(json: string, problem: string): string {
  const reply = JSON.parse(json) as { validation_errors: ValidationError[]; is_valid: boolean };
  const others = reply.validation_errors.filter(({ code }) => !FAULT_CODES.has(code));
  reply.validation_errors = [faultOf(readProblem(problem)), ...others];
  reply.is_valid = false;
  return JSON.stringify(reply);
}
