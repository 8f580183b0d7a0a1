import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeUtf8 } from '../../content/frontmatter/index.ts';
import {
  MANIFEST_LIMITS,
  type ManifestProblem,
  namedFiles,
  type PluginManifest,
  readManifest,
} from '../../content/plugins/index.ts';
import { badRequest, type HttpError, invalid, tooLarge } from '../../kit/errors.ts';
import { removeTree } from '../../kit/remove-tree.ts';
import { ArchiveError, type UnpackedFile, unpack, withoutPrefix } from '../../platform/archives/archives.ts';
import { isHiddenName } from '../../platform/files/paths.ts';
import { MANIFEST } from './plugin-rows.store.ts';
import { LARGEST_PLUGIN_ARCHIVE } from './plugins.contract.ts';

/** Spec 2 §8. */
const LIMITS = { packedBytes: LARGEST_PLUGIN_ARCHIVE, unpackedBytes: 100 * 1024 * 1024, entries: 10_000 };

export interface UnpackedPlugin {
  manifest: PluginManifest;
  files: readonly UnpackedFile[];
}

/**
 * Unpacks an upload into a folder beside it, which goes when the work is done. 400 for an archive that cannot be taken, 413 above the
 * limits, 422 for a manifest with faults.
 */
export async function withPlugin<Result>(
  archive: string,
  work: (plugin: UnpackedPlugin) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(archive, '..', 'plugin-'));
  try {
    const unpacked = await unpack(archive, folder, LIMITS).catch(refuse);
    // Hidden files are no part of a world: nobody would see them, or count their bytes.
    const files = withoutPrefix(unpacked, MANIFEST).filter(({ path }) => !path.split('/').some(isHiddenName));
    const main = files.find(({ path }) => path === MANIFEST);
    if (main === undefined) throw noManifest();
    return await work({ manifest: requireManifest(await readText(main), files), files });
  } finally {
    await removeTree(folder);
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof ArchiveError)) throw error;
  const code = 'invalid_archive';
  throw error.code === 'too_large' || error.code === 'too_many_entries'
    ? tooLarge(error.message, { code })
    : badRequest(error.message, { code });
}

async function readText({ file, size }: UnpackedFile): Promise<string> {
  if (size > MANIFEST_LIMITS.bytes)
    throw tooLarge(`${MANIFEST} has ${size} bytes; ${MANIFEST_LIMITS.bytes} are allowed`);
  const decoded = decodeUtf8(await readFile(file));
  if (decoded.ok) return decoded.text;
  throw invalid(`${MANIFEST} is no text in UTF-8: ${decoded.problem.reason}`, { code: 'invalid_manifest' });
}

function requireManifest(text: string, files: readonly UnpackedFile[]): PluginManifest {
  const { manifest, problems } = readManifest(text, { asUpload: true });
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (manifest === null || errors.length > 0) throw faulty(errors);
  const paths = new Set(files.map(({ path }) => path));
  const missing = namedFiles(manifest).find((path) => !paths.has(path));
  if (missing !== undefined)
    throw invalid(`${MANIFEST} names the file ${missing}, which is not in the archive`, {
      code: 'invalid_manifest',
    });
  return manifest;
}

function faulty(problems: readonly ManifestProblem[]): HttpError {
  const said = problems.map(({ message, line, column }) => `${message} (line ${line}, column ${column})`);
  return invalid(`${MANIFEST} cannot be used: ${said.slice(0, 5).join('; ')}`, {
    code: 'invalid_manifest',
    errors: problems.map(({ message, pointer, line }) => ({
      field: pointer === '' ? MANIFEST : pointer,
      message: `line ${line}: ${message}`,
    })),
  });
}

const noManifest = () =>
  badRequest(
    `The archive has no ${MANIFEST} at its root, nor in its only folder: pack the folder of the plugin`,
    { code: 'invalid_archive' },
  );
