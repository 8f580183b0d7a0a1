import { PARSER_DEPTH } from '../frontmatter/locate.ts';
import { lineEnd } from '../frontmatter/text.ts';
import { parseTree, type YamlNode } from '../frontmatter/tree.ts';

/** Offsets into the YAML; `end` is exclusive. */
interface Range {
  start: number;
  end: number;
}

/** Each with its `#`, in order. */
export function commentsOf(yaml: string): string[] {
  if (!yaml.includes('#')) return [];
  const root = parseTree(yaml, PARSER_DEPTH);
  const values = root ? scalarsOf(yaml, root) : [];
  const comments: string[] = [];
  let next = 0;
  for (let at = yaml.indexOf('#'); at >= 0; at = yaml.indexOf('#', at + 1)) {
    while ((values[next]?.end ?? yaml.length) <= at) next++;
    const isInside = (values[next]?.start ?? yaml.length) <= at;
    if (isInside || !/^$|\s/.test(yaml.charAt(at - 1))) continue;
    comments.push(yaml.slice(at, lineEnd(yaml, at)).trimEnd());
    at = lineEnd(yaml, at);
  }
  return comments;
}

function scalarsOf(yaml: string, node: YamlNode): Range[] {
  if (node.kind === 'map')
    return node.entries.flatMap(({ key, value }) => [...scalarsOf(yaml, key), ...scalarsOf(yaml, value)]);
  if (node.kind === 'seq') return node.items.flatMap(({ value }) => scalarsOf(yaml, value));
  // A comment may follow the `|` or `>` of a block.
  const isBlock = node.kind === 'scalar' && (node.style === 'literal' || node.style === 'folded');
  return [{ start: isBlock ? lineEnd(yaml, node.contentStart) : node.start, end: node.end }];
}
