import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeUtf8 } from '../../content/frontmatter/index.ts';
import { type PluginManifest, readManifest } from '../../content/plugins/index.ts';
import { MANIFEST } from './folder.ts';
import { type Problem, problem } from './problems.ts';

export interface ReadPluginManifest {
  /** Null if, and only if, a problem is an error. */
  manifest: PluginManifest | null;
  problems: Problem[];
}

/** Read as an upload reads it. */
export async function readPluginManifest(folder: string): Promise<ReadPluginManifest> {
  const decoded = decodeUtf8(await readFile(join(folder, MANIFEST)));
  if (!decoded.ok)
    return { manifest: null, problems: [problem(MANIFEST, `no text in UTF-8: ${decoded.problem.reason}`)] };
  const { manifest, problems } = readManifest(decoded.text, { asUpload: true });
  return {
    manifest,
    problems: problems.map(({ severity, line, column, message }) => ({
      severity,
      path: MANIFEST,
      line,
      column,
      message,
    })),
  };
}
