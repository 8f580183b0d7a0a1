import { type Extension, RangeSetBuilder } from '@codemirror/state';
import { Decoration, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

const automatic = Decoration.line({ attributes: { dir: 'auto' } });

function visibleLines({ visibleRanges, state: { doc } }: EditorView) {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of visibleRanges)
    for (let position = from; position <= to; ) {
      const line = doc.lineAt(position);
      builder.add(line.from, line.from, automatic);
      position = line.to + 1;
    }
  return builder.finish();
}

/** Each line runs in the direction of its own letters. */
export const textDirection: Extension = [
  EditorView.perLineTextDirection.of(true),
  ViewPlugin.fromClass(
    class {
      decorations;
      constructor(view: EditorView) {
        this.decorations = visibleLines(view);
      }
      update({ docChanged, viewportChanged, view }: ViewUpdate) {
        if (docChanged || viewportChanged) this.decorations = visibleLines(view);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  ),
];
