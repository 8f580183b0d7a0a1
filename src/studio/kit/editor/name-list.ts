import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completionStatus,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import { endOfLink, linkTo, type OpenLink, openLinkAt, writeBest, writeLink } from './open-link.ts';
import type { EditorOptions } from './options.ts';
import { replaceLater } from './pending.ts';
import { element } from './widgets.ts';

export { startCompletion as openNameList } from '@codemirror/autocomplete';

const SHOWN = 20;

export type NameListOptions = Pick<EditorOptions, 'names' | 'messages' | 'onMake'>;

interface EntityCompletion extends Completion {
  color?: string;
}

/** The name stands in the text as a link until there is an entity to link to. */
function make(view: EditorView, from: number, name: string, { onMake }: NameListOptions): void {
  const head = view.state.selection.main.head;
  const insert = `[[${name}]]`;
  const to = from + insert.length;
  view.dispatch({
    changes: { from, to: endOfLink(view.state, head), insert },
    selection: { anchor: to },
    userEvent: 'input.complete',
  });
  const text = onMake(name).then((made) => (made ? linkTo(made) : undefined));
  void replaceLater(view, { from, to }, text);
}

function optionsFor({ query, from }: OpenLink, options: NameListOptions): EntityCompletion[] {
  const found = options.names
    .search(query)
    .slice(0, SHOWN)
    .map((entity) => ({
      label: entity.name,
      // The space parts it from the name for screen readers.
      detail: ` ${entity.typeLabel}`,
      color: entity.color,
      apply: (view: EditorView) => writeLink(view, from, entity),
    }));
  const name = query.trim();
  if (name === '') return found;
  const apply = (view: EditorView) => make(view, from, name, options);
  return [...found, { label: options.messages.makeEntity(name), apply }];
}

const sourceOf =
  (options: NameListOptions) =>
  ({ state, pos }: CompletionContext): CompletionResult | null => {
    const open = openLinkAt(state, pos);
    return open ? { from: open.from + 2, options: optionsFor(open, options), filter: false } : null;
  };

function colorDot({ color }: EntityCompletion): Node | null {
  if (color === undefined) return null;
  const dot = element('span', 'ce-dot');
  dot.style.setProperty('--entity-color', color);
  return dot;
}

/** Below an open link: the entities that it may lead to, and to make one. */
export const nameList = (options: NameListOptions): Extension => [
  autocompletion({
    override: [sourceOf(options)],
    icons: false,
    activateOnTypingDelay: 0,
    interactionDelay: 0,
    addToOptions: [{ render: colorDot, position: 20 }],
  }),
  keymap.of([
    // Enter takes the best name even if the user types faster than the list opens.
    {
      key: 'Enter',
      run: (view) => acceptCompletion(view) || (isOpening(view) && writeBest(view, options.names)),
    },
    { key: 'Tab', run: acceptCompletion },
  ]),
];

const isOpening = ({ state }: EditorView): boolean => completionStatus(state) === 'pending';
