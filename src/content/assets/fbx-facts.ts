import type { ModelFacts } from './model-facts.ts';

const MAGIC = 'Kaydara FBX Binary  \0\x1a\0';
const VERSION_AT = 23;
const FIRST_NODE = 27;
/** From this version on, positions in the file take eight bytes. */
const WIDE_VERSION = 7500;
const AXES = 3;

/** Properties lie from `at` on, children from `inside` to `end`. */
interface FbxNode {
  name: string;
  at: number;
  inside: number;
  end: number;
}

const COUNTED = new Map<string, 'materials' | 'textures' | 'animations' | 'nodes'>([
  ['Material', 'materials'],
  ['Texture', 'textures'],
  ['AnimationStack', 'animations'],
  ['Model', 'nodes'],
]);

export const isBinaryFbx = (file: Uint8Array): boolean => textAt(file, 0, MAGIC.length) === MAGIC;

/** Null if the tree of nodes is damaged. Only the lengths of arrays are read, so nothing is unpacked. */
export function readFbxFacts(file: Uint8Array): ModelFacts | null {
  if (!isBinaryFbx(file) || file.length < FIRST_NODE) return null;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const version = view.getUint32(VERSION_AT, true);
  const facts = { meshes: 0, materials: 0, textures: 0, animations: 0, nodes: 0, vertices: 0 };
  let generator: string | null = null;
  try {
    for (const node of nodesIn(view, version, FIRST_NODE, file.length)) {
      if (node.name === 'Creator') generator = firstText(view, node.at)?.slice(0, 200) ?? null;
      if (node.name !== 'Objects') continue;
      for (const object of nodesIn(view, version, node.inside, node.end)) {
        const counted = COUNTED.get(object.name);
        if (counted !== undefined) facts[counted] += 1;
        if (object.name !== 'Geometry') continue;
        const parts = [...nodesIn(view, version, object.inside, object.end)];
        // The shapes that a mesh may take have no faces of their own.
        if (!parts.some(({ name }) => name === 'PolygonVertexIndex')) continue;
        facts.meshes += 1;
        for (const { at } of parts.filter(isVertices))
          facts.vertices += Math.floor(view.getUint32(at + 1, true) / AXES);
      }
    }
  } catch (error) {
    // A node beyond the end of the file, or longer than the node around it.
    if (error instanceof RangeError) return null;
    throw error;
  }
  return { version: (version / 1000).toFixed(1), generator, ...facts, bounds: null };
}

const isVertices = ({ name, at, inside }: FbxNode): boolean => name === 'Vertices' && inside > at;

function* nodesIn(view: DataView, version: number, from: number, to: number): Generator<FbxNode> {
  const width = version >= WIDE_VERSION ? 8 : 4;
  const number = (at: number): number =>
    width === 8 ? Number(view.getBigUint64(at, true)) : view.getUint32(at, true);
  for (let at = from; at + 3 * width < to; ) {
    const end = number(at);
    // A record of zeros ends the list.
    if (end === 0) return;
    const nameAt = at + 3 * width + 1;
    const properties = nameAt + view.getUint8(nameAt - 1);
    const inside = properties + number(at + 2 * width);
    if (inside > end || end > to || end <= at) throw new RangeError('a node is larger than what holds it');
    yield { name: textAt(view, nameAt, properties - nameAt), at: properties, inside, end };
    at = end;
  }
}

const firstText = (view: DataView, at: number): string | null =>
  textAt(view, at, 1) === 'S' ? textAt(view, at + 5, view.getUint32(at + 1, true)) : null;

function textAt({ buffer, byteOffset, byteLength }: ArrayBufferView, at: number, length: number): string {
  const start = Math.min(at, byteLength);
  const size = Math.min(length, byteLength - start);
  return new TextDecoder().decode(new Uint8Array(buffer, byteOffset + start, size));
}
