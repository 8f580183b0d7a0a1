import { join } from 'node:path';
import { type CliContext, EXIT, type ExitCode, writeJson, writeLine } from '../context.ts';
import { columns, count } from '../terminal.ts';
import { type BuiltPlugin, buildPlugin, writeDist } from './build-plugin.ts';
import { isThere, type PluginFiles, pluginFolder } from './folder.ts';
import { printProblems } from './problems.ts';

/** A failed build leaves `dist/` as it was. */
export async function build(
  context: CliContext,
  typed: string | undefined,
  { json }: { json?: boolean },
): Promise<ExitCode> {
  const folder = await pluginFolder(context, typed);
  const built = await buildPlugin(folder);
  const dist = await placeBuilt(folder, built);
  const sizes = sizesOf(built.files ?? new Map());
  if (json) writeJson(context, { folder: dist, problems: built.problems, files: sizes });
  else {
    printProblems(context, built.problems);
    if (built.files !== null) {
      const total = sizes.reduce((sum, { size }) => sum + size, 0);
      writeLine(context, `${dist}: ${count(sizes.length, 'file')}, ${shownSize(total)}`);
      for (const line of columns(sizes.map(({ path, size }) => [`  ${path}`, shownSize(size)])))
        writeLine(context, line);
    }
  }
  return built.files === null ? EXIT.findings : EXIT.ok;
}

/** Resolves to the folder with the files of the plugin: one without sources is not copied. */
export async function placeBuilt(folder: string, { files }: BuiltPlugin): Promise<string> {
  const hasSources = await isThere(join(folder, 'src'));
  return files !== null && hasSources ? writeDist(folder, files) : folder;
}

const sizesOf = (files: PluginFiles) =>
  [...files]
    .map(([path, { length }]) => ({ path, size: length }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));

const KB = 1024;

export function shownSize(bytes: number): string {
  if (bytes < KB) return count(bytes, 'byte');
  return bytes < KB * KB ? `${(bytes / KB).toFixed(1)} kB` : `${(bytes / KB / KB).toFixed(2)} MiB`;
}
