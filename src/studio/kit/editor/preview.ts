import { syntaxTree } from '@codemirror/language';
import type { EditorState, Extension, Range } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import type { SyntaxNodeRef } from '@lezer/common';
import { addressOf, entityLinkOf } from './links.ts';
import type { EditorOptions } from './options.ts';
import { refresh } from './refresh.ts';
import { hasRevealChanged, isRevealed, revealing } from './revealed.ts';
import { EntityWidget, SignWidget, TaskWidget } from './widgets.ts';

type PreviewOptions = Pick<EditorOptions, 'names' | 'messages'>;

interface Drawing {
  state: EditorState;
  options: PreviewOptions;
  /** The part of the text that is drawn. */
  from: number;
  to: number;
  /** In the place of text. */
  hidden: Range<Decoration>[];
  styles: Range<Decoration>[];
}

type Draw = (node: SyntaxNodeRef, drawing: Drawing) => void;

const concealed = Decoration.replace({});
const bullet = Decoration.replace({ widget: new SignWidget('ce-bullet', '•') });
const ruler = Decoration.replace({ widget: new SignWidget('ce-ruler') });
const styled = new Map<string, Decoration>();

const lineStyle = (className: string): Decoration => {
  const style = styled.get(className) ?? Decoration.line({ class: className });
  styled.set(className, style);
  return style;
};

const lines =
  (className: string): Draw =>
  (node, { state: { doc }, styles, from, to }) => {
    const end = Math.min(node.to, to);
    for (
      let line = doc.lineAt(Math.max(node.from, from));
      line.from <= end;
      line = doc.line(line.number + 1)
    ) {
      styles.push(lineStyle(className).range(line.from));
      if (line.number === doc.lines) break;
    }
  };

function hide(drawing: Drawing, from: number, to: number, decoration = concealed): void {
  if (from < to && !isRevealed(drawing.state, from, to)) drawing.hidden.push(decoration.range(from, to));
}

const mark: Draw = (node, drawing) => hide(drawing, node.from, node.to);

/** With the space that parts it from its text. */
const markBeforeText: Draw = ({ from, to }, drawing) => {
  const isBefore = drawing.state.sliceDoc(to, to + 1) === ' ';
  hide(drawing, from, isBefore ? to + 1 : to);
};

/** At the end of a heading, with the space before it. */
const headingMark: Draw = (node, drawing) => {
  const { doc } = drawing.state;
  const line = doc.lineAt(node.from);
  const before = line.text.slice(0, node.from - line.from);
  if (before.trim() === '') markBeforeText(node, drawing);
  else hide(drawing, node.from - (before.length - before.trimEnd().length), node.to);
};

const codeMark: Draw = (node, drawing) => {
  if (node.matchContext(['InlineCode'])) mark(node, drawing);
};

const rule: Draw = ({ from, to }, drawing) => hide(drawing, from, to, ruler);

const backslash: Draw = ({ from }, drawing) => hide(drawing, from, from + 1);

const listMark: Draw = ({ node, from, to }, drawing) => {
  if (node.parent?.parent?.name !== 'BulletList') return;
  const isTask = node.parent.getChild('Task') !== null;
  hide(drawing, from, isTask ? to + 1 : to, isTask ? concealed : bullet);
};

const task: Draw = ({ node, from, to }, drawing) => {
  const { state, options } = drawing;
  const isDone = state.sliceDoc(from + 1, from + 2) !== ' ';
  hide(drawing, from, to, Decoration.replace({ widget: new TaskWidget(isDone, options.messages.done) }));
  if (isDone && node.parent && to + 1 < node.parent.to)
    drawing.styles.push(Decoration.mark({ class: 'ce-done' }).range(to + 1, node.parent.to));
};

/** Its address and marks hide, unless it is nothing that may be opened: then it stays text. */
const link: Draw = ({ node, from, to }, drawing) => {
  if (addressOf(drawing.state, node) === undefined) return;
  drawing.styles.push(Decoration.mark({ class: 'ce-link' }).range(from, to));
  const [open, close] = node.getChildren('LinkMark');
  if (!open || !close || close.from === open.to) return;
  hide(drawing, open.from, open.to);
  hide(drawing, close.from, to);
};

