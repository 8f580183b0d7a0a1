import { DOCUMENT_LIMITS } from './limits.ts';
import { lineNumber } from './text.ts';
import { parseTree, type YamlNode } from './tree.ts';

/** Parser depth: one level for the scalar inside the deepest allowed collection, one for the document. */
export const PARSER_DEPTH = DOCUMENT_LIMITS.depth + 2;

/** Offset in the YAML of the deepest part of `path` that is written there: of a map's key, of a list's item. */
export function offsetOf(yaml: string, path: readonly (string | number)[]): number {
  let node = parseTree(yaml, PARSER_DEPTH);
  let offset = node?.start ?? 0;
  for (const step of path) {
    const child = node && childOf(node, step);
    if (child === undefined) break;
    offset = child.start;
    node = child.value;
  }
  return offset;
}

function childOf(node: YamlNode, step: string | number): { start: number; value: YamlNode } | undefined {
  if (node.kind === 'map') return node.entries.find((entry) => entry.name === String(step));
  return node.kind === 'seq' ? node.items[Number(step)] : undefined;
}

/** Line in the file of a path; that of the frontmatter's first line for one that is not there. */
export function lineOfPath(yaml: string, yamlLine: number, path: readonly (string | number)[]): number {
  return yamlLine + lineNumber(yaml, offsetOf(yaml, path)) - 1;
}
