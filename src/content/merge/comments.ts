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
  const starts = [0, ...values.map(({ end }) => end)];
  const ends = [...values.map(({ start }) => start), yaml.length];
  // YAML lets none begin right behind a value.
  const outside = starts.map((start, index) => yaml.slice(start, ends[index])).join('');
  return (outside.match(/(?<!\S)#[^\r\n]*/g) ?? []).map((comment) => comment.trimEnd());
}

function scalarsOf(yaml: string, node: YamlNode): Range[] {
  if (node.kind === 'map')
    return node.entries.flatMap(({ key, value }) => [...scalarsOf(yaml, key), ...scalarsOf(yaml, value)]);
  if (node.kind === 'seq') return node.items.flatMap(({ value }) => scalarsOf(yaml, value));
  // A comment may follow the `|` or `>` of a block.
  const isBlock = node.kind === 'scalar' && (node.style === 'literal' || node.style === 'folded');
  return [{ start: isBlock ? lineEnd(yaml, node.contentStart) : node.start, end: node.end }];
}
