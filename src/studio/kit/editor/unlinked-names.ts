import {
  type ChangeDesc,
  type ChangeSpec,
  type EditorState,
  type Extension,
  StateEffect,
  StateField,
} from '@codemirror/state';
import { Decoration, EditorView, type Panel, showPanel } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { linkTo } from './open-link.ts';
import type { EditorOptions, NameInText } from './options.ts';
import { parsedTo } from './parsed-text.ts';
import { element, panelButton, panelStatus } from './widgets.ts';

const NO_PLACE = /Link|URL|Image|Code|HTML|Comment/;
const offered = Decoration.mark({ class: 'ce-offer' });

type OfferOptions = Pick<EditorOptions, 'names' | 'messages'>;

/** Empty: none are offered. */
type Offers = readonly NameInText[];

const offer = StateEffect.define<Offers>();

const offers = StateField.define<Offers>({
  create: () => [],
  update(value, { effects, docChanged, changes }) {
    const moved = docChanged ? movedOffers(value, changes) : value;
    return effects.reduce((list, effect) => (effect.is(offer) ? effect.value : list), moved);
  },
  provide: (field) =>
    EditorView.decorations.from(field, (list) =>
      Decoration.set(list.map(({ from, to }) => offered.range(from, to))),
    ),
});

function movedOffers(value: Offers, changes: ChangeDesc): Offers {
  return value
    .map((name) => ({ ...name, from: changes.mapPos(name.from, 1), to: changes.mapPos(name.to, -1) }))
    .filter(({ from, to }) => from < to);
}

function unlinkedIn(state: EditorState, { names }: OfferOptions): Offers {
  const tree = parsedTo(state, state.doc.length);
  return names.findIn(state.doc.toString()).filter(({ from }) => {
    for (let node: SyntaxNode | null = tree.resolveInner(from, 1); node; node = node.parent)
      if (NO_PLACE.test(node.name)) return false;
    return true;
  });
}

function linkOf({ doc }: EditorState, { from, to, entity }: NameInText): string {
  const written = doc.sliceString(from, to);
  const link = linkTo(entity);
  return written === entity.name ? link : link.replace(']]', `|${written}]]`);
}

/** The next one is selected, so that it is in view. */
function offerNext(view: EditorView, list: Offers, changes: ChangeSpec = []): void {
  const [next] = list;
  view.dispatch({
    changes,
    effects: offer.of(list),
    userEvent: 'input.link',
    ...(next && { selection: { anchor: next.from, head: next.to }, scrollIntoView: true }),
  });
  if (!next) view.focus();
}

function link(view: EditorView, list: Offers, rest: Offers): void {
  const { state } = view;
  const changes = state.changes(
    list.map((name) => ({ from: name.from, to: name.to, insert: linkOf(state, name) })),
  );
  offerNext(view, movedOffers(rest, changes), changes);
}

function offersPanel(view: EditorView, { messages }: OfferOptions): Panel {
  const dom = element('div', 'ce-panel');
  const count = panelStatus();
  const list = () => view.state.field(offers);
  const one = panelButton('', () => link(view, list().slice(0, 1), list().slice(1)));
  const show = () => {
    const [first] = list();
    count.textContent = messages.unlinkedNames(list().length);
    one.textContent = first ? messages.linkOne(first.entity.name) : '';
  };
  const skip = panelButton(messages.skip, () => offerNext(view, list().slice(1)));
  const all = panelButton(messages.linkAll, () => link(view, list(), []));
  const close = panelButton(messages.close, () => offerNext(view, []));
  dom.append(count, one, skip, all, close);
  dom.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') offerNext(view, []);
  });
  return { dom, mount: () => one.focus(), update: show };
}

const offering = (options: OfferOptions): Extension => {
  const panel = (view: EditorView) => offersPanel(view, options);
  return [offers, showPanel.from(offers, (list) => (list.length > 0 ? panel : null))];
};

/** Offers links for names that stand in the text as mere words, one after another or all at once. */
export function offerLinks(view: EditorView, options: OfferOptions): void {
  if (view.state.readOnly) return;
  if (!view.state.field(offers, false))
    view.dispatch({ effects: StateEffect.appendConfig.of(offering(options)) });
  offerNext(view, unlinkedIn(view.state, options));
}
