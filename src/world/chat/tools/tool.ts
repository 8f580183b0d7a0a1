import type { Static, TSchema } from 'typebox';
import { HttpError } from '../../../kit/errors.ts';
import { createChecker } from '../../../kit/http/validation.ts';
import type { JsonSchema, ToolDescription } from '../../../platform/llm/llm.ts';
import type { Project } from '../../records/index.ts';
import type { Sheet } from '../sheet.ts';
import type { ShownLines } from '../shown-lines.ts';

/** Shared by the tools of one answer: a call can change neither whose it is nor how much it may take. */
export interface ToolUse {
  project: Project;
  shown: ShownLines;
  sheet: Sheet;
}

export interface Tool<Use extends ToolUse = ToolUse> {
  description: ToolDescription;
  /** Writes its result on the sheet. A `ToolError` or HttpError tells the model what was wrong. */
  call(input: unknown, use: Use): Promise<void>;
}

/** A call that cannot be carried out: told to the model. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

interface Definition<Input extends TSchema, Use extends ToolUse> {
  name: string;
  description: string;
  /** Closed: a name that it does not have is refused. */
  input: Input;
  run(input: Static<Input>, use: Use): Promise<void>;
}

export function defineTool<Input extends TSchema, Use extends ToolUse = ToolUse>({
  name,
  description,
  input: schema,
  run,
}: Definition<Input, Use>): Tool<Use> {
  const check = createChecker(schema);
  return {
    description: { name, description, input: schema as JsonSchema },
    async call(input, use) {
      const faults = check(input);
      if (faults)
        throw new ToolError(
          faults.map(({ field, message }) => `${field || 'the input'} ${message}`).join('; '),
        );
      await run(input as Static<Input>, use);
    },
  };
}

/** Tells the model why a call failed; undefined for a failure that is ours. */
export function faultOf(error: unknown): string | undefined {
  if (error instanceof ToolError) return error.message;
  if (error instanceof HttpError && error.status < 500) return error.message;
  return undefined;
}
