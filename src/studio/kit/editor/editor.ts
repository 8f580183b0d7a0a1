import { history, historyKeymap, standardKeymap } from '@codemirror/commands';
import { Compartment, EditorSelection, EditorState, type Extension, Transaction } from '@codemirror/state';
import { EditorView, highlightSpecialChars, keymap } from '@codemirror/view';
import { linkCompletion } from './complete.ts';
import { emphasisKeys } from './emphasis-keys.ts';
import { findingMarks, marksReplaced } from './finding-marks.ts';
import { findHeading, headingAbove } from './headings.ts';
import { lineBreakOf, lineEnds, lineEndsOf } from './line-ends.ts';
import { linkKeys, linkPointer } from './links.ts';
import { listKeys } from './list-keys.ts';
import { markdown } from './markdown.ts';
import type { EditorMode, EditorOptions, Mark } from './options.ts';
import { pendingTexts } from './pending.ts';
import { shownPictures, takePictures } from './pictures.ts';
import { preview } from './preview.ts';
import { changesBetween, rebaseText } from './rebase-text.ts';
import { refresh } from './refresh.ts';
import { atRest } from './rest.ts';
import { textDirection } from './text-direction.ts';
import { theme } from './theme.ts';
import { element } from './widgets.ts';

/** Letters that cannot be seen, but for tabs, and carriage returns, which `lineEnds` hides. */
const SPECIAL =
  /(?![\t\r])[\p{Cc}\xad\u061c\u200b\u200e\u200f\u2028\u2029\u202d\u202e\u2066\u2067\u2069\ufeff\ufff9-\ufffc]/gu;

export interface Editor {
  /** With every byte as it was given, but for what was edited. */
  text(): string;
  /** Another text, with a history of its own. */
  setText(text: string): void;
  /**
   * Takes in what the server made of a text that it was sent. Edits made since then stay, as does the cursor; undo does
   * not take it back.
   */
  applyRemote(serverText: string, sentText: string): void;
  focus(): void;
  /** From 1. */
  goToLine(line: number): void;
  /** By the form that addresses use (`Place.heading`); false if there is no such heading. */
  goToHeading(heading: string): boolean;
  /** In the place of the selection. */
  insert(text: string): void;
  setMode(mode: EditorMode): void;
  setReadOnly(readOnly: boolean): void;
  setMarks(marks: readonly Mark[]): void;
  /** Names or pictures have changed: they are asked for again. */
  refresh(): void;
  destroy(): void;
}

let described = 0;

