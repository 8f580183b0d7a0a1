import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CliWorld } from './cli.ts';

/** The starter's guest, which does something else for entities with certain ids. */
const GUEST = `
import { hooks as starter, routes } from './own/guest.ts';
export { routes };

export const hooks = {
  ...starter,
  onEntityValidate(change) {
    if (change.id === 'endless') for (;;) {}
    return starter.onEntityValidate(change);
  },
  onEntitySave(change) {
    if (change.id === 'no_json') return 'no JSON';
    return starter.onEntitySave(change);
  },
};
`;

const FAILING =
  "\n  onEntityCreate({ id }) {\n    if (id === 'thrower') throw new Error('it cannot take this one');\n  },\n";

/** The folder of a plugin with a built guest, for the tests of this process: building it takes seconds. */
let kept: Promise<string> | undefined;

/** A plugin of the kind `full`, in `folder` of the world, whose guest has been built before. */
export async function fullPlugin(world: CliWorld, folder = 'lamp-log'): Promise<string> {
  kept ??= makeFull(world);
  const into = join(world.folder, folder);
  cpSync(await kept, into, { recursive: true });
  return into;
}

async function makeFull(world: CliWorld): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'canonry-plugin-'));
  process.once('exit', () => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, 'lamp-log');
  await expectOk(world.run('plugin', 'new', 'lamp-log', folder, '--kind', 'full'));
  const starter = readFileSync(join(folder, 'src/guest.ts'), 'utf8')
    .replace("'../canonry/", "'../../canonry/")
    .replace('defineHooks({', `defineHooks({${FAILING}`);
  writeFiles(folder, { 'src/own/guest.ts': starter, 'src/guest.ts': GUEST });
  // Its translation is kept too.
  await expectOk(world.run('init', join(root, 'world')));
  await expectOk(world.run('plugin', 'test', folder, '--content', join(root, 'world'), '--within', '60000'));
  return folder;
}

async function expectOk(running: ReturnType<CliWorld['run']>): Promise<void> {
  const { code, out, err } = await running;
  if (code !== 0) throw new Error(`exit code ${code}: ${out}${err}`);
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}
