import '../../kit/plugin.css';
import './parts/map.css';
import { h, part, replace } from '../../kit/dom.ts';
import { reasonOf } from '../../kit/fault.ts';
import { type Context, canonry, type Graph } from '../../kit/host.ts';
import { speak } from '../../kit/texts.ts';
import { spelledOut, type TypeNames } from './parts/describe.ts';
import { drawList } from './parts/draw-list.ts';
import { drawMap } from './parts/draw-map.ts';
import { keyOf, relationsOf, typesIn } from './parts/relations.ts';
import { texts } from './parts/texts.ts';
import { drawTools, type View } from './parts/tools.ts';

const MOST_ENTRIES = 60;
const DEPTH = 2;

let language = speak(undefined);
let names: TypeNames = { one: spelledOut, many: spelledOut };
let view: View | null = null;
let isFar = true;
let shown: { centre: string; graph: Graph } | null = null;
/** What the view was drawn from; empty while it is a message. */
let drawn = '';
let turn = 0;
const hidden = new Set<string>();

const panel = canonry.panel({ autoHeight: false, onContext: (context) => void take(context) });

const words = () => texts[language];

function note(text: string): void {
  part('note').textContent = text;
}

/** Nothing but a message. */
function say(title: string, why = '', again?: () => void): void {
  drawn = '';
  note('');
  replace(part('tools'));
  replace(
    part('view'),
    h(
      'div',
      { class: 'empty' },
      h('p', {}, title),
      why === '' ? null : h('p', { class: 'quiet' }, why),
      again === undefined ? null : h('button', { type: 'button', onclick: again }, words().again),
    ),
  );
}

async function take(context: Context): Promise<void> {
  turn += 1;
  const own = turn;
  language = speak(context.language);
  const { entityType, entityId, data } = context;
  if (data === null || entityType === null) return say(words().notAllowed);
  if (entityId === null) return say(words().unsaved);
  if (shown === null) say(words().loading);
  try {
    if (view === null) await learn();
    const address = { entity_type: entityType, entity_id: entityId };
    const graph = await panel.call('entities.graph', { ...address, depth: DEPTH, limit: MOST_ENTRIES });
    if (own !== turn) return;
    shown = { centre: keyOf(entityType, entityId), graph };
    // After a save most graphs are as they were: whoever walks through it stays where they are.
    const next = JSON.stringify([language, shown]);
    if (next === drawn) return;
    drawn = next;
    draw();
  } catch (error) {
    if (own === turn) say(words().failed(reasonOf(error)), '', () => void take(context));
  }
}

/** Asks for the names of the types and the user’s settings. */
async function learn(): Promise<void> {
  const [{ entity_types }, settings] = await Promise.all([
    panel.call('types.list', {}),
    panel.call('settings.get', {}),
  ]);
  const typeOf = (type: string) => entity_types.find(({ entity_type }) => entity_type === type);
  names = {
    one: (type) => typeOf(type)?.label ?? spelledOut(type),
    many: (type) => typeOf(type)?.folder_name.split('/').at(-1) ?? spelledOut(type),
  };
  view = settings.view === 'list' ? 'list' : 'map';
}

function draw(): void {
  if (shown === null) return;
  const { centre, graph } = shown;
  const depth = isFar ? DEPTH : 1;
  const all = relationsOf(graph, centre, { hidden: new Set(), depth });
  if (all.nodes.length < 2) {
    say(words().nothing, words().nothingWhy);
    return;
  }
  const relations = relationsOf(graph, centre, { hidden, depth });
  const present = view ?? 'map';
  replace(
    part('tools'),
    ...drawTools({
      view: present,
      types: typesIn(all.nodes, centre),
      hidden,
      isFar,
      words: words(),
      names,
      onView: choose,
      onHide,
      onFar: (next) => {
        isFar = next;
        draw();
      },
    }),
  );
  note(noteOn(relations.nodes.length, graph));
  const drawing = {
    words: words(),
    types: names,
    onOpen: ({ type, id }: { type: string; id: string }) =>
      panel.navigate({ entityType: type, entityId: id }),
  };
  replace(part('view'), present === 'map' ? drawMap(relations, drawing) : drawList(relations, drawing));
}

function noteOn(count: number, { nodes, truncated }: Graph): string {
  if (count < 2) return words().allHidden;
  return truncated ? words().truncated(nodes.length) : '';
}

function onHide(type: string, isHidden: boolean): void {
  if (isHidden) hidden.add(type);
  else hidden.delete(type);
  draw();
}

function choose(next: View): void {
  view = next;
  draw();
  // It is a convenience: what is not remembered is chosen again.
  panel.call('settings.set_user', { values: { view: next } }).catch(() => undefined);
}
