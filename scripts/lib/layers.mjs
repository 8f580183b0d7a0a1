import { isStudio, whyForbiddenInStudio, whyPackageForbiddenInStudio } from './studio-layers.mjs';

/** The wings: folders of modules. `world` and `people` do not know each other, and neither knows `exchange`. */
const WINGS = ['world', 'people', 'exchange', 'service'];
const WING = `(?:${WINGS.join('|')})`;

/** The files of a module that others may import: its index, and contracts, which are data. */
const DOOR = /\/index\.ts$/;

/** A folder of the frame with code that all modules share. */
const FRAME_ROOM = /^src\/(frame\/[^/]+)\//;

const CONTRACT = new RegExp(`^src/${WING}/.+\\.(?:contract|events)\\.ts$`);
const TEST =
  /(?:\.(?:test|conformance)\.ts$)|\.harness\.tsx?$|^(?:test|bench|src\/studio\/testing|plugins\/kit\/testing)\//;
const ADAPTER = /^src\/platform\/.+\/adapters\//;

const BROWSER_SAFE = ['content', 'access', 'text'];
const FOUNDATION = ['platform', 'kit', 'content', 'access', 'text'];
const FOR_MODULES = ['frame', ...FOUNDATION];
const MODULES = [...WINGS, ...FOR_MODULES];

/** The layers, and contracts for the client, that the files of each layer may import. */
const MAY_IMPORT = {
  text: ['text'],
  access: ['access', 'text'],
  content: ['content', 'text'],
  kit: ['kit', 'access', 'text'],
  platform: FOUNDATION,
  frame: FOR_MODULES,
  world: ['world', ...FOR_MODULES],
  people: ['people', ...FOR_MODULES.filter((layer) => layer !== 'content')],
  exchange: ['exchange', 'world', ...FOR_MODULES],
  service: ['service', ...FOR_MODULES],
  client: ['client', 'content', 'access', 'text'],
  remote: ['remote', 'client', ...MODULES],
  surfaces: ['surfaces', 'remote', 'client', ...MODULES],
  cli: ['cli', 'surfaces', 'remote', 'client', ...MODULES],
  main: ['cli', 'kit'],
};

/** A plugin of ours, or what they share. */
const PLUGIN = /^plugins\/([^/]+)\//;

const SQL_FILE = new RegExp(`^src/platform/database/|^src/(?:frame|${WING})/.+\\.(?:store|tables)\\.ts$`);
const ENVIRONMENT_FILE = /^src\/kit\/config|^src\/main\.ts$/;
const VENDOR =
  /^(?:pg|better-sqlite3|ioredis|bullmq|@parcel\/watcher|nodemailer|sharp|thumbhash|music-metadata|stripe|openid-client|(?:@ai-sdk|@aws-sdk|@azure|@bytecodealliance|@energetic-ai)\/.+)$/;

/**
 * The reason for which a file may not import a target, or undefined if it may.
 * @param {string} file path in the checkout
 * @param {string} target path in the checkout, `node:…`, or a package's name
 * @param {boolean} isType the import vanishes at run time
 */
export function whyForbidden(file, target, isType) {
  if (PLUGIN.test(file) && !isTest(file)) return whyForbiddenInPlugin(file, target);
  const isLocal = /^(?:src|test|bench|scripts)\//.test(target);
  return isLocal ? whyLocalForbidden(file, target, isType) : whyPackageForbidden(file, target);
}

export const isTest = (file) => TEST.test(file);

export const mayReadEnvironment = (file) =>
  ENVIRONMENT_FILE.test(file) || TEST.test(file) || !file.startsWith('src/');

function whyLocalForbidden(file, target, isType) {
  if (isTest(file) || !file.startsWith('src/')) return undefined;
  if (isTest(target)) return 'production code imports no test support';
  if (isStudio(file)) return whyForbiddenInStudio(file, target, isType);
  const [from, to] = [layerOf(file), layerOf(target)];
  if (CONTRACT.test(file)) return whyNotForContract(target);
  if (from === 'client' && (CONTRACT.test(target) || target.startsWith('src/kit/contract'))) return undefined;
  const allowed = MAY_IMPORT[from];
  if (!allowed) return `the layer src/${from} is not declared (scripts/lib/layers.mjs)`;
  if (!allowed.includes(to)) return `${from} may import only ${allowed.join(', ')}`;
  if (ADAPTER.test(target)) return whyNotAdapter(file, target);
  return whyNotRoom(file, target);
}

/** They are made with what anybody has who makes a plugin. */
function whyForbiddenInPlugin(file, target) {
  const [from, to] = [PLUGIN.exec(file)?.[1], PLUGIN.exec(target)?.[1]];
  if (to === from || to === 'kit' || (from === 'kit' && target.startsWith('starter/plugin/')))
    return undefined;
  return 'a plugin imports its own files and plugins/kit, which has the helpers of starter/plugin';
}

function whyNotForContract(target) {
  const allowed = CONTRACT.test(target) || ['content', 'kit', 'access', 'text'].includes(layerOf(target));
  return allowed
    ? undefined
    : 'a contract is browser-safe: it imports contracts, events, kit, content and access';
}

function whyNotAdapter(file, target) {
  const inSameFolder = ADAPTER.exec(file)?.[0] === ADAPTER.exec(target)?.[0];
  if (layerOf(file) === 'surfaces' || inSameFolder) return undefined;
  return 'adapters are imported by src/surfaces, their own folder and tests; use the port';
}

function whyNotRoom(file, target) {
  const to = roomOf(target);
  if (!to || roomOf(file) === to || DOOR.test(target) || CONTRACT.test(target)) return undefined;
  return `${to} is entered by its door: import src/${to}/index.ts, and let it export what others may use`;
}

function whyPackageForbidden(file, target) {
  if (!file.startsWith('src/') || TEST.test(file)) return undefined;
  if (isStudio(file)) return whyPackageForbiddenInStudio(file, target);
  if (BROWSER_SAFE.includes(layerOf(file)) && target.startsWith('node:'))
    return `${layerOf(file)} is browser-safe: no Node modules`;
  if (VENDOR.test(target) && !ADAPTER.test(file)) return `${target} is imported in platform adapters alone`;
  if (target === 'kysely' && !SQL_FILE.test(file) && !ADAPTER.test(file)) {
    return 'SQL lives in platform/database and in *.store.ts and *.tables.ts of modules';
  }
  return undefined;
}

const layerOf = (file) => (file === 'src/main.ts' ? 'main' : file.split('/')[1]);

/** The module of a file as `wing/name`, or undefined for a file elsewhere. */
export const moduleOf = (file) =>
  WINGS.includes(layerOf(file)) ? file.split('/').slice(1, 3).join('/') : undefined;

/** The module of a file, or its shared folder of the frame. */
const roomOf = (file) => FRAME_ROOM.exec(file)?.[1] ?? moduleOf(file);
