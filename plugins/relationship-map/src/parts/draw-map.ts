import { s } from '../../../kit/dom.ts';
import { labelsOf, sentencesOf, type TypeNames } from './describe.ts';
import { labelOf, layoutOf, type Place, shortened } from './layout.ts';
import { linksOf, type MapLink, type MapNode, mainLinks, type Relations, typesIn } from './relations.ts';
import type { Words } from './texts.ts';

export interface Drawing {
  words: Words;
  types: TypeNames;
  onOpen: (node: MapNode) => void;
}

const COLOURS = ['primary', 'accent', 'info', 'success', 'warning', 'secondary', 'error'];
/** So few names of relations do not cover each other. */
const MOST_NAMED = 8;
/** If there are more lines than this, those that join nothing new are fainter. */
const MOST_STRONG = 40;
/** The place of a name on its line: there is more room farther from the middle. */
const OUTWARD = 0.58;

/** A picture of the relations. Its entries are links: one is in the order of Tab, arrow keys lead to the others. */
export function drawMap(relations: Relations, drawing: Drawing): SVGElement {
  const { places, reach } = layoutOf(relations);
  const { words } = drawing;
  const types = typesIn(relations.nodes, relations.centre).map(([type]) => type);
  const placeOf = new Map(places.map((place) => [place.node.key, place]));
  const main = relations.links.length > MOST_STRONG ? mainLinks(relations) : new Set(relations.links);
  const looks = (link: MapLink) => {
    if (relations.links.length <= MOST_NAMED) return 'edge named';
    return main.has(link) ? 'edge' : 'edge faint';
  };
  const edges = relations.links.map((link) => ({
    link,
    element: drawEdge(link, placeOf, words, looks(link)),
  }));
  const entries = places.map((place) => drawEntry(place, relations, drawing, types));
  const centre = places.find(({ node }) => node.key === relations.centre);
  const svg = s(
    'svg',
    {
      class: 'map',
      role: 'group',
      'aria-label': words.mapOf(centre?.node.name ?? '', relations.nodes.length - 1),
      viewBox: [-reach, -reach, 2 * reach, 2 * reach].join(' '),
      width: 2 * reach,
      height: 2 * reach,
    },
    ...edges.map(({ element }) => element),
    ...entries,
  );
  letKeysMove(entries);
  const light = (key: string | null) => {
    const near = new Set(key === null ? [] : linksOf(relations, key));
    for (const { link, element } of edges) {
      element.classList.toggle('near', near.has(link));
      element.classList.toggle('told', near.has(link) && near.size <= MOST_NAMED);
    }
    svg.classList.toggle('some', near.size > 0);
  };
  for (const [at, entry] of entries.entries()) {
    const key = places[at]?.node.key ?? null;
    for (const event of ['focus', 'mouseenter']) entry.addEventListener(event, () => light(key));
    for (const event of ['blur', 'mouseleave']) entry.addEventListener(event, () => light(null));
  }
  return svg;
}

function drawEdge(link: MapLink, placeOf: ReadonlyMap<string, Place>, words: Words, look: string) {
  const [from, to] = [placeOf.get(link.from), placeOf.get(link.to)];
  const [x1, y1, x2, y2] = [from?.x ?? 0, from?.y ?? 0, to?.x ?? 0, to?.y ?? 0];
  const at = (from?.node.hop ?? 0) < (to?.node.hop ?? 0) ? OUTWARD : 1 - OUTWARD;
  const middle = { x: x1 + (x2 - x1) * at, y: y1 + (y2 - y1) * at - 3 };
  return s(
    'g',
    { class: look, 'aria-hidden': 'true' },
    s('line', { x1, y1, x2, y2 }),
    s('text', { ...middle, 'text-anchor': 'middle' }, shortened(labelsOf(link, words))),
  );
}

function drawEntry(place: Place, relations: Relations, { words, types, onOpen }: Drawing, order: string[]) {
  const { node, x, y } = place;
  const isCentre = node.key === relations.centre;
  const colour = isCentre ? 'centre' : (COLOURS[order.indexOf(node.type) % COLOURS.length] ?? '');
  const label = labelOf(place);
  const said = words.node(node.name, types.one(node.type), sentencesOf(relations, node, words).join('; '));
  const open = () => onOpen(node);
  return s(
    'g',
    {
      class: `entry ${colour}`,
      role: 'link',
      tabindex: isCentre ? 0 : -1,
      'aria-label': said,
      transform: `translate(${x} ${y})`,
      onclick: open,
      onkeydown: (event) => {
        if (!(event instanceof KeyboardEvent) || (event.key !== 'Enter' && event.key !== ' ')) return;
        event.preventDefault();
        open();
      },
    },
    s('title', {}, said),
    s('circle', { r: isCentre ? 14 : 8 }),
    s(
      'text',
      { x: label.x, y: label.y, 'text-anchor': label.anchor, transform: `rotate(${label.turn})` },
      shortened(node.name),
    ),
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

function letKeysMove(entries: readonly SVGElement[]): void {
  const go = (to: number) => {
    for (const [at, entry] of entries.entries()) entry.setAttribute('tabindex', at === to ? '0' : '-1');
    entries[to]?.focus();
  };
  for (const [at, entry] of entries.entries())
    entry.addEventListener('keydown', (event) => {
      const step = STEPS[event.key];
      const to = { Home: 0, End: entries.length - 1 }[event.key] ?? (step === undefined ? null : at + step);
      if (to === null) return;
      event.preventDefault();
      go((to + entries.length) % entries.length);
    });
}
