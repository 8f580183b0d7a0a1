export interface GraphNode {
  entity_type: string;
  entity_id: string;
  name: string;
  degree: number;
}

export interface GraphEdge {
  /** `type:id` */
  from: string;
  to: string;
}

export interface PlacedNode extends GraphNode {
  key: string;
  x: number;
  y: number;
  side: 'start' | 'end';
}

export interface Line {
  key: string;
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  isToCentre: boolean;
}

export interface Neighbourhood {
  nodes: PlacedNode[];
  lines: Line[];
  /** Neighbours beyond those. */
  omitted: number;
  /** Half of what the picture needs. */
  radiusX: number;
  radiusY: number;
}

export const MOST_NEIGHBOURS = 30;
const ROW = 26;
const LEAST_RADIUS = 90;

export const nodeKey = ({ entity_type, entity_id }: Pick<GraphNode, 'entity_type' | 'entity_id'>): string =>
  `${entity_type}:${entity_id}`;

/**
 * The neighbours with the most references on a ring around the centre, which is at 0, 0. They are spread evenly from top
 * to bottom on both sides, so that names stand beside them without touching.
 */
export function neighbourhoodOf(
  centre: string,
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
): Neighbourhood {
  const neighbours = nodes.filter((node) => nodeKey(node) !== centre);
  const shown = neighbours.toSorted((one, other) => other.degree - one.degree).slice(0, MOST_NEIGHBOURS);
  const ordered = shown.toSorted(
    (one, other) => one.entity_type.localeCompare(other.entity_type) || one.name.localeCompare(other.name),
  );
  const half = Math.ceil(ordered.length / 2);
  const radiusY = Math.max(LEAST_RADIUS, (half * ROW) / 2);
  const radiusX = Math.max(LEAST_RADIUS, radiusY * 0.85);
  const placed = ordered.map((node, index) => {
    const isEnd = index < half;
    const [place, count] = isEnd ? [index, half] : [index - half, ordered.length - half];
    const y =
      count === 1
        ? 0
        : (place / (count - 1) - 0.5) * (count - 1) * Math.min(ROW * 1.6, (2 * radiusY) / count);
    const x = radiusX * Math.sqrt(Math.max(0.08, 1 - (y / (radiusY * 1.04)) ** 2));
    return {
      ...node,
      key: nodeKey(node),
      x: isEnd ? x : -x,
      y,
      side: isEnd ? ('end' as const) : ('start' as const),
    };
  });
  return {
    nodes: placed,
    lines: linesOf(centre, placed, edges),
    omitted: neighbours.length - shown.length,
    radiusX,
    radiusY,
  };
}

/** One line for all references between two entities. */
function linesOf(centre: string, placed: readonly PlacedNode[], edges: readonly GraphEdge[]): Line[] {
  const places = new Map([
    [centre, { x: 0, y: 0 }],
    ...placed.map(({ key, x, y }) => [key, { x, y }] as const),
  ]);
  const lines = new Map<string, Line>();
  for (const { from, to } of edges) {
    const [one, other] = from < to ? [from, to] : [to, from];
    const [start, end] = [places.get(one), places.get(other)];
    if (!start || !end || one === other) continue;
    const key = `${one} ${other}`;
    const isToCentre = one === centre || other === centre;
    lines.set(key, { key, x1: start.x, y1: start.y, x2: end.x, y2: end.y, isToCentre });
  }
  return [...lines.values()];
}
