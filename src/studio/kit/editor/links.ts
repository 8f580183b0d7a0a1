import type { EditorState, Extension } from '@codemirror/state';
import { EditorView, hoverTooltip, type KeyBinding } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { linkAt, type ShownLink } from '../../../content/references/links.ts';
import { openAddress, openableAddress } from './addresses.ts';
import type { EditorOptions, EntityRef } from './options.ts';
import { parsedTo } from './parsed-text.ts';

const HOVER_MS = 300;

type Target = { entity: EntityRef } | { address: string };
type Opening = Pick<EditorOptions, 'onOpen'>;

/** As it stands in the text. */
export function entityLinkOf(
  state: EditorState,
  { from, to }: { from: number; to: number },
): ShownLink | undefined {
  return linkAt(state.sliceDoc(from, to), 0);
}

/** The address of a node `Link`, `Autolink` or `URL`, if it may be opened. */
export function addressOf(state: EditorState, node: SyntaxNode): string | undefined {
  const url = node.name === 'URL' ? node : node.getChild('URL');
  return url ? openableAddress(state.sliceDoc(url.from, url.to)) : undefined;
}

function nodeAt(state: EditorState, position: number, names: readonly string[]): SyntaxNode | undefined {
  // One character further than a node's end, so that it is known to end there.
  const tree = parsedTo(state, Math.min(position + 1, state.doc.length));
  for (const side of [1, -1] as const)
    for (let node: SyntaxNode | null = tree.resolveInner(position, side); node; node = node.parent)
      if (names.includes(node.name)) return node;
  return undefined;
}

function targetAt(state: EditorState, position: number): Target | undefined {
  const node = nodeAt(state, position, ['EntityLink', 'Link', 'Autolink', 'URL']);
  if (!node) return undefined;
  if (node.name === 'EntityLink') return targetOf(entityLinkOf(state, node));
  const address = addressOf(state, node);
  return address === undefined ? undefined : { address };
}

const targetOf = (link: ShownLink | undefined): Target | undefined =>
  link && { entity: { type: link.type, id: link.id } };

function open(view: EditorView, position: number, beside: boolean, { onOpen }: Opening): boolean {
  const target = targetAt(view.state, position);
  if (!target) return false;
  if ('address' in target) openAddress(target.address);
  else onOpen(target.entity, { beside });
  return true;
}

export function linkKeys(options: Opening): KeyBinding[] {
  const opened = (beside: boolean) => (view: EditorView) =>
    open(view, view.state.selection.main.head, beside, options);
  return [
    { key: 'Mod-Enter', run: opened(false) },
    { key: 'Shift-Mod-Enter', run: opened(true) },
  ];
}

/** A click with the key that opens links opens one, and an entity under a resting pointer shows its card. */
export const linkPointer = (options: Pick<EditorOptions, 'onOpen' | 'onCard'>): Extension => [
  EditorView.domEventHandlers({
    mousedown(event, view) {
      if (event.button !== 0 || !(event.ctrlKey || event.metaKey)) return false;
      const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
      return position !== null && open(view, position, event.shiftKey, options);
    },
  }),
  hoverTooltip(
    ({ state }, position) => {
      const node = nodeAt(state, position, ['EntityLink']);
      const link = node && entityLinkOf(state, node);
      if (!link) return null;
      return { pos: node.from, end: node.to, above: true, create: () => cardOf(link, options) };
    },
    { hoverTime: HOVER_MS },
  ),
];

function cardOf({ type, id }: ShownLink, { onCard }: Pick<EditorOptions, 'onCard'>) {
  const dom = document.createElement('div');
  dom.className = 'ce-card';
  return { dom, destroy: onCard({ type, id }, dom) };
}
