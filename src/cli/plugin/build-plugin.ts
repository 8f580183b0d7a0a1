import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { namedFiles, type PluginManifest } from '../../content/plugins/index.ts';
import { buildGuest, GUEST, GUEST_SOURCE } from './build-guest.ts';
import { buildPages } from './build-pages.ts';
import { filesIn, filesOfPlugin, isThere, MANIFEST, type PluginFiles } from './folder.ts';
import { readPluginManifest } from './manifest.ts';
import { hasErrors, type Problem, problem } from './problems.ts';
import { type PlacesIn, samePlaces } from './source-places.ts';

export interface BuiltPlugin {
  /** Null, as the files, if one of the problems is an error. */
  manifest: PluginManifest | null;
  /** The files of the plugin, by path. */
  files: PluginFiles | null;
  problems: Problem[];
  /** For what its guest says of places in its program. */
  placesIn: PlacesIn;
}

/**
 * Builds a plugin in memory: `public/` as it is, `src/` as scripts and guest. A folder without `src/` is a plugin
 * as it stands.
 */
export async function buildPlugin(folder: string, { forDevelopment = false } = {}): Promise<BuiltPlugin> {
  const { manifest, problems: faults } = await readPluginManifest(folder);
  if (manifest === null) return failed(faults);
  const made = (await isThere(join(folder, 'src')))
    ? await makeFiles(folder, manifest, forDevelopment)
    : { files: await filesOfPlugin(folder), problems: [], placesIn: samePlaces };
  const problems = [...faults, ...made.problems];
  if (!hasErrors(problems)) problems.push(...missing(manifest, made.files));
  return hasErrors(problems) ? failed(problems) : { ...made, manifest, problems };
}

const failed = (problems: Problem[]): BuiltPlugin => ({
  manifest: null,
  files: null,
  problems,
  placesIn: samePlaces,
});

async function makeFiles(folder: string, manifest: PluginManifest, forDevelopment: boolean) {
  const files = await filesIn(join(folder, 'public'));
  const pages = await buildPages(folder, forDevelopment);
  const guest = (await isThere(join(folder, GUEST_SOURCE))) ? await buildGuest(folder, manifest) : null;
  const built = new Map(pages.files).set(MANIFEST, await readFile(join(folder, MANIFEST)));
  if (guest?.ok) built.set(GUEST, guest.component);
  const problems = [...pages.problems, ...(guest === null || guest.ok ? [] : guest.problems)];
  for (const [path, content] of built) {
    if (files.has(path))
      problems.push(problem(`public/${path}`, 'a build makes a file of this name: rename one'));
    files.set(path, content);
  }
  return { files, problems, placesIn: guest?.ok ? guest.placesIn : samePlaces };
}

const missing = (manifest: PluginManifest, files: PluginFiles): Problem[] =>
  namedFiles(manifest)
    .filter((path) => !files.has(path))
    .map((path) =>
      problem(MANIFEST, `it names the file ${path}, which is neither in public/ nor made of src/`),
    );

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
