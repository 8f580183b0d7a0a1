import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { HttpError } from '../../../kit/errors.ts';
import type { Agent } from '../agent.ts';
import type { Tool, ToolAnswer } from './tool.ts';

/** A model can do this about a refusal, by its code. */
const HINTS: Readonly<Record<string, string>> = {
  unknown_type: 'list_types names the types.',
  no_such_entity: 'search finds entities by their words.',
  insufficient_role: 'Ask the user for another key if this is needed.',
  rate_limited: 'Wait before the next call.',
};

/** Runs a tool. What it refuses becomes an answer that the model can act on; other errors reject. */
export async function callTool(tool: Tool, input: unknown, agent: Agent): Promise<CallToolResult> {
  try {
    return resultOf(await tool.run(input, agent));
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { content: [textOf(explain(error))], isError: true };
  }
}

const textOf = (text: string) => ({ type: 'text' as const, text });

const resultOf = ({ texts, data }: ToolAnswer): CallToolResult => ({
  content: texts.map(textOf),
  ...(data && { structuredContent: { ...data } }),
});

function explain({ message, extras: { code = '', errors = [] } }: HttpError): string {
  const lines = errors
    .filter((fault) => !message.includes(fault.message))
    .map(({ field, message: fault }) => `- ${field} ${fault}`);
  const hint = HINTS[code];
  return [`${message}${code === '' ? '' : ` (${code})`}`, ...lines, ...(hint ? [hint] : [])].join('\n');
}
