/** Layers within the web app (docs/studio.md): what each area may import of the others. */
const MAY_IMPORT = {
  entry: ['app', 'data', 'domain', 'kit'],
  app: ['app', 'features', 'data', 'domain', 'kit'],
  features: ['features', 'data', 'domain', 'kit'],
  data: ['data', 'domain', 'kit/store', 'kit/i18n'],
  domain: ['domain'],
  kit: ['kit'],
  build: ['build'],
};

/** Each vendor has one place, so that it can be replaced there. */
const VENDORS = [
  [/^react-aria-components$/, 'kit/ui'],
  [/^@(?:codemirror|lezer)\//, 'kit/editor'],
  [/^idb$/, 'kit/store'],
  [/^wouter$/, 'kit/router'],
  [/^@tanstack\/react-query$/, 'data'],
  [/^@tanstack\/react-virtual$/, 'kit/virtual'],
  [/^tus-js-client$/, 'data'],
  [/^(?:vite|@vitejs\/plugin-react|lucide-static)$/, 'build'],
];

/** The list of contracts that the build makes calls of. */
const CONTRACTS = 'src/studio/build/contracts.ts';
const BROWSER_LAYERS = ['client', 'content', 'access', 'text'];

/** Names of the browser's doors to network and storage, and ways to turn text into HTML, which the CSP refuses too. */
const DOORS =
  /\b(?:fetch\(|new WebSocket\b|new XMLHttpRequest\b|indexedDB\b|localStorage\b|sessionStorage\b)/g;
const DOOR_KEEPERS = /^src\/studio\/(?:data|kit\/store|build|testing)\/|^src\/studio\/service-worker\.ts$/;
const HTML_FROM_TEXT = /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|\beval\(/g;

export const isStudio = (file) => file.startsWith('src/studio/');

/**
 * The reason for which a file of the web app may not import another file of the checkout.
 * @param {string} file path in the checkout
 * @param {string} target path in the checkout
 * @param {boolean} isType the import vanishes at run time
 */
export function whyForbiddenInStudio(file, target, isType) {
  const from = areaOf(file);
  if (!isStudio(target)) return whyOutside(from, target, isType);
  const to = areaOf(target);
  if (from === 'features' && to === 'features' && featureOf(file) !== featureOf(target))
    return 'features meet in domain/places, data/commands and data, and never import one another';
  if (isType && target === CONTRACTS) return undefined;
  const allowed = MAY_IMPORT[from];
  const isAllowed = allowed.some((area) => to === area || target.startsWith(`src/studio/${area}/`));
  return isAllowed ? undefined : `studio/${from} may import only ${allowed.join(', ')}`;
}

function whyOutside(from, target, isType) {
  const layer = target.split('/')[1];
  const isContract = /\.(?:contract|events)\.ts$|^src\/kit\/contract\.ts$/.test(target);
  if (from === 'build') return undefined;
  if (isContract)
    return isType ? undefined : 'contracts are for `import type`: the bundle has only their addresses';
  if (!BROWSER_LAYERS.includes(layer))
    return `studio may import only ${BROWSER_LAYERS.join(', ')}, and contracts`;
  return layer === 'client' && from !== 'data' ? 'data/api.ts is the client of the studio' : undefined;
}

export function whyPackageForbiddenInStudio(file, name) {
  if (areaOf(file) === 'build') return undefined;
  if (name.startsWith('node:')) return 'the studio runs in a browser';
  const place = VENDORS.find(([pattern]) => pattern.test(name))?.[1];
  if (place && !file.startsWith(`src/studio/${place}/`))
    return `${name} is imported in studio/${place} alone`;
  return areaOf(file) === 'domain' && name.startsWith('react') ? 'domain is pure' : undefined;
}

/** Patterns that a file of the web app may not contain, each with its reason. */
export function forbiddenTextIn(file) {
  return [
    [HTML_FROM_TEXT, 'what users write becomes elements, never HTML'],
    ...(DOOR_KEEPERS.test(file) ? [] : [[DOORS, 'network and storage are reached through studio/data']]),
  ];
}

function areaOf(file) {
  const [, , area, more] = file.split('/');
  return more === undefined ? 'entry' : area;
}

const featureOf = (file) => file.split('/')[3];
