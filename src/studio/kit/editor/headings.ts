import type { EditorState } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';
import { parsedTo } from './parsed-text.ts';

const HEADING = /^(?:ATX|Setext)Heading/;
const MARKS = /^\s*#+\s*|\s*#*\s*$|\s*\n\s*(?:=+|-+)\s*$/g;

/** As addresses name a heading: `who-she-is`. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
    .join('-');

const slugOfNode = (state: EditorState, { from, to }: SyntaxNode): string =>
  slugOf(state.sliceDoc(from, to).replace(MARKS, ''));

/** Null above the first one. */
export function headingAbove(state: EditorState, position: number): string | null {
  let node = parsedTo(state, position).topNode.childBefore(position + 1);
  while (node && !HEADING.test(node.name)) node = node.prevSibling;
  return node && slugOfNode(state, node);
}

/** Its position. */
export function findHeading(state: EditorState, slug: string): number | undefined {
  for (let node = parsedTo(state, state.doc.length).topNode.firstChild; node; node = node.nextSibling)
    if (HEADING.test(node.name) && slugOfNode(state, node) === slug) return node.from;
  return undefined;
}
