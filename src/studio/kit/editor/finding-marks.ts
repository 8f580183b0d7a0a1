import {
  type EditorState,
  type Extension,
  type Range,
  StateEffect,
  StateField,
  type Text,
} from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, hoverTooltip } from '@codemirror/view';
import type { Mark } from './options.ts';
import { element } from './widgets.ts';

const replace = StateEffect.define<readonly Mark[]>();

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, { changes, effects, newDoc }) {
    const moved = shown.map(changes);
    return effects.reduce(
      (set, effect) => (effect.is(replace) ? decorationsOf(effect.value, newDoc) : set),
      moved,
    );
  },
  provide: (field) => EditorView.decorations.from(field),
});

export const marksReplaced = (value: readonly Mark[]) => replace.of(value);

function decorationsOf(list: readonly Mark[], doc: Text): DecorationSet {
  return Decoration.set(
    list.flatMap((mark) => rangeOf(mark, doc) ?? []),
    true,
  );
}

/** Undefined for a line that the text no longer has, or that is empty. */
function rangeOf({ line, columns, severity, message }: Mark, doc: Text): Range<Decoration> | undefined {
  if (line < 1 || line > doc.lines) return undefined;
  const { from: start, to: end, text } = doc.line(line);
  const from = columns ? start + columns.from : end - text.trimStart().length;
  const to = Math.min(columns ? start + columns.to : start + text.trimEnd().length, end);
  if (from >= to) return undefined;
  const decoration = Decoration.mark({
    class: `ce-finding ce-finding-${severity}`,
    message,
  });
  return decoration.range(from, to);
}

function messagesAt(state: EditorState, position: number): string[] {
  const messages: string[] = [];
  state.field(marks).between(position, position, (_from, _to, { spec }) => {
    messages.push(spec.message as string);
  });
  return messages;
}

/** Marks of findings, with their messages shown under the pointer. */
export const findingMarks: Extension = [
  marks,
  hoverTooltip(({ state }, position) => {
    const messages = messagesAt(state, position);
    if (messages.length === 0) return null;
    return {
      pos: position,
      above: true,
      create: () => {
        const dom = element('div', 'ce-note');
        dom.append(...messages.map((message) => element('p', 'ce-note-line', message)));
        return { dom };
      },
    };
  }),
];
