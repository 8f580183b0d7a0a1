import type { ModelFacts } from './model-facts.ts';

export const GLB_HEAD_BYTES = 20;

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const AXES = 3;

type Json = Readonly<Record<string, unknown>>;

/** Null for a file that is no GLB. */
export function glbJsonLength(head: Uint8Array): number | null {
  if (head.length < GLB_HEAD_BYTES) return null;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const isGlb = view.getUint32(0, true) === MAGIC && view.getUint32(16, true) === JSON_CHUNK;
  return isGlb ? view.getUint32(12, true) : null;
}

/** Binary or not; null if it is no glTF. */
export function readGltfFacts(text: string): ModelFacts | null {
  const root = parsed(text);
  if (root === null) return null;
  const asset = objectIn(root.asset);
  const accessors = listIn(root.accessors);
  const positions = listIn(root.meshes)
    .flatMap((mesh) => listIn(mesh.primitives))
    .map((primitive) => objectIn(primitive.attributes).POSITION)
    .flatMap((index) => (typeof index === 'number' ? [objectIn(accessors[index])] : []));
  return {
    version: textIn(asset.version),
    generator: textIn(asset.generator),
    meshes: listIn(root.meshes).length,
    materials: listIn(root.materials).length,
    textures: listIn(root.textures).length,
    animations: listIn(root.animations).length,
    nodes: listIn(root.nodes).length,
    vertices: positions.reduce((sum, { count }) => sum + (typeof count === 'number' ? count : 0), 0),
    bounds: boundsOf(positions),
  };
}

function boundsOf(positions: readonly Json[]): ModelFacts['bounds'] {
  const corners = (name: 'min' | 'max') =>
    positions.flatMap((accessor) => (isPoint(accessor[name]) ? [accessor[name]] : []));
  const [lowest, highest] = [corners('min'), corners('max')];
  if (lowest.length === 0 || lowest.length !== highest.length) return null;
  const along = (points: readonly number[][], pick: (one: number, other: number) => number) =>
    points.reduce((found, point) => found.map((value, axis) => pick(value, point[axis] ?? value)));
  return { min: along(lowest, Math.min), max: along(highest, Math.max) };
}

const isPoint = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length === AXES && value.every((each) => Number.isFinite(each));

function parsed(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : null;
  } catch {
    return null;
  }
}

const objectIn = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {};
const listIn = (value: unknown): Json[] => (Array.isArray(value) ? value.map(objectIn) : []);
const textIn = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, 200) : null);
