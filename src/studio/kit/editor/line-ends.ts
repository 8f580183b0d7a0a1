import {
  type ChangeSpec,
  EditorSelection,
  EditorState,
  type Extension,
  Prec,
  Text,
  Transaction,
  type TransactionSpec,
} from '@codemirror/state';
import { Decoration, EditorView, MatchDecorator, ViewPlugin, type ViewUpdate } from '@codemirror/view';

const RETURN = '\r';
const FEED_ALONE = /(?<!\r)\n/;
const RETURN_ALONE = /\r(?!\n)/;
const ANY_BREAK = /\r\n?|\n/g;

/** `mixed` has a carriage return somewhere, but not at the end of every line. */
export type LineEnds = 'lf' | 'crlf' | 'mixed';

export function lineEndsOf(text: string): LineEnds {
  if (!text.includes(RETURN)) return 'lf';
  return FEED_ALONE.test(text) || RETURN_ALONE.test(text) ? 'mixed' : 'crlf';
}

export const lineBreakOf = (kind: LineEnds): string => (kind === 'crlf' ? '\r\n' : '\n');

/**
 * Keeps every byte of a text: its lines end with `\r\n` if all do, otherwise with `\n`, and a carriage return is then
 * a hidden character of its line.
 */
export function lineEnds(kind: LineEnds): Extension {
  const lineBreak = lineBreakOf(kind);
  return [
    EditorState.lineSeparator.of(lineBreak),
    EditorView.clipboardInputFilter.of((text) => text.replace(ANY_BREAK, lineBreak)),
    kind === 'mixed' ? [Prec.high(hiddenReturns), EditorState.transactionFilter.of(withWholeLineEnds)] : [],
  ];
}

const returns = new MatchDecorator({ regexp: /\r/g, decoration: Decoration.replace({}) });

const hiddenReturns = ViewPlugin.fromClass(
  class {
    decorations;
    constructor(view: EditorView) {
      this.decorations = returns.createDeco(view);
    }
    update(update: ViewUpdate) {
      this.decorations = returns.updateDeco(update, this.decorations);
    }
  },
  {
    decorations: (plugin) => plugin.decorations,
    provide: (plugin) =>
      EditorView.atomicRanges.of((view) => view.plugin(plugin)?.decorations ?? Decoration.none),
  },
);

/** Neither an edit nor the cursor comes between a hidden carriage return and its line feed. */
function withWholeLineEnds(transaction: Transaction): TransactionSpec | readonly TransactionSpec[] {
  const isEdit = transaction.isUserEvent('input') || transaction.isUserEvent('delete');
  const whole = transaction.docChanged && isEdit ? wholeChanges(transaction) : undefined;
  if (whole) return replaced(transaction, whole);
  const { newDoc, newSelection } = transaction;
  const selection = beforeReturns(newDoc, newSelection);
  return selection.eq(newSelection) ? transaction : [transaction, { selection, sequential: true }];
}

function replaced(transaction: Transaction, specs: ChangeSpec): TransactionSpec {
  const { startState, effects } = transaction;
  const changes = startState.changes(specs);
  const selection = beforeReturns(changes.apply(startState.doc), startState.selection.map(changes, 1));
  const userEvent = transaction.annotation(Transaction.userEvent);
  return { changes, selection, effects, scrollIntoView: true, ...(userEvent !== undefined && { userEvent }) };
}

interface Change {
  from: number;
  to: number;
  insert: Text;
}

/** Undefined if they are whole already. */
function wholeChanges({ startState: { doc }, changes }: Transaction): Change[] | undefined {
  const specs: Change[] = [];
  let isOther = false;
  changes.iterChanges((from, to, _fromB, _toB, insert) => {
    const spec = wholeChange(doc, { from, to, insert });
    isOther ||= spec.from !== from || spec.to !== to || spec.insert !== insert;
    specs.push(spec);
  });
  return isOther ? specs : undefined;
}

function wholeChange(doc: Text, { from, to, insert }: Change): Change {
  const isDeletion = to > from;
  const start = isWithinBreak(doc, from) ? from - 1 : from;
  if (!isDeletion) return { from: start, to: start, insert: inStyleOf(doc, start, insert) };
  const isOnlyReturn = to - from === 1;
  const end = isWithinBreak(doc, to) ? to + (isOnlyReturn ? 1 : -1) : to;
  return { from: start, to: Math.max(start, end), insert: inStyleOf(doc, start, insert) };
}

const isWithinBreak = (doc: Text, position: number): boolean =>
  position > 0 && position < doc.length && doc.sliceString(position - 1, position + 1) === '\r\n';

function inStyleOf(doc: Text, position: number, insert: Text): Text {
  if (insert.lines === 1 || !doc.lineAt(position).text.endsWith(RETURN)) return insert;
  return Text.of(insert.toString().replace(ANY_BREAK, '\r\n').split('\n'));
}

function beforeReturns(doc: Text, selection: EditorSelection): EditorSelection {
  const before = (position: number) => (isWithinBreak(doc, position) ? position - 1 : position);
  const ranges = selection.ranges.map((range) =>
    EditorSelection.range(
      before(range.anchor),
      before(range.head),
      range.goalColumn,
      range.bidiLevel ?? undefined,
    ),
  );
  return EditorSelection.create(ranges, selection.mainIndex);
}
