import type { Static, TObject } from 'typebox';
import type { Role } from '../../../access/plans.ts';
import { createChecker } from '../../../kit/http/validation.ts';
import type { Agent } from '../agent.ts';
import { wrongArguments } from './arguments.ts';

/** Shown to the model as text; `data` is the same for programs. */
export interface ToolAnswer {
  texts: readonly string[];
  data?: Readonly<Record<string, unknown>>;
}

interface ToolFace {
  name: string;
  title: string;
  description: string;
  /** The least role that can use it: others do not see it. */
  role: Role;
  /** `proposes`: it changes nothing but the session's change set. */
  effect: 'reads' | 'proposes';
}

export interface Tool extends ToolFace {
  input: TObject;
  /** Throws 422 for wrong arguments, and what the called routes throw. */
  run(input: unknown, agent: Agent): Promise<ToolAnswer>;
}

interface ToolDefinition<Input extends TObject> extends ToolFace {
  input: Input;
  run(input: Static<Input>, agent: Agent): Promise<ToolAnswer>;
}

export function defineTool<Input extends TObject>(definition: ToolDefinition<Input>): Tool {
  const check = createChecker(definition.input);
  return {
    ...definition,
    async run(input, agent) {
      const faults = check(input);
      if (faults !== null) throw wrongArguments(faults);
      return definition.run(input as Static<Input>, agent);
    },
  };
}
