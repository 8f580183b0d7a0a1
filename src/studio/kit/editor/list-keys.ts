import { indentLess, indentMore } from '@codemirror/commands';
import type { EditorState, Line, StateCommand } from '@codemirror/state';
import type { KeyBinding } from '@codemirror/view';

/** Of a list item or a quote: what its line begins with. */
const MARKUP = /^(\s*)((?:>\s?)*)(?:([-*+]|\d{1,9}[.)])(\s+)(\[[ xX]\]\s+)?)?/;

interface Markup {
  text: string;
  /** The markup at the beginning of the next line. */
  next: string;
}

function markupOf({ text }: Line): Markup | undefined {
  const [whole = '', indent = '', quotes = '', item, gap = '', task] = MARKUP.exec(text) ?? [];
  if (item === undefined && quotes === '') return undefined;
  const nextItem = item === undefined ? '' : following(item) + gap + (task === undefined ? '' : '[ ] ');
  return { text: whole, next: indent + quotes + nextItem };
}

const following = (item: string): string =>
  item.length === 1 ? item : String(Number.parseInt(item, 10) + 1) + item.slice(-1);

const soleLine = ({ doc, selection }: EditorState): Line | undefined =>
  selection.ranges.length === 1 ? doc.lineAt(selection.main.head) : undefined;

/** A new line goes on with the list or quote; on an item without text, it ends it. */
const continueMarkup: StateCommand = ({ state, dispatch }) => {
  const { main } = state.selection;
  const line = soleLine(state);
  const markup = line && markupOf(line);
  if (!line || !markup || main.head - line.from < markup.text.length) return false;
  const isEmpty = line.text.trim() === markup.text.trim();
  const change = isEmpty
    ? { from: line.from, to: line.from + markup.text.length, insert: '' }
    : { from: main.from, to: main.to, insert: state.toText(state.lineBreak + markup.next) };
  const changes = state.changes(change);
  const anchor = isEmpty ? line.from : changes.mapPos(main.to, 1);
  dispatch(state.update({ changes, selection: { anchor }, scrollIntoView: true, userEvent: 'input' }));
  return true;
};

const inList =
  (command: StateCommand): StateCommand =>
  (target) => {
    const line = soleLine(target.state);
    const [, , , item] = (line && MARKUP.exec(line.text)) ?? [];
    return item !== undefined && command(target);
  };

export const listKeys: KeyBinding[] = [
  { key: 'Enter', run: continueMarkup },
  { key: 'Tab', run: inList(indentMore), shift: inList(indentLess) },
];
