import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { namedFiles, type PluginManifest } from '../../content/plugins/index.ts';
import { buildGuest, GUEST, GUEST_SOURCE } from './build-guest.ts';
import { buildPages } from './build-pages.ts';
import { filesIn, filesOfPlugin, isThere, MANIFEST, type PluginFiles } from './folder.ts';
import { readPluginManifest } from './manifest.ts';
import { hasErrors, type Problem, problem } from './problems.ts';

export interface BuiltPlugin {
  /** Null, as the files, if one of the problems is an error. */
  manifest: PluginManifest | null;
  /** What belongs to the plugin, by path. */
  files: PluginFiles | null;
  problems: Problem[];
}

/**
 * Builds a plugin in memory: `public/` as it is, `src/` as scripts and guest. A folder without `src/` is a plugin as it stands.
 */
export async function buildPlugin(folder: string, { forDevelopment = false } = {}): Promise<BuiltPlugin> {
  const { manifest, problems } = await readPluginManifest(folder);
  if (manifest === null) return { manifest, files: null, problems };
  const made = (await isThere(join(folder, 'src')))
    ? await makeFiles(folder, manifest, forDevelopment)
    : { files: await filesOfPlugin(folder), problems: [] };
  const all = [...problems, ...made.problems];
  if (!hasErrors(all)) all.push(...missing(manifest, made.files));
  return hasErrors(all)
    ? { manifest: null, files: null, problems: all }
    : { manifest, files: made.files, problems: all };
}

async function makeFiles(folder: string, manifest: PluginManifest, forDevelopment: boolean) {
  const files = await filesIn(join(folder, 'public'));
  const pages = await buildPages(folder, forDevelopment);
  const problems = [...pages.problems];
  const built = new Map(pages.files).set(MANIFEST, await readFile(join(folder, MANIFEST)));
  if (await isThere(join(folder, GUEST_SOURCE))) {
    const guest = await buildGuest(folder, manifest);
    if (guest.ok) built.set(GUEST, guest.component);
    else problems.push(...guest.problems);
  }
  for (const [path, content] of built) {
    if (files.has(path)) problems.push(problem(`public/${path}`, 'a build makes a file of this name: rename one'));
    files.set(path, content);
  }
  return { files, problems };
}

const missing = (manifest: PluginManifest, files: PluginFiles): Problem[] =>
  namedFiles(manifest)
    .filter((path) => !files.has(path))
    .map((path) => problem(MANIFEST, `it names the file ${path}, which is neither in public/ nor made of src/`));

/** Replaces `dist/` in one step. */
export async function writeDist(folder: string, files: PluginFiles): Promise<string> {
  const dist = join(folder, 'dist');
  const aside = join(folder, '.canonry', `dist-${process.pid}`);
  await rm(aside, { recursive: true, force: true });
  for (const [path, content] of files) {
    await mkdir(dirname(join(aside, path)), { recursive: true });
    await writeFile(join(aside, path), content);
  }
  await rm(dist, { recursive: true, force: true });
  await rename(aside, dist);
  return dist;
}
