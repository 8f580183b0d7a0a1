import {
  GLB_HEAD_BYTES,
  glbJsonLength,
  isBinaryFbx,
  type ModelFacts,
  readFbxFacts,
  readGltfFacts,
} from '../../content/assets/index.ts';
import { JobRefused } from '../../platform/jobs/handlers.ts';
import type { Project } from '../records/index.ts';
import type { AssetRow } from './assets.tables.ts';

const MB = 1024 * 1024;
/** Larger JSON parts and FBX files are not read (bytes). */
const LARGEST_JSON = 8 * MB;
const LARGEST_FBX = 64 * MB;

type FactsOf = (project: Project, row: AssetRow) => Promise<ModelFacts | null | undefined>;

const FACTS: Readonly<Record<string, FactsOf>> = {
  'model/gltf-binary': async (project, { path }) => {
    const length = glbJsonLength(await readPart(project, path, 0, GLB_HEAD_BYTES));
    return length === null ? undefined : gltfFacts(project, path, { start: GLB_HEAD_BYTES, length });
  },
  'model/gltf+json': (project, { path, size_bytes }) =>
    gltfFacts(project, path, { start: 0, length: size_bytes }),
  'application/vnd.autodesk.fbx': async (project, { path, size_bytes }) => {
    if (size_bytes > LARGEST_FBX) return undefined;
    const file = await project.files.read(path);
    return isBinaryFbx(file) ? readFbxFacts(file) : undefined;
  },
};

/** Reads the facts of a model; undefined for unsupported formats. Throws `JobRefused` for a damaged file. */
export async function modelFactsOf(project: Project, row: AssetRow): Promise<ModelFacts | undefined> {
  const facts = await FACTS[row.mime_type]?.(project, row);
  if (facts === null) throw new JobRefused('The model is damaged: what it holds cannot be read');
  return facts;
}

async function gltfFacts(
  project: Project,
  path: string,
  { start, length }: { start: number; length: number },
): Promise<ModelFacts | null | undefined> {
  if (length === 0 || length > LARGEST_JSON) return undefined;
  return readGltfFacts((await readPart(project, path, start, length)).toString('utf8'));
}

async function readPart(project: Project, path: string, start: number, length: number): Promise<Buffer> {
  const file = await project.files.open(path);
  const pieces: Uint8Array[] = [];
  for await (const piece of file.stream({ start, end: start + length - 1 }) as AsyncIterable<Uint8Array>)
    pieces.push(piece);
  return Buffer.concat(pieces);
}