export function createEditor(options: EditorOptions): Editor {
  const lines = new Compartment();
  const appearance = new Compartment();
  const access = new Compartment();
  let { mode, readOnly } = options;
  described += 1;
  const description = element('p', 'ce-description', options.messages.description);
  description.id = `editor-description-${described}`;

  const shown = (): Extension => (mode === 'preview' ? [preview(options), shownPictures(options)] : []);

  const toggleMode = () => {
    setMode(mode === 'preview' ? 'source' : 'preview');
    options.onMode(mode);
    return true;
  };

  // Until the tools are there, and without them, the browser searches the page.
  const openSearch = (view: EditorView) => {
    tools?.openFind(view, options.messages);
    return tools !== undefined;
  };

  const offerLinks = (view: EditorView) => {
    void loadTools().then((loaded) => loaded?.offerLinks(view, options));
    return true;
  };

  const extensions = (): Extension => [
    access.of(accessOf(readOnly)),
    appearance.of(shown()),
    // Its keys come before those of the text.
    linkCompletion(options),
    keymap.of([
      { key: 'Mod-e', run: toggleMode },
      { key: 'Mod-f', run: openSearch },
      ...linkKeys(options),
      { key: 'Shift-Mod-l', run: offerLinks },
      ...emphasisKeys,
      ...listKeys,
      ...historyKeymap,
      ...standardKeymap,
    ]),
    history(),
    markdown,
    highlightSpecialChars({ specialChars: SPECIAL }),
    EditorView.lineWrapping,
    textDirection,
    linkPointer(options),
    pendingTexts,
    takePictures(options),
    findingMarks,
    leaving,
    loadingTools,
    theme,
    EditorView.contentAttributes.of({
      'aria-label': options.label,
      'aria-describedby': description.id,
      // Without it, not every tool for accessibility sees that the keyboard reaches it.
      tabindex: '0',
      lang: options.language,
      spellcheck: 'true',
      autocorrect: 'on',
      autocapitalize: 'sentences',
      translate: 'no',
    }),
    EditorView.updateListener.of(({ docChanged, transactions, state }) => {
      if (docChanged && !transactions.every(isRemote)) options.onChange(state.sliceDoc());
    }),
    atRest(({ state, hasFocus }) => {
      // A pointer that is released anywhere else is at rest too.
      if (!hasFocus) return;
      const { head, from, to } = state.selection.main;
      options.onCursor({
        heading: headingAbove(state, head),
        line: state.doc.lineAt(head).number,
        selection: { start: offsetOf(state, from), end: offsetOf(state, to) },
      });
    }),
  ];

  const stateOf = (text: string): EditorState =>
    EditorState.create({ doc: text, extensions: [lines.of(lineEnds(lineEndsOf(text))), extensions()] });

  const view = new EditorView({ parent: options.parent, state: stateOf(options.text) });
  view.dom.append(description);

  function setMode(next: EditorMode) {
    if (next === mode) return;
    mode = next;
    view.dispatch({ effects: appearance.reconfigure(shown()) });
  }

  const goTo = (position: number) => {
    const scroll = EditorView.scrollIntoView(position, { y: 'start', yMargin: 48 });
    view.dispatch({ selection: EditorSelection.cursor(position), effects: scroll });
    view.focus();
  };

  return {
    text: () => view.state.sliceDoc(),
    setText: (text) => view.setState(stateOf(text)),
    applyRemote(server, sent) {
      const merged = rebaseText({ sent, server, current: view.state.sliceDoc() });
      const kind = lineEndsOf(merged);
      const document = merged.split(lineBreakOf(kind)).join('\n');
      view.dispatch({
        changes: changesBetween(view.state.doc.toString(), document),
        effects: lines.reconfigure(lineEnds(kind)),
        annotations: [Transaction.remote.of(true), Transaction.addToHistory.of(false)],
      });
    },
    focus: () => view.focus(),
    goToLine: (line) => goTo(view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines))).from),
    goToHeading(heading) {
      const position = findHeading(view.state, heading);
      if (position !== undefined) goTo(position);
      return position !== undefined;
    },
    insert(text) {
      view.dispatch(view.state.replaceSelection(text), { userEvent: 'input', scrollIntoView: true });
    },
    setMode,
    setReadOnly(next) {
      if (next === readOnly) return;
      readOnly = next;
      view.dispatch({ effects: access.reconfigure(accessOf(next)) });
    },
    setMarks: (marks) => view.dispatch({ effects: marksReplaced(marks) }),
    refresh: () => view.dispatch({ effects: refresh.of(null) }),
    destroy: () => view.destroy(),
  };
}

const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta']);

const accessOf = (readOnly: boolean): Extension => [
  EditorState.readOnly.of(readOnly),
  readOnly ? EditorState.changeFilter.of(isRemote) : [],
];

const isRemote = (transaction: Transaction): boolean => transaction.annotation(Transaction.remote) === true;

/** After Escape, Tab leaves, however long one waits. */
const leaving = EditorView.domEventHandlers({
  keydown({ key }, view) {
    if (!MODIFIERS.has(key)) view.setTabFocusMode(key === 'Escape');
    return false;
  },
  blur(_event, view) {
    view.setTabFocusMode(false);
    return false;
  },
});

type Tools = typeof import('./late-tools.ts');

let tools: Tools | undefined;

async function loadTools(): Promise<Tools | undefined> {
  tools ??= await import('./late-tools.ts').catch(() => undefined);
  return tools;
}

/** Of the editor in an element. Focused as any other element, it could lose what is selected. */
export const focusEditor = (within: HTMLElement): void => EditorView.findFromDOM(within)?.focus();

const loadingTools = EditorView.domEventHandlers({ focus: () => void loadTools() });

/** The place in the text as it is written: the editor counts each line end as one character. */
const offsetOf = ({ doc, lineBreak }: EditorState, position: number): number =>
  position + (doc.lineAt(position).number - 1) * (lineBreak.length - 1);
