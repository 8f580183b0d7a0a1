import type { Graph } from '../../../kit/host.ts';

export interface MapNode {
  /** `type:id` */
  key: string;
  type: string;
  id: string;
  name: string;
  /** Steps from the entry in the middle, which has 0. */
  hop: number;
}

/** All references from one entry to another. */
export interface MapLink {
  from: string;
  to: string;
  /** Names of fields, each once; `markdown_body` for the text. */
  fields: string[];
}

export interface Relations {
  centre: string;
  /** By steps, then by type and name: the same graph is always drawn the same way. */
  nodes: MapNode[];
  links: MapLink[];
}

export const keyOf = (type: string, id: string): string => `${type}:${id}`;

/** `allies.2.who` is the field `who`. */
export const fieldName = (path: string): string =>
  path
    .split(/[.[\]]+/)
    .filter((part) => part !== '' && !/^\d+$/.test(part))
    .at(-1) ?? path;

function joinLinks(edges: Graph['edges']): MapLink[] {
  const links = new Map<string, MapLink>();
  for (const { from, to, field } of edges) {
    if (from === to) continue;
    const link = links.get(`${from} ${to}`) ?? { from, to, fields: [] };
    const name = fieldName(field);
    if (!link.fields.includes(name)) link.fields.push(name);
    links.set(`${from} ${to}`, link);
  }
  return [...links.values()];
}

/** The number of steps to each entry, in whichever direction the references go. */
function hopsFrom(centre: string, links: readonly MapLink[]): Map<string, number> {
  const hops = new Map([[centre, 0]]);
  for (const [key, hop] of hops)
    for (const { from, to } of links) {
      const other = from === key ? to : to === key ? from : null;
      if (other !== null && !hops.has(other)) hops.set(other, hop + 1);
    }
  return hops;
}

const byPlace = (one: MapNode, other: MapNode): number =>
  one.hop - other.hop ||
  one.type.localeCompare(other.type) ||
  one.name.localeCompare(other.name) ||
  one.id.localeCompare(other.id);

export interface Filter {
  hidden: ReadonlySet<string>;
  /** Steps. */
  depth: number;
}

/** The part of a graph that can be reached from its middle over entries that are shown. */
export function relationsOf({ nodes, edges }: Graph, centre: string, { hidden, depth }: Filter): Relations {
  const shown = nodes
    .map(({ entity_type: type, entity_id: id, name }) => ({ key: keyOf(type, id), type, id, name }))
    .filter(({ key, type }) => key === centre || !hidden.has(type));
  const keys = new Set(shown.map(({ key }) => key));
  const links = joinLinks(edges.filter(({ from, to }) => keys.has(from) && keys.has(to)));
  const hops = hopsFrom(centre, links);
  const reached = shown.flatMap((node) => {
    const hop = hops.get(node.key);
    return hop !== undefined && hop <= depth ? [{ ...node, hop }] : [];
  });
  const left = new Set(reached.map(({ key }) => key));
  return {
    centre,
    nodes: reached.sort(byPlace),
    links: links.filter(({ from, to }) => left.has(from) && left.has(to)),
  };
}

/** The number of entries of each type, without the middle. */
export function typesIn(nodes: readonly Pick<MapNode, 'key' | 'type'>[], centre: string): [string, number][] {
  const counts = new Map<string, number>();
  for (const { key, type } of nodes) if (key !== centre) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].sort(([one], [other]) => one.localeCompare(other));
}

export const linksOf = ({ links }: Relations, key: string): MapLink[] =>
  links.filter(({ from, to }) => from === key || to === key);

/** For each entry a link to one that is a step nearer to the middle: with these alone, all are joined. */
export function mainLinks({ nodes, links }: Relations): Set<MapLink> {
  const hops = new Map(nodes.map(({ key, hop }) => [key, hop]));
  const joined = new Set<string>();
  const main = new Set<MapLink>();
  for (const link of links) {
    const [from = 0, to = 0] = [hops.get(link.from), hops.get(link.to)];
    const farther = from > to ? link.from : link.to;
    if (from === to || joined.has(farther)) continue;
    joined.add(farther);
    main.add(link);
  }
  return main;
}
