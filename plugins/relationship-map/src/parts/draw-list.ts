import { h } from '../../../kit/dom.ts';
import { sentencesOf } from './describe.ts';
import type { Drawing } from './draw-map.ts';
import { type MapNode, type Relations, typesIn } from './relations.ts';

/** The same as the map, in words. */
export function drawList(relations: Relations, drawing: Drawing): HTMLElement {
  const types = typesIn(relations.nodes, relations.centre);
  const others = relations.nodes.filter(({ key }) => key !== relations.centre);
  return h(
    'div',
    { class: 'list' },
    ...types.map(([type]) =>
      h(
        'section',
        {},
        h('h2', {}, drawing.types.many(type)),
        h(
          'ul',
          {},
          ...others.filter((node) => node.type === type).map((node) => item(relations, node, drawing)),
        ),
      ),
    ),
  );
}

function item(relations: Relations, node: MapNode, { words, onOpen }: Drawing): HTMLElement {
  const open = (event: Event) => {
    event.preventDefault();
    onOpen(node);
  };
  const sentences = sentencesOf(relations, node, words).map((text) => h('li', {}, text));
  return h(
    'li',
    {},
    h('a', { href: `#${node.key}`, onclick: open }, node.name),
    h('ul', { class: 'quiet' }, ...sentences),
  );
}
