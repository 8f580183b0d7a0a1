import type { ToolCall } from '../../platform/llm/llm.ts';
import { cutWithin } from '../../text/cut.ts';
import type { ChatAnswer } from './chat.contract.ts';
import { createSheet } from './sheet.ts';
import type { ProposeUse } from './tools/propose.tool.ts';
import { faultOf, type Tool, ToolError } from './tools/tool.ts';

const LONGEST_FAULT = 500;

/** Runs the calls of a model: with the tools given here and in this project, whatever a call says. */
export function createToolRunner(tools: readonly Tool<ProposeUse>[], use: Omit<ProposeUse, 'sheet'>) {
  const known = new Map(tools.map((tool) => [tool.description.name, tool]));

  async function resultOf({ name, input }: ToolCall, room: number): Promise<string> {
    const tool = known.get(name);
    if (tool === undefined)
      throw new ToolError(`there is no tool '${name}': the tools are ${[...known.keys()].join(', ')}`);
    const sheet = createSheet(use.shown, room);
    await tool.call(input, { ...use, sheet });
    return sheet.text();
  }

  return async (call: ToolCall, room: number): Promise<ChatAnswer['tools'][number]> => {
    try {
      return { ...call, content: await resultOf(call, room), failed: false };
    } catch (error) {
      const fault = faultOf(error);
      if (fault === undefined) throw error;
      const shown = cutWithin(fault.replaceAll(/\s+/g, ' '), LONGEST_FAULT);
      return { ...call, content: `| That did not work: ${shown}`, failed: true };
    }
  };
}
