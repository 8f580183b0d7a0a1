import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pluginIdFault } from '../../content/plugins/index.ts';
import { labelOf } from '../../content/template/index.ts';
import { messageOf } from '../../kit/errors.ts';
import { packageRoot } from '../../surfaces/package-root.ts';
import { type CliContext, CommandError, writeJson, writeLine } from '../context.ts';
import { typedPath } from '../project.ts';
import type { Kind } from './kinds.ts';
import { readStarter } from './starter.ts';

/** Packages of a new plugin's own, by the parts that need them. */
const TOOLS: Readonly<Record<'all' | 'back', readonly string[]>> = {
  all: ['esbuild', 'typescript'],
  back: ['componentize-qjs'],
};

const hasGuest = (kind: Kind): boolean => kind === 'guest' || kind === 'full';

/** Fills an empty or new folder; nothing is overwritten. */
export async function newPlugin(
  context: CliContext,
  { id, folder: typed = id }: { id: string; folder: string | undefined },
  { kind, json }: { kind: Kind; json?: boolean },
): Promise<void> {
  const fault = pluginIdFault(id);
  if (fault !== null) throw new CommandError(fault);
  const folder = typedPath(context, typed);
  await requireFree(folder);
  const files = await filesOf(id, kind);
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text, { flag: 'wx' });
  }
  if (json) return writeJson(context, { id, kind, folder, files: [...files.keys()] });
  writeLine(context, `Made ${folder}, a plugin with ${files.size} files. Its README.md says what they are.`);
  writeLine(context, `Next: cd ${typed}, npm install, canonry plugin build`);
}

async function requireFree(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new CommandError(`${folder} cannot be used: ${messageOf(error)}`, { cause: error });
  });
  if (entries.length > 0)
    throw new CommandError(
      `${folder} is not empty, and nothing in it was changed: name an empty or a new folder`,
    );
}

async function filesOf(id: string, kind: Kind): Promise<Map<string, string>> {
  const name = labelOf(id);
  const starter = [...(await readStarter(kind))].map(([path, text]): [string, string] => [
    path === 'gitignore' ? '.gitignore' : path,
    text.replaceAll('my-plugin', id).replaceAll('My plugin', name),
  ]);
  return new Map([...starter, ['package.json', await packageJson(id, kind)]]);
}

/** With the versions that this program was tested with. */
async function packageJson(id: string, kind: Kind): Promise<string> {
  const own: { devDependencies: Record<string, string> } = JSON.parse(
    await readFile(join(packageRoot(), 'package.json'), 'utf8'),
  );
  const tools = [...TOOLS.all, ...(hasGuest(kind) ? TOOLS.back : [])].sort();
  const content = {
    name: id,
    private: true,
    type: 'module',
    scripts: { types: 'tsc' },
    devDependencies: Object.fromEntries(tools.map((tool) => [tool, own.devDependencies[tool]])),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}
