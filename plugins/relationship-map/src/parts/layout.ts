import type { MapNode, Relations } from './relations.ts';

export interface Place {
  node: MapNode;
  x: number;
  y: number;
  /** From the middle, in radians, clockwise from the top; 0 for the middle itself. */
  angle: number;
  /** Labels along the radius never cover each other. Where there is room they are level. */
  isRadial: boolean;
}

export interface Layout {
  places: Place[];
  /** From the middle to each edge of the picture. */
  reach: number;
}

const FIRST_RADIUS = 130;
const NEXT_RADIUS = 165;
const LABEL_ROOM = 165;
/** Along a ring, between two labels. */
const SPACING = 19;
const MOST_LEVEL = 9;

/** Rings around the middle, one for each step, with entries of one type side by side. */
export function layoutOf({ nodes }: Relations): Layout {
  const rings = Map.groupBy(nodes, ({ hop }) => hop);
  const places: Place[] = [];
  let radius = 0;
  for (const hop of [...rings.keys()].sort((one, other) => one - other)) {
    const ring = rings.get(hop) ?? [];
    if (hop > 0) {
      const usual = hop === 1 ? FIRST_RADIUS : radius + NEXT_RADIUS;
      radius = Math.max(usual, (ring.length * SPACING) / (2 * Math.PI));
    }
    places.push(...placesOn(ring, hop, radius));
  }
  return { places, reach: radius + LABEL_ROOM };
}

function placesOn(ring: readonly MapNode[], hop: number, radius: number): Place[] {
  const step = (2 * Math.PI) / ring.length;
  // Rings begin at other angles, so that an entry does not hide behind the one within.
  const turn = hop % 2 === 0 ? step / 2 : 0;
  const isRadial = hop > 0 && ring.length > MOST_LEVEL;
  return ring.map((node, at) => {
    const angle = hop === 0 ? 0 : at * step + turn;
    return { node, x: radius * Math.sin(angle), y: -radius * Math.cos(angle), angle, isRadial };
  });
}

export interface Label {
  x: number;
  y: number;
  anchor: 'start' | 'middle' | 'end';
  /** Degrees, around the entry. */
  turn: number;
}

const OFF = 14;

/** The place of an entry’s name, from the entry: outside of its ring. */
export function labelOf({ node, angle, isRadial }: Place): Label {
  if (node.hop === 0) return { x: 0, y: 32, anchor: 'middle', turn: 0 };
  const isLeft = Math.sin(angle) < -1e-9;
  if (isRadial) {
    const turn = (angle * 180) / Math.PI - 90;
    return isLeft
      ? { x: -OFF, y: 4, anchor: 'end', turn: turn + 180 }
      : { x: OFF, y: 4, anchor: 'start', turn };
  }
  const [across, up] = [Math.sin(angle), Math.cos(angle)];
  if (Math.abs(across) < 0.35) return { x: 0, y: up > 0 ? -OFF : OFF + 10, anchor: 'middle', turn: 0 };
  return { x: across > 0 ? OFF : -OFF, y: 4, anchor: across > 0 ? 'start' : 'end', turn: 0 };
}

const LONGEST = 22;

export function shortened(name: string): string {
  const letters = [...name];
  return letters.length <= LONGEST
    ? name
    : `${letters
        .slice(0, LONGEST - 1)
        .join('')
        .trimEnd()}…`;
}
