import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { sha256Hex } from '../../kit/crypto.ts';
import { HttpError } from '../../kit/errors.ts';
import { withPlugin } from '../../world/plugins/index.ts';
import { LARGEST_PLUGIN_ARCHIVE } from '../../world/plugins/plugins.contract.ts';
import { type CliContext, CommandError, EXIT, type ExitCode, writeJson, writeLine } from '../context.ts';
import { typedPath } from '../project.ts';
import { count, styled } from '../terminal.ts';
import { placeBuilt, shownSize } from './build.ts';
import { buildPlugin } from './build-plugin.ts';
import { pluginFolder } from './folder.ts';
import { printProblems } from './problems.ts';
import { zipOf } from './zip.ts';

export interface PackOptions {
  out?: string;
  json?: boolean;
}

/** Makes the archive of a plugin, and reads it as an upload would. */
export async function pack(
  context: CliContext,
  typed: string | undefined,
  { out, json }: PackOptions,
): Promise<ExitCode> {
  const folder = await pluginFolder(context, typed);
  const built = await buildPlugin(folder);
  const { manifest, files, problems } = built;
  if (manifest === null || files === null) {
    if (json) writeJson(context, { file: null, problems });
    else printProblems(context, problems);
    return EXIT.findings;
  }
  await placeBuilt(folder, built);
  const file =
    out === undefined ? join(folder, `${manifest.id}-${manifest.version}.zip`) : typedPath(context, out);
  const bytes = await zipOf(files);
  await place(file, bytes);
  const warning = warningAbout(bytes.length);
  const facts = { file, size: bytes.length, sha256: sha256Hex(bytes), files: files.size };
  if (json) writeJson(context, { ...facts, problems, warning });
  else {
    printProblems(context, problems);
    writeLine(context, `${file}: ${count(files.size, 'file')}, ${shownSize(bytes.length)}`);
    writeLine(context, `SHA-256 ${facts.sha256}`);
    if (warning !== null) writeLine(context, styled(context, 'yellow', warning));
  }
  return warning === null ? EXIT.ok : EXIT.findings;
}

/** Null for an archive that can be uploaded. */
export const warningAbout = (size: number): string | null =>
  size > LARGEST_PLUGIN_ARCHIVE
    ? `It is larger than ${shownSize(LARGEST_PLUGIN_ARCHIVE)}, so no service will take it: leave something out`
    : null;

/** The file appears once an upload would take it; one that is only too large is kept, to be looked at. */
async function place(file: string, bytes: Uint8Array): Promise<void> {
  const aside = await mkdtemp(join(dirname(file), '.canonry-pack-')).catch((error: Error) => {
    throw new CommandError(`${file} cannot be written: ${error.message}`, { cause: error });
  });
  try {
    const archive = join(aside, basename(file));
    await writeFile(archive, bytes);
    if (warningAbout(bytes.length) === null) await requireFit(archive);
    await rename(archive, file);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function requireFit(archive: string): Promise<void> {
  await withPlugin(archive, async () => {}).catch((error: unknown) => {
    if (!(error instanceof HttpError)) throw error;
    throw new CommandError(`an upload would refuse it: ${error.message}`, { cause: error });
  });
}