const autolink: Draw = ({ node, from, to }, drawing) => {
  if (addressOf(drawing.state, node) === undefined) return;
  drawing.styles.push(Decoration.mark({ class: 'ce-link' }).range(from, to));
  for (const { from: start, to: end } of node.getChildren('LinkMark')) hide(drawing, start, end);
};

const bareAddress: Draw = (node, drawing) => {
  if (!node.matchContext(['Link']) && !node.matchContext(['Image']) && !node.matchContext(['Autolink']))
    autolink(node, drawing);
};

const image: Draw = ({ node, from, to }, drawing) => {
  const [open, close] = node.getChildren('LinkMark');
  if (!open || !close || close.from === open.to) return;
  drawing.styles.push(Decoration.mark({ class: 'ce-caption' }).range(from, to));
  hide(drawing, open.from, open.to);
  hide(drawing, close.from, to);
};

const entityLink: Draw = ({ from, to }, drawing) => {
  const { state, options } = drawing;
  const found = entityLinkOf(state, { from, to });
  if (!found) return;
  const entity = options.names.find({ type: found.type, id: found.id });
  if (isRevealed(state, from, to))
    drawing.styles.push(
      Decoration.mark({ class: entity ? 'ce-entity-source' : 'ce-entity-source ce-missing' }).range(from, to),
    );
  else
    drawing.hidden.push(
      Decoration.replace({ widget: new EntityWidget(found, entity, options.messages) }).range(from, to),
    );
};

const DRAWN: Readonly<Record<string, Draw>> = {
  ATXHeading1: lines('ce-heading ce-h1'),
  ATXHeading2: lines('ce-heading ce-h2'),
  ATXHeading3: lines('ce-heading ce-h3'),
  ATXHeading4: lines('ce-heading ce-h4'),
  ATXHeading5: lines('ce-heading ce-h5'),
  ATXHeading6: lines('ce-heading ce-h6'),
  SetextHeading1: lines('ce-heading ce-h1'),
  SetextHeading2: lines('ce-heading ce-h2'),
  Blockquote: lines('ce-quote'),
  FencedCode: lines('ce-block'),
  CodeBlock: lines('ce-block'),
  Table: lines('ce-table'),
  HorizontalRule: rule,
  ListItem: lines('ce-item'),
  HeaderMark: headingMark,
  QuoteMark: markBeforeText,
  EmphasisMark: mark,
  StrikethroughMark: mark,
  CodeMark: codeMark,
  Escape: backslash,
  ListMark: listMark,
  TaskMarker: task,
  Link: link,
  Autolink: autolink,
  URL: bareAddress,
  Image: image,
  EntityLink: entityLink,
};

class Preview {
  private readonly options: PreviewOptions;
  hidden: DecorationSet = Decoration.none;
  styles: DecorationSet = Decoration.none;

  constructor(view: EditorView, options: PreviewOptions) {
    this.options = options;
    this.draw(view);
  }

  update(update: ViewUpdate) {
    const { startState, state, docChanged, viewportChanged, transactions } = update;
    const isParsed = syntaxTree(startState) !== syntaxTree(state);
    const isRefreshed = transactions.some(({ effects }) => effects.some((effect) => effect.is(refresh)));
    if (docChanged || viewportChanged || isParsed || isRefreshed || hasRevealChanged(startState, state))
      this.draw(update.view);
  }

  private draw({ state, visibleRanges }: EditorView) {
    const hidden: Range<Decoration>[] = [];
    const styles: Range<Decoration>[] = [];
    for (const { from, to } of visibleRanges) {
      const drawing = { state, options: this.options, from, to, hidden, styles };
      syntaxTree(state).iterate({ from, to, enter: (node) => DRAWN[node.name]?.(node, drawing) });
    }
    this.hidden = Decoration.set(hidden, true);
    this.styles = Decoration.set(styles, true);
  }
}

/** Text that looks like what it says. Only what it hides is atomic for the cursor. */
export function preview(options: PreviewOptions): Extension {
  const plugin = ViewPlugin.define((view) => new Preview(view, options));
  const hiddenIn = (view: EditorView) => view.plugin(plugin)?.hidden ?? Decoration.none;
  const stylesIn = (view: EditorView) => view.plugin(plugin)?.styles ?? Decoration.none;
  return [
    revealing,
    plugin,
    EditorView.decorations.of(hiddenIn),
    EditorView.decorations.of(stylesIn),
    EditorView.atomicRanges.of(hiddenIn),
  ];
}
