import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PluginManifest } from '../../content/plugins/index.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import { messageOf } from '../../kit/errors.ts';
import { bundle } from './bundle.ts';
import { isThere } from './folder.ts';
import { type Problem, problem } from './problems.ts';
import { createPlaces, type PlacesIn } from './source-places.ts';
import { shippedWit, WIT_PATH } from './starter.ts';
import { loadTool } from './tools.ts';

export const GUEST_SOURCE = 'src/guest.ts';
export const GUEST = 'guest.wasm';

export type BuiltGuest =
  | { ok: true; component: Uint8Array; placesIn: PlacesIn }
  | { ok: false; problems: Problem[] };
type Component = { ok: true; component: Uint8Array } | { ok: false; problems: Problem[] };

/** The smallest world that has these exports. */
const WORLDS: Readonly<Record<string, string>> = {
  '': 'plugin',
  hooks: 'plugin-with-hooks',
  routes: 'plugin-with-routes',
  'hooks,routes': 'plugin-full',
};

/** Makes a component of `src/guest.ts`, with QuickJS inside. What it says about itself is the manifest's. */
export async function buildGuest(folder: string, manifest: PluginManifest): Promise<BuiltGuest> {
  const { name, version, description } = manifest;
  const info = JSON.stringify({ name, version, description });
  const bundled = await bundle(folder, {
    stdin: {
      contents: `export * from './${GUEST_SOURCE}';\nexport const metadata = { getInfo: () => (${info}) };\n`,
      resolveDir: folder,
    },
    outfile: 'guest.js',
    sourcemap: 'external',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2023',
    external: ['canonry:*'],
  });
  if (!bundled.ok) return bundled;
  const { outputFiles, metafile } = bundled.result;
  const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  const exported = Object.values(metafile.outputs).flatMap((output) => output.exports);
  const world = WORLDS[['hooks', 'routes'].filter((one) => exported.includes(one)).join(',')] ?? 'plugin';
  const made = await componentOf(folder, { world, source: textOf('.js') });
  return made.ok ? { ...made, placesIn: createPlaces(textOf('.map')) } : made;
}

interface GuestProgram {
  world: string;
  source: string;
}

/** Takes seconds and gives other bytes each time, so the same program has the component that was made before. */
async function componentOf(folder: string, program: GuestProgram): Promise<Component> {
  const own = join(folder, WIT_PATH);
  const witPath = (await isThere(own)) ? own : shippedWit();
  const { version } = loadTool(folder, 'componentize-qjs/package.json');
  const key = sha256Hex(JSON.stringify([await readFile(witPath, 'utf8'), program, version]));
  const kept = join(folder, '.canonry', 'guest', `${key}.wasm`);
  const known = await readFile(kept).catch(() => null);
  if (known !== null) return { ok: true, component: known };
  const made = await componentize(folder, witPath, program);
  if (made.ok) await keep(kept, made.component);
  return made;
}

async function componentize(
  folder: string,
  witPath: string,
  { world, source }: GuestProgram,
): Promise<Component> {
  const tool = loadTool(folder, 'componentize-qjs');
  try {
    const options = { witPath, world, jsSource: source, sync: true, optSize: true };
    return { ok: true, component: (await tool.componentize(options)).component };
  } catch (error) {
    return { ok: false, problems: [problem(GUEST_SOURCE, messageOf(error).trim().replace(/^:\s*/, ''))] };
  }
}

/** In place of those of earlier programs. */
async function keep(path: string, component: Uint8Array): Promise<void> {
  const folder = join(path, '..');
  await mkdir(folder, { recursive: true });
  const aside = `${path}.${process.pid}`;
  await writeFile(aside, component);
  await rename(aside, path);
  for (const name of await readdir(folder)) {
    const other = join(folder, name);
    if (other !== path) await rm(other, { force: true });
  }
}
