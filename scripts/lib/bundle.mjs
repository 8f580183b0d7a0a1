import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beginLean } from './lean.mjs';
import { inRoot, root } from './paths.mjs';

const DIST = inRoot('dist');
const STAMP = inRoot('dist/.stamp');
const LAUNCHER = inRoot('dist/canonry.js');

const ENTRIES = ['src/main.ts', 'src/**/*.worker.ts'];
const NATIVE = [
  'better-sqlite3',
  'bcrypt',
  '@parcel/watcher',
  'sharp',
  'pg-native',
  'ogv',
  'libflacjs',
  'msgpackr-extract',
  // Its model and its WebAssembly are read from beside its program.
  '@energetic-ai/*',
];
/** The translator of guests asks for a few parts of a system; this variant of them is plain JavaScript. */
const WASI = '@bytecodealliance/preview2-shim';
const PLAIN = Object.fromEntries(
  ['cli', 'filesystem', 'io', 'random'].map((part) => [
    `${WASI}/${part}`,
    inRoot(`node_modules/${WASI}/dist/browser/${part}.js`),
  ]),
);
const TRANSLATOR = 'node_modules/@bytecodealliance/jco-transpile/vendor';
const ASSETS = {
  'canonry.js': 'scripts/launcher.mjs',
  'lean.js': 'scripts/lib/lean.mjs',
  'node-version.js': 'scripts/lib/node-version.mjs',
  // Read from beside the program that translates guests.
  'js-component-bindgen-component.core.wasm': `${TRANSLATOR}/js-component-bindgen-component.core.wasm`,
  'js-component-bindgen-component.core2.wasm': `${TRANSLATOR}/js-component-bindgen-component.core2.wasm`,
  'docs-assets/swagger-ui-bundle.js': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
  'docs-assets/swagger-ui.css': 'node_modules/swagger-ui-dist/swagger-ui.css',
  'docs-assets/favicon-32x32.png': 'node_modules/swagger-ui-dist/favicon-32x32.png',
  'docs-assets/redoc.standalone.js': 'node_modules/redoc/bundles/redoc.standalone.js',
};

// CommonJS packages inside the bundle still call `require` for Node's own modules.
const BANNER =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/** Builds `dist/` unless it is up to date. */
export async function buildIfStale() {
  const hash = sourceHash();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash) return;
  const started = performance.now();
  rmSync(STAMP, { force: true });
  const written = new Set([...(await bundle()), ...copyAssets(), ...(await studio()), '.cache']);
  removeOthers(written);
  writeFileSync(STAMP, hash);
  console.error(`Built dist in ${Math.round(performance.now() - started)} ms`);
}

/** As `dist/canonry.js <args>` would. */
export async function runBuilt(args) {
  await buildIfStale();
  // This script runs again in the replaced process, since its watch over the parent process is lost.
  if (args[0] === 'serve') beginLean(process.argv[1], process.argv.slice(2));
  process.argv = [process.execPath, LAUNCHER, ...args];
  await import(pathToFileURL(LAUNCHER).href);
}

async function bundle() {
  const { build } = await import('esbuild');
  const { compiledAhead, nodeParts } = await import('./quick-start.mjs');
  const result = await build({
    absWorkingDir: root,
    entryPoints: globSync(ENTRIES, { cwd: root }),
    entryNames: '[name]',
    chunkNames: 'chunk-[hash]',
    outdir: DIST,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    external: NATIVE,
    // The CommonJS form of jsonc-parser requires its parts by names that esbuild cannot follow.
    alias: { ...PLAIN, 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    sourcemap: true,
    sourcesContent: false,
    banner: { js: BANNER },
    // Loaded text stays in memory. Names are kept, and lines short, for stack traces in logs.
    minifyWhitespace: true,
    lineLimit: 160,
    legalComments: 'external',
    plugins: [workerUrls, nodeParts],
    write: false,
    logLevel: 'warning',
  });
  for (const file of result.outputFiles) {
    const isProgram = file.path.endsWith('.js');
    replaceFile(file.path, isProgram ? inAscii(compiledAhead(file.text)) : file.contents);
  }
  return result.outputFiles.map((file) => basename(file.path));
}

/**
 * A single non-ASCII character makes V8 keep the whole text at two bytes per character. The remaining ones are in regular
 * expressions, where the escape means the same.
 */
const inAscii = (text) =>
  text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Sources name a worker as `new URL('./scan.worker.ts', import.meta.url)`; in the bundle it lies beside every chunk. */
const workerUrls = {
  name: 'worker-urls',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      return {
        contents: text.replace(/(?<=new URL\(\s*')[./\w-]*?([\w-]+\.worker)\.ts(?=',)/g, './$1.js'),
        loader: 'ts',
      };
    });
  },
};

function copyAssets() {
  for (const [target, source] of Object.entries(ASSETS)) {
    const path = join(DIST, target);
    mkdirSync(dirname(path), { recursive: true });
    copyFileSync(inRoot(source), path);
  }
  return Object.keys(ASSETS).map((target) => target.split('/')[0]);
}

/** The web app. It is built aside, since a service that starts at this moment must find all of it or none. */
async function studio() {
  const { buildStudio } = await import('../../src/studio/build/build-studio.ts');
  const aside = join(DIST, `.studio.${process.pid}`);
  await buildStudio(aside);
  rmSync(join(DIST, 'studio'), { recursive: true, force: true });
  renameSync(aside, join(DIST, 'studio'));
  return ['studio'];
}

/** A program that starts at this moment must read a whole file. */
function replaceFile(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  const aside = `${path}.${process.pid}`;
  writeFileSync(aside, contents);
  renameSync(aside, path);
}

function removeOthers(kept) {
  for (const name of readdirSync(DIST)) if (!kept.has(name)) rmSync(join(DIST, name), { recursive: true });
}

function sourceHash() {
  const files = globSync(
    [
      'src/**/*.{ts,json}',
      'src/studio/**/*.{tsx,css,html,svg,webmanifest}',
      'scripts/launcher.mjs',
      'scripts/lib/{bundle,lean,node-version,quick-start}.mjs',
      'package-lock.json',
    ],
    { cwd: root },
  );
  const hash = createHash('sha256');
  for (const file of files.filter((name) => !name.endsWith('.test.ts')).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(inRoot(file)))
      .update('\0');
  }
  return hash.digest('hex');
}
