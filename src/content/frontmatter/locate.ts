import { DOCUMENT_LIMITS } from './limits.ts';
import { lineAt, lineStartsOf } from './text.ts';
import { parseTree, type YamlNode } from './tree.ts';

/** One level for the scalar inside the deepest allowed collection, one for the document. */
export const PARSER_DEPTH = DOCUMENT_LIMITS.depth + 2;

/** Cached, because callers ask about one text for each of its parts. */
let latest: { yaml: string; tree: YamlNode | undefined; lineStarts: readonly number[] } | undefined;

function located(yaml: string) {
  if (latest?.yaml !== yaml) {
    latest = { yaml, tree: parseTree(yaml, PARSER_DEPTH), lineStarts: lineStartsOf(yaml) };
  }
  return latest;
}

/** The offset of the deepest part of `path` that exists: of a map's key, of a list's item. */
export function offsetOf(yaml: string, path: readonly (string | number)[]): number {
  let node = located(yaml).tree;
  let offset = node?.start ?? 0;
  for (const step of path) {
    const child = node && childOf(node, step);
    if (child === undefined) break;
    offset = child.start;
    node = child.value;
  }
  return offset;
}

/** With quotes but without anchor and tag; undefined if there is no scalar. */
export function scalarSource(yaml: string, path: readonly (string | number)[]): string | undefined {
  let node = located(yaml).tree;
  for (const step of path) node = node && childOf(node, step)?.value;
  return node?.kind === 'scalar' ? yaml.slice(node.contentStart, node.end) : undefined;
}

function childOf(node: YamlNode, step: string | number): { start: number; value: YamlNode } | undefined {
  if (node.kind === 'map') return node.entries.find((entry) => entry.name === String(step));
  return node.kind === 'seq' ? node.items[Number(step)] : undefined;
}

/** The first line of the frontmatter if the path does not exist. */
export function lineOfPath(yaml: string, yamlLine: number, path: readonly (string | number)[]): number {
  return yamlLine + lineAt(located(yaml).lineStarts, offsetOf(yaml, path)) - 1;
}
