/** Modules from the lowest to the highest: a module may import from those before it. */
const MODULE_ORDER = [
  'records',
  'projects',
  'storage',
  'access-changes',
  'tenants',
  'signing-keys',
  'users',
  'auth',
  'invites',
  'api-keys',
  'accounts',
  'oauth',
  'cloud-identity',
  'templates',
  'rules',
  'entities',
  'references',
  'changesets',
  'conflicts',
  'history',
  'validation',
  'imports',
  'exports',
  'tenant-deletion',
  'canon',
  'mirror',
  'assets',
  'media',
  'uploads',
  'asset-queue',
  'doctor',
  'realtime',
  'webhooks',
  'replication',
  'cloud-sync',
  'desktop',
  'operations',
  'edge',
];

/** File roles that belong to their module alone; the rows that several modules share are a module of their own. */
const PRIVATE_ROLE = /\.(?:routes|store|tables|jobs)\.ts$/;
const SHARED_ROWS = 'records';

/** What a module is, for all of them. */
const MODULE_SHAPE = 'src/modules/module.ts';

const CONTRACT = /^src\/modules\/.+\.contract\.ts$/;
const TEST = /(?:\.(?:test|conformance)\.ts$)|^(?:test|bench)\//;
const ADAPTER = /^src\/platform\/.+\/adapters\//;

/** What the files of each layer may import inside the checkout: layers, and contracts for the client. */
const MAY_IMPORT = {
  content: ['content'],
  kit: ['kit', 'content'],
  platform: ['platform', 'kit', 'content'],
  modules: ['modules', 'platform', 'kit', 'content'],
  client: ['client', 'content'],
  surfaces: ['surfaces', 'client', 'modules', 'platform', 'kit', 'content'],
  cli: ['cli', 'surfaces', 'client', 'modules', 'platform', 'kit', 'content'],
  main: ['cli', 'kit'],
};

const SQL_FILE = /^src\/platform\/database\/|^src\/modules\/.+\.(?:store|tables)\.ts$/;
const ENVIRONMENT_FILE = /^src\/kit\/config|^src\/main\.ts$/;
const VENDOR =
  /^(?:pg|better-sqlite3|ioredis|bullmq|@parcel\/watcher|nodemailer|sharp|thumbhash|music-metadata|stripe|openid-client|(?:@aws-sdk|@azure)\/.+)$/;

/**
 * Why a file may not import that, or undefined when it may.
 * @param {string} file path in the checkout
 * @param {string} target path in the checkout, `node:…`, or a package's name
 */
export function whyForbidden(file, target) {
  const isLocal = /^(?:src|test|bench|scripts)\//.test(target);
  return isLocal ? whyLocalForbidden(file, target) : whyPackageForbidden(file, target);
}

/** Whether a file may read the process's environment. */
export const mayReadEnvironment = (file) =>
  ENVIRONMENT_FILE.test(file) || TEST.test(file) || !file.startsWith('src/');

function whyLocalForbidden(file, target) {
  if (TEST.test(file) || !file.startsWith('src/')) return undefined;
  if (TEST.test(target)) return 'production code imports no test support';
  const [from, to] = [layerOf(file), layerOf(target)];
  if (CONTRACT.test(file)) return whyNotForContract(target);
  if (from === 'client' && (CONTRACT.test(target) || target.startsWith('src/kit/contract'))) return undefined;
  const allowed = MAY_IMPORT[from];
  if (!allowed) return `the layer src/${from} is not declared (scripts/lib/layers.mjs)`;
  if (!allowed.includes(to)) return `${from} may import only ${allowed.join(', ')}`;
  if (ADAPTER.test(target)) return whyNotAdapter(file, target);
  return from === 'modules' && to === 'modules' ? whyNotModule(file, target) : undefined;
}

function whyNotForContract(target) {
  const allowed = CONTRACT.test(target) || ['content', 'kit'].includes(layerOf(target));
  return allowed ? undefined : 'a contract is browser-safe: it imports contracts, kit and content';
}

function whyNotAdapter(file, target) {
  const inSameFolder = ADAPTER.exec(file)?.[0] === ADAPTER.exec(target)?.[0];
  if (layerOf(file) === 'surfaces' || inSameFolder) return undefined;
  return 'adapters are imported by src/surfaces, their own folder and tests; use the port';
}

function whyNotModule(file, target) {
  const [from, to] = [moduleOf(file), moduleOf(target)];
  if (from === to || target === MODULE_SHAPE) return undefined;
  const [rank, other] = [MODULE_ORDER.indexOf(from), MODULE_ORDER.indexOf(to)];
  if (rank < 0 || other < 0)
    return `the module ${rank < 0 ? from : to} has no place in MODULE_ORDER (scripts/lib/layers.mjs)`;
  if (other > rank) return `${from} stands below ${to}: tell it by an event`;
  if (to !== SHARED_ROWS && PRIVATE_ROLE.test(target))
    return `that file belongs to ${to} alone: go through its service`;
  return undefined;
}

function whyPackageForbidden(file, target) {
  if (!file.startsWith('src/') || TEST.test(file)) return undefined;
  if (layerOf(file) === 'content' && target.startsWith('node:'))
    return 'content is browser-safe: no Node modules';
  if (VENDOR.test(target) && !ADAPTER.test(file)) return `${target} is imported in platform adapters alone`;
  if (target === 'kysely' && !SQL_FILE.test(file) && !ADAPTER.test(file)) {
    return 'SQL lives in platform/database and in *.store.ts and *.tables.ts of modules';
  }
  return undefined;
}

const layerOf = (file) => (file === 'src/main.ts' ? 'main' : file.split('/')[1]);
const moduleOf = (file) => file.split('/')[2];
