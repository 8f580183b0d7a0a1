import {
  isIconWord,
  isPlainLine,
  isPluginId,
  isSafePath,
  isSemver,
  isTrustTier,
  normalPermission,
} from '../../../content/plugins/index.ts';
import { leadsToLoopback } from '../../../kit/loopback.ts';
import type { CatalogEntry } from './catalog-entry.ts';

/** The name of the member that cannot be used, with the reason; null if there is none. */
export function faultOfEntry(entry: CatalogEntry): string | null {
  for (const [name, fault] of CHECKS) {
    const found = fault(entry);
    if (found !== null) return `${name} ${found}`;
  }
  return null;
}

type Check = readonly [name: keyof CatalogEntry, fault: (entry: CatalogEntry) => string | null];

const unless = (isRight: boolean, fault: string): string | null => (isRight ? null : fault);

const plain = (name: 'name' | 'author' | 'license'): Check => [
  name,
  (entry) => unless(isPlainLine(entry[name]), 'must be a text of one line without control characters'),
];

const CHECKS: readonly Check[] = [
  ['id', ({ id }) => unless(isPluginId(id), `is '${id}', which is no id of a plugin`)],
  plain('name'),
  plain('author'),
  plain('license'),
  [
    'description',
    ({ description }) =>
      unless(
        isPlainLine(description.replaceAll('\n', ' ')),
        'must be a text without control characters, apart from line breaks',
      ),
  ],
  ['version', ({ version }) => versionFault(version)],
  ['min_canonry', ({ min_canonry }) => (min_canonry === undefined ? null : versionFault(min_canonry))],
  ['trust_tier', ({ trust_tier }) => unless(isTrustTier(trust_tier), 'must be one word, such as community')],
  ['permissions', ({ permissions }) => permissionsFault(permissions)],
  ['sha256', ({ sha256 }) => unless(/^[0-9a-f]{64}$/.test(sha256), 'must be 64 hexadecimal digits')],
  ['url', ({ url }) => unless(isSafePath(url) || isFetchable(url), 'must be a path below, or https://…')],
  [
    'homepage',
    ({ homepage }) =>
      unless(homepage === undefined || isPage(homepage), 'must be an address with http:// or https://'),
  ],
  ['icon', ({ icon }) => unless(icon === undefined || isIconWord(icon), 'must be an emoji or a name')],
];

const versionFault = (version: string): string | null =>
  unless(isSemver(version), `is '${version}', but must be a semantic version such as 1.0.0`);

function permissionsFault(permissions: readonly string[]): string | null {
  for (const [at, permission] of permissions.entries()) {
    const normal = normalPermission(permission);
    if (normal === null) return `has '${permission}', which is no permission`;
    if (normal !== permission) return `has '${permission}', but must have its normal form '${normal}'`;
    if (permissions.indexOf(permission) !== at) return `has '${permission}' twice`;
  }
  return null;
}

const isPage = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);

/** As the address of the catalog itself: nobody on the way may see what is fetched. */
export function isFetchable(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || /\s/.test(text)) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && leadsToLoopback(url));
}
