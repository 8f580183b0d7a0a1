import { history, historyKeymap, standardKeymap } from '@codemirror/commands';
import { type Chunk, goToNextChunk, goToPreviousChunk, MergeView } from '@codemirror/merge';
import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { mergeText } from '../../../content/merge/text.ts';
import { lineEnds, lineEndsOf } from './line-ends.ts';
import { markdown } from './markdown.ts';
import { textOf } from './rebase-text.ts';
import { mergeTheme, theme } from './theme.ts';

/** The same text as it was last common, as one changed it, and as somebody else did. */
export interface MergeTexts {
  base: string;
  mine: string;
  theirs: string;
}

export type Compared = 'theirs' | 'base';

export interface MergeOptions {
  parent: HTMLElement;
  texts: MergeTexts;
  /** The language of the texts. */
  language: string;
  /** The accessible names of the two sides. */
  labels: { other: string; result: string };
  onChange(text: string): void;
  /** After each change of the text or of what it is compared with: how many places differ. */
  onDifferences(count: number): void;
}

export interface TextMerger {
  /** The merged text, with my line ends. */
  text(): string;
  /** The label is the side's accessible name. */
  compareWith(side: Compared, label: string): void;
  next(): void;
  previous(): void;
  /** At the place of the cursor, or at the next one, the other text in the place of mine. */
  takeOther(): void;
  /** At the same place, the other text below mine. */
  takeBoth(): void;
  destroy(): void;
}

/**
 * Two texts beside each other, of which the second is edited: it begins with what both changed, and with mine where both
 * changed the same lines.
 */
export function createTextMerger({ parent, texts, language, labels, ...told }: MergeOptions): TextMerger {
  const { base, mine, theirs } = texts;
  const begun = mergeText(base, mine, theirs).text;
  const kind = lineEndsOf(begun);
  const name = new Compartment();
  const merger = new MergeView({
    parent,
    a: {
      doc: theirs,
      extensions: [sideOf(language), name.of(namedSide(labels.other)), EditorState.readOnly.of(true)],
    },
    b: {
      doc: begun,
      extensions: [
        sideOf(language),
        namedSide(labels.result),
        lineEnds(kind),
        history(),
        keymap.of([...historyKeymap, ...standardKeymap]),
        EditorView.updateListener.of(({ docChanged }) => {
          if (docChanged) told.onChange(b.state.sliceDoc());
          if (docChanged) tellDifferences();
        }),
      ],
    },
    highlightChanges: true,
    gutter: true,
  });
  const { a, b } = merger;

  const tellDifferences = () => told.onDifferences(merger.chunks.length);
  tellDifferences();

  const change = (insertOf: (chunk: Chunk) => Replacement) => {
    const chunk = chunkAt(merger.chunks, b.state.selection.main.head);
    if (!chunk) return;
    const { from, to, insert } = insertOf(chunk);
    b.dispatch({
      changes: { from, to, insert: textOf(insert) },
      selection: { anchor: from },
      userEvent: 'input.merge',
      scrollIntoView: true,
    });
  };

  return {
    text: () => b.state.sliceDoc(),
    compareWith(side, label) {
      const insert = a.state.toText(side === 'base' ? base : theirs);
      a.dispatch({
        changes: { from: 0, to: a.state.doc.length, insert },
        effects: name.reconfigure(namedSide(label)),
      });
      tellDifferences();
    },
    next: () => void goToNextChunk(b),
    previous: () => void goToPreviousChunk(b),
    takeOther: () => change((chunk) => inPlaceOf(chunk, a.state.doc, b.state.doc)),
    takeBoth: () => change((chunk) => below(chunk, a.state.doc, b.state.doc)),
    destroy: () => merger.destroy(),
  };
}

const namedSide = (label: string): Extension => EditorView.contentAttributes.of({ 'aria-label': label });

const sideOf = (language: string): Extension => [
  markdown,
  theme,
  mergeTheme,
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ lang: language, tabindex: '0' }),
];

/** The one at a position, else the next one, else the first. */
function chunkAt(chunks: readonly Chunk[], position: number): Chunk | undefined {
  return chunks.find(({ toB, fromB }) => position < toB || position === fromB) ?? chunks[0];
}

interface Replacement {
  from: number;
  to: number;
  insert: string;
}

/** Chunks are of whole lines: their ends are behind the last line break, which the last line of a text may not have. */
function inPlaceOf({ fromA, toA, fromB, toB }: Chunk, other: Text, mine: Text): Replacement {
  const isAtEnd = toB > mine.length;
  const text = linesOf(other, fromA, toA);
  return {
    from: fromB,
    to: Math.min(toB, mine.length),
    insert: text === undefined ? '' : text + (isAtEnd ? '' : '\n'),
  };
}

function below({ fromA, toA, fromB, toB }: Chunk, other: Text, mine: Text): Replacement {
  const text = linesOf(other, fromA, toA);
  const isAtEnd = toB > mine.length;
  const at = Math.min(toB, mine.length);
  if (text === undefined) return { from: at, to: at, insert: '' };
  return { from: at, to: at, insert: isAtEnd && fromB < toB ? `\n${text}` : `${text}\n` };
}

/** Without their last line break; undefined if there are none. */
function linesOf(doc: Text, from: number, to: number): string | undefined {
  return from === to ? undefined : doc.sliceString(from, Math.max(from, to - 1));
}
