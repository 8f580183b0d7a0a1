import { EditorSelection, type EditorState, type StateCommand } from '@codemirror/state';
import type { KeyBinding } from '@codemirror/view';

const isWrapped = ({ doc }: EditorState, from: number, to: number, mark: string): boolean =>
  doc.sliceString(from - mark.length, from) === mark && doc.sliceString(to, to + mark.length) === mark;

/** Puts marks around the selection, or takes them away. */
const toggle =
  (mark: string): StateCommand =>
  ({ state, dispatch }) => {
    const size = mark.length;
    const spec = state.changeByRange(({ from, to }) => {
      if (from >= size && isWrapped(state, from, to, mark))
        return {
          changes: [
            { from: from - size, to: from },
            { from: to, to: to + size },
          ],
          range: EditorSelection.range(from - size, to - size),
        };
      return {
        changes: [
          { from, insert: mark },
          { from: to, insert: mark },
        ],
        range: EditorSelection.range(from + size, to + size),
      };
    });
    dispatch(state.update(spec, { userEvent: 'input', scrollIntoView: true }));
    return true;
  };

export const emphasisKeys: KeyBinding[] = [
  { key: 'Mod-b', run: toggle('**') },
  { key: 'Mod-i', run: toggle('*') },
];
