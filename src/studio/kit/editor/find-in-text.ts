import { type EditorState, type Extension, type Range, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, type Panel, showPanel, type ViewUpdate } from '@codemirror/view';
import type { EditorMessages } from './messages.ts';
import { element, panelButton, panelStatus } from './widgets.ts';

interface Place {
  from: number;
  to: number;
}

interface Search {
  text: string;
  places: readonly Place[];
}

/** Null ends the search. */
const search = StateEffect.define<string | null>();

const MOST = 5_000;

function placesOf({ doc }: EditorState, text: string): Place[] {
  if (text === '') return [];
  const pattern = new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
  const places: Place[] = [];
  for (const { 0: found, index } of doc.toString().matchAll(pattern)) {
    places.push({ from: index, to: index + found.length });
    if (places.length === MOST) break;
  }
  return places;
}

const searched = StateField.define<Search | null>({
  create: () => null,
  update(value, { effects, docChanged, state }) {
    let text = value?.text ?? null;
    for (const effect of effects) if (effect.is(search)) text = effect.value;
    if (text === null) return null;
    return text === value?.text && !docChanged ? value : { text, places: placesOf(state, text) };
  },
});

const isAt = ({ selection: { main } }: EditorState, { from, to }: Place): boolean =>
  main.from === from && main.to === to;

const found = Decoration.mark({ class: 'ce-found' });
const foundHere = Decoration.mark({ class: 'ce-found ce-found-here' });

const marks = EditorView.decorations.compute([searched, 'selection'], (state) =>
  Decoration.set(
    (state.field(searched)?.places ?? []).map(
      (place): Range<Decoration> => (isAt(state, place) ? foundHere : found).range(place.from, place.to),
    ),
  ),
);

const theme = EditorView.theme({
  '.ce-found': { backgroundColor: 'var(--tint-warning)' },
  '.ce-found-here': { outline: '2px solid var(--surface-warning-bg)' },
  '.ce-find': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '6px' },
  '.ce-find-input': {
    flex: '1 1 10rem',
    minHeight: '28px',
    padding: '0 8px',
    border: '1px solid var(--surface-input-border)',
    borderRadius: '6px',
    backgroundColor: 'var(--surface-input-bg)',
  },
});

/** Selects the place at or after a position, or else the first; backwards the one before it, or the last. */
function goTo(view: EditorView, position: number, by: 1 | -1): void {
  const places = view.state.field(searched)?.places ?? [];
  const next =
    by === 1
      ? (places.find(({ from }) => from >= position) ?? places[0])
      : (places.findLast(({ to }) => to <= position) ?? places.at(-1));
  if (!next) return;
  view.dispatch({
    selection: { anchor: next.from, head: next.to },
    effects: EditorView.scrollIntoView(next.from, { y: 'center' }),
  });
}

function end(view: EditorView): void {
  view.dispatch({ effects: search.of(null) });
  view.focus();
}

function findPanel(view: EditorView, messages: EditorMessages): Panel {
  const dom = element('div', 'ce-panel ce-find');
  const input = element('input', 'ce-find-input');
  input.type = 'search';
  input.setAttribute('aria-label', messages.find);
  input.setAttribute('dir', 'auto');
  const count = panelStatus();
  const step = (by: 1 | -1) => {
    const { from, to } = view.state.selection.main;
    goTo(view, by === 1 ? to : from, by);
  };
  input.addEventListener('input', () => {
    view.dispatch({ effects: search.of(input.value) });
    goTo(view, view.state.selection.main.from, 1);
  });
  dom.append(
    input,
    count,
    panelButton(messages.previous, () => step(-1)),
    panelButton(messages.next, () => step(1)),
    panelButton(messages.close, () => end(view)),
  );
  dom.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    if (event.key === 'Escape') end(view);
    else if (event.key === 'Enter' && event.target === input) step(event.shiftKey ? -1 : 1);
    else if (event.key === 'f' && (event.ctrlKey || event.metaKey)) input.select();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  const show = ({ state }: Pick<ViewUpdate, 'state'>) => {
    const { text = '', places = [] } = state.field(searched) ?? {};
    if (input.value !== text) input.value = text;
    const at = places.findIndex((place) => isAt(state, place)) + 1;
    count.textContent = text === '' ? '' : messages.found(at, places.length);
  };
  show(view);
  return { dom, mount: () => input.select(), update: show };
}

const finding = (messages: EditorMessages): Extension => {
  const panel = (view: EditorView) => findPanel(view, messages);
  return [
    searched,
    marks,
    theme,
    showPanel.compute([searched], (state) => (state.field(searched) === null ? null : panel)),
  ];
};

/** Opens the search within a text, which begins with what is selected. */
export function openFind(view: EditorView, messages: EditorMessages): void {
  const { state } = view;
  const { from, to } = state.selection.main;
  const selected = state.sliceDoc(from, Math.min(to, from + 200));
  const isThere = state.field(searched, false) !== undefined;
  view.dispatch({
    effects: [
      ...(isThere ? [] : [StateEffect.appendConfig.of(finding(messages))]),
      search.of(selected.includes('\n') ? '' : selected),
    ],
  });
  view.dom.querySelector<HTMLInputElement>('.ce-find-input')?.select();
}
