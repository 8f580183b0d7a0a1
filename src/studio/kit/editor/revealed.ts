import {
  type EditorSelection,
  type EditorState,
  type Extension,
  StateEffect,
  StateField,
  type Text,
  type Transaction,
} from '@codemirror/state';
import { atRest } from './rest.ts';

/** Whole lines. */
interface Span {
  from: number;
  to: number;
}

const reveal = StateEffect.define<readonly Span[]>();

const revealed = StateField.define<readonly Span[]>({
  create: () => [],
  update(spans, transaction) {
    for (const effect of transaction.effects) if (effect.is(reveal)) return effect.value;
    return transaction.docChanged ? afterEdit(spans, transaction) : spans;
  },
});

/** The line of an edit is shown at once: a link that is being written must not close over the cursor. */
function afterEdit(spans: readonly Span[], transaction: Transaction): readonly Span[] {
  const { changes, newDoc, newSelection } = transaction;
  const moved = spans.map(({ from, to }) => ({ from: changes.mapPos(from, -1), to: changes.mapPos(to, 1) }));
  if (!transaction.isUserEvent('input') && !transaction.isUserEvent('delete')) return moved;
  const edited = selectedLines(newDoc, newSelection).filter(
    (line) => !moved.some(({ from, to }) => from <= line.from && to >= line.to),
  );
  return [...moved, ...edited];
}

/** True if the range touches a line whose marks are shown because the cursor rests there. */
export const isRevealed = (state: EditorState, from: number, to: number): boolean =>
  state.field(revealed).some((span) => from <= span.to && to >= span.from);

export const hasRevealChanged = (before: EditorState, after: EditorState): boolean =>
  before.field(revealed) !== after.field(revealed);

export const revealing: Extension = [
  revealed,
  atRest((view) => {
    const { doc, selection } = view.state;
    const spans = view.hasFocus ? selectedLines(doc, selection) : [];
    if (!areEqual(spans, view.state.field(revealed))) view.dispatch({ effects: reveal.of(spans) });
  }),
];

const selectedLines = (doc: Text, { ranges }: EditorSelection): Span[] =>
  ranges.map(({ from, to }) => ({ from: doc.lineAt(from).from, to: doc.lineAt(to).to }));

const areEqual = (a: readonly Span[], b: readonly Span[]): boolean =>
  a.length === b.length && a.every(({ from, to }, index) => from === b[index]?.from && to === b[index]?.to);
