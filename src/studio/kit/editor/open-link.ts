import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { EditorOptions, EntityName } from './options.ts';

const OPEN_LINK = /\[\[([^[\]|#\r\n]{0,100})$/;
const LONGEST_BEFORE = 104;

/** A link that is being written: the text behind its brackets. */
export interface OpenLink {
  query: string;
  /** Of its brackets. */
  from: number;
}

export function openLinkAt({ doc }: EditorState, position: number): OpenLink | undefined {
  const line = doc.lineAt(position);
  const before = doc.sliceString(Math.max(line.from, position - LONGEST_BEFORE), position);
  const match = OPEN_LINK.exec(before);
  return match ? { query: match[1] ?? '', from: position - match[0].length } : undefined;
}

export const linkTo = ({ type, id }: { type: string; id: string }): string => `[[${type}:${id}]]`;

/** Up to the closing brackets, if they stand there already. */
export function endOfLink({ doc }: EditorState, position: number): number {
  return doc.sliceString(position, position + 2) === ']]' ? position + 2 : position;
}

export function writeLink(view: EditorView, from: number, entity: EntityName): void {
  const head = view.state.selection.main.head;
  const insert = linkTo(entity);
  view.dispatch({
    changes: { from, to: endOfLink(view.state, head), insert },
    selection: { anchor: from + insert.length },
    userEvent: 'input.complete',
    scrollIntoView: true,
  });
}

/** Writes the best name for what has been typed; false if nothing has, or nobody is called so. */
export function writeBest(view: EditorView, names: EditorOptions['names']): boolean {
  const open = openLinkAt(view.state, view.state.selection.main.head);
  const best = open && open.query !== '' ? names.search(open.query)[0] : undefined;
  if (!open || !best) return false;
  writeLink(view, open.from, best);
  return true;
}
