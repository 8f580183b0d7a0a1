import { roleAllows, strongest } from '../../../access/plans.ts';
import type { Agent } from '../agent.ts';
import { createDraftTool, finishChangesTool, proposeChangeTool } from './change.tool.ts';
import { canonCheckTool, validateTool } from './checks.tool.ts';
import { historyTool, readEntityTool } from './entity.tool.ts';
import { exportTool, importPreviewTool } from './files.tool.ts';
import { graphTool, referencesTool } from './graph.tool.ts';
import { readChangesTool } from './read-changes.tool.ts';
import { searchTool } from './search.tool.ts';
import type { Tool } from './tool.ts';
import { describeTypeTool, listTypesTool } from './types.tool.ts';

const TOOLS: readonly Tool[] = [
  searchTool,
  readEntityTool,
  listTypesTool,
  describeTypeTool,
  referencesTool,
  graphTool,
  canonCheckTool,
  validateTool,
  historyTool,
  importPreviewTool,
  exportTool,
  readChangesTool,
  proposeChangeTool,
  createDraftTool,
  finishChangesTool,
];

/** The tools that a caller may use; others are not shown. */
export function toolsFor({ caller: { principal } }: Agent): readonly Tool[] {
  if (principal === null) return [];
  const role = strongest(principal);
  const mayOnlyRead = principal.apiKey?.mayOnlyRead === true;
  return TOOLS.filter((tool) => roleAllows(role, tool.role) && (tool.effect === 'reads' || !mayOnlyRead));
}
