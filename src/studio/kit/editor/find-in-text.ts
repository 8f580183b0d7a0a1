import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  openSearchPanel,
  replaceAll,
  replaceNext,
  SearchQuery,
  search,
  setSearchQuery,
} from '@codemirror/search';
import { EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { EditorView, type Panel, type ViewUpdate } from '@codemirror/view';
import type { EditorMessages } from './messages.ts';
import { element, panelButton, panelStatus } from './widgets.ts';

/** Places beyond these are found, but not counted. */
const MOST = 5_000;

const theme = EditorView.theme({
  '.cm-searchMatch': { backgroundColor: 'var(--tint-warning)' },
  '.cm-searchMatch-selected': { outline: '2px solid var(--surface-warning-bg)' },
  '.ce-find': { display: 'grid', gap: '6px' },
  '.ce-find-row': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '6px' },
  '.ce-find-input': {
    flex: '1 1 8rem',
    minWidth: '0',
    minHeight: '28px',
    padding: '0 8px',
    border: '1px solid var(--surface-input-border)',
    borderRadius: '6px',
    backgroundColor: 'var(--surface-input-bg)',
  },
});

/** Any case is found. The library would also find letters without their accents, which it then does not replace. */
const queryOf = (text: string, replace: string): SearchQuery =>
  new SearchQuery({
    search: text,
    replace,
    literal: true,
    test: (match) => match.toLowerCase() === text.toLowerCase(),
  });

/** The place that is selected, from 1, or 0, and the number of places. */
function countOf(state: EditorState, query: SearchQuery): { place: number; count: number } {
  const { main } = state.selection;
  let [place, count] = [0, 0];
  const places = query.getCursor(state);
  for (let next = places.next(); !next.done && count < MOST; next = places.next()) {
    count += 1;
    if (next.value.from === main.from && next.value.to === main.to) place = count;
  }
  return { place, count };
}

/** Selects the place at or after the selection, or else the first. */
function goTo(view: EditorView, query: SearchQuery): void {
  const { from } = view.state.selection.main;
  const firstAfter = (position: number) => query.getCursor(view.state, position).next();
  const found = [from, 0]
    .values()
    .map(firstAfter)
    .find(({ done }) => !done);
  if (!found) return;
  view.dispatch({
    selection: { anchor: found.value.from, head: found.value.to },
    effects: EditorView.scrollIntoView(found.value.from, { y: 'center' }),
  });
}

function inputOf(label: string): HTMLInputElement {
  const input = element('input', 'ce-find-input');
  input.setAttribute('aria-label', label);
  input.setAttribute('placeholder', label);
  input.setAttribute('dir', 'auto');
  return input;
}

function rowOf(...parts: readonly HTMLElement[]): HTMLElement {
  const row = element('div', 'ce-find-row');
  row.append(...parts);
  return row;
}

function findPanel(view: EditorView, messages: EditorMessages): Panel {
  const input = inputOf(messages.find);
  input.type = 'search';
  // The library gives it the focus.
  input.setAttribute('main-field', 'true');
  const other = inputOf(messages.replaceWith);
  const count = panelStatus();
  const ask = () => {
    const query = queryOf(input.value, other.value);
    view.dispatch({ effects: setSearchQuery.of(query) });
    return query;
  };
  input.addEventListener('input', () => {
    const query = ask();
    if (query.valid) goTo(view, query);
  });
  other.addEventListener('input', ask);
  const end = () => {
    closeSearchPanel(view);
    view.focus();
  };
  const finding = rowOf(
    input,
    count,
    panelButton(messages.previous, () => findPrevious(view), '↑'),
    panelButton(messages.next, () => findNext(view), '↓'),
    panelButton(messages.close, end, '✕'),
  );
  const replacing = rowOf(
    other,
    panelButton(messages.replace, () => replaceNext(view)),
    panelButton(messages.replaceAll, () => replaceAll(view)),
  );
  const dom = element('div', 'ce-panel ce-find');
  dom.append(finding, ...(view.state.readOnly ? [] : [replacing]));
  dom.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    if (event.key === 'Escape') end();
    else if (event.key === 'Enter' && event.target === input)
      (event.shiftKey ? findPrevious : findNext)(view);
    else if (event.key === 'Enter' && event.target === other) replaceNext(view);
    else if (event.key === 'f' && (event.ctrlKey || event.metaKey)) input.select();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  const show = ({ state }: Pick<ViewUpdate, 'state'>) => {
    const query = getSearchQuery(state);
    if (input.value !== query.search) input.value = query.search;
    if (other.value !== query.replace) other.value = query.replace;
    const { place, count: all } = countOf(state, query);
    count.textContent = query.valid ? messages.found(place, all) : '';
  };
  show(view);
  return {
    dom,
    mount: () => input.select(),
    // Every place is counted, so not at each step of scrolling.
    update: (update) => {
      const isAsked = update.transactions.some(({ effects }) =>
        effects.some((one) => one.is(setSearchQuery)),
      );
      if (isAsked || update.docChanged || update.selectionSet) show(update);
    },
  };
}

const isAdded = StateField.define({ create: () => true, update: (value) => value });

const finding = (messages: EditorMessages): Extension => [
  isAdded,
  search({ literal: true, createPanel: (view) => findPanel(view, messages) }),
  EditorState.phrases.of(messages.findPhrases),
  theme,
];

/** Opens the search within a text, which begins with what is selected. */
export function openFind(view: EditorView, messages: EditorMessages): void {
  if (!view.state.field(isAdded, false))
    view.dispatch({ effects: StateEffect.appendConfig.of(finding(messages)) });
  const { replace } = getSearchQuery(view.state);
  openSearchPanel(view);
  // For a selection, the library begins a search that replaces with nothing.
  view.dispatch({ effects: setSearchQuery.of(queryOf(getSearchQuery(view.state).search, replace)) });
}
