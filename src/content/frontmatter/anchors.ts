import { type Change, splice } from './change.ts';
import { renderFlow } from './render.ts';
import { isBlank, lineEnd, skipBlanks } from './text.ts';
import type { YamlNode } from './tree.ts';

/** An anchored value that changes gives its anchor and old value to its first alias. Returns whether the node's value changes. */
export function moveAnchors(change: Change, node: YamlNode): boolean {
  let changes = change.gone.has(node) || change.touched.has(node);
  for (const child of childrenOf(node)) changes = moveAnchors(change, child) || changes;
  if (changes && node.anchor !== undefined && node.aliases.length > 0) moveAnchor(change, node, node.anchor);
  return changes;
}

function childrenOf(node: YamlNode): YamlNode[] {
  if (node.kind === 'map') return node.entries.flatMap((entry) => [entry.key, entry.value]);
  return node.kind === 'seq' ? node.items.map((item) => item.value) : [];
}

function moveAnchor(change: Change, node: YamlNode, anchor: string): void {
  const heir = node.aliases.find((alias) => !change.gone.has(alias));
  if (heir) inherit(change, heir, `&${anchor} ${sourceOf(change, node)}`);
  if (change.gone.has(node)) return;
  const { text } = change;
  const start = text.indexOf(`&${anchor}`, node.start);
  const end = skipBlanks(text, start + anchor.length + 1);
  const endsLine = end === lineEnd(text, end);
  splice(change, endsLine && isBlank(text.charCodeAt(start - 1)) ? start - 1 : start, end, '');
}

/** A flow collection may not follow a tab; an alias may. */
function inherit(change: Change, heir: YamlNode, text: string): void {
  const start = change.text.slice(0, heir.start).trimEnd().length;
  const gap = change.text.slice(start, heir.start);
  if (/^[ \t]*\t[ \t]*$/.test(gap)) splice(change, start, heir.end, ` ${text}`);
  else splice(change, heir.start, heir.end, text);
}

/** Numbers keep their digits: a JavaScript number may hold too few. */
function sourceOf(change: Change, node: YamlNode): string {
  const isNumber = node.kind === 'scalar' && typeof node.value === 'number';
  return isNumber ? change.text.slice(node.contentStart, node.end) : renderFlow(node.value, change.style);
}
