import { asciiWords } from '../../text/letters.ts';
import { nameOf } from '../../text/paths.ts';
import { extensionOf, mimeTypeOf } from '../paths/index.ts';

const ASSET_ID = /^[a-z0-9][a-z0-9_]{0,99}$/;

/** Reserved by routes. */
const RESERVED: ReadonlySet<string> = new Set([
  'linked',
  'missing',
  'duplicates',
  'uploaders',
  'recycled',
  'test',
]);

export const isAssetId = (id: string): boolean => ASSET_ID.test(id) && !RESERVED.has(id);

function stemOf(path: string): string {
  const name = nameOf(path);
  const extension = extensionOf(path);
  return extension === '' ? name : name.slice(0, -extension.length - 1);
}

/** Hex digits of a path's SHA-256 in an id: short to read, unique among millions of files of one name. */
const DIGITS = 10;
const LONGEST_STEM = 40;

/** Derived from the path, so that a new database finds the same. */
export function derivedAssetId(path: string, pathSha256: string): string {
  const words = asciiWords(stemOf(path), '_').slice(0, LONGEST_STEM).replace(/_$/, '');
  return `${words || 'asset'}_${pathSha256.slice(0, DIGITS)}`;
}

/** `My Portrait!` → `my_portrait`; '' if nothing is left. */
export function sanitizeAssetId(id: string): string {
  const words = asciiWords(id, '_').slice(0, 100).replace(/_$/, '');
  return words === '' || isAssetId(words) ? words : `asset_${words}`.slice(0, 100);
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/svg+xml': 'svg',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'model/gltf-binary': 'glb',
  'application/pdf': 'pdf',
  'text/html': 'html',
};

const LONGEST_NAME = 120;

/** Safe on every system: no folders, nothing hidden or reserved, and an extension that is true of the bytes. */
export function safeFileName(name: string, mediaType: string): string {
  const plain = nameOf(name.replaceAll('\\', '/')).normalize('NFC');
  const wanted = EXTENSIONS[mediaType];
  const isTrue = wanted === undefined || mimeTypeOf(plain) === mediaType;
  const stem = cleaned(stemOf(plain)) || 'asset';
  const extension = isTrue ? cleaned(extensionOf(plain)) : wanted;
  const kept = shortened(/^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(stem) ? `${stem}_` : stem);
  return extension === '' || extension === undefined ? kept : `${kept}.${extension}`;
}

const cleaned = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\ufffd<>:"|?*\\/]/gu, '_')
    .replace(/^[\s._]+|[\s.]+$/g, '');

/** To as many bytes as every file system takes, never within a character. */
function shortened(stem: string): string {
  let kept = '';
  let bytes = 0;
  for (const character of stem) {
    bytes += new TextEncoder().encode(character).length;
    if (bytes > LONGEST_NAME) break;
    kept += character;
  }
  return kept;
}

/** `portrait.png` → `portrait_2.png`. */
export function numberedName(name: string, number: number): string {
  if (number === 1) return name;
  const extension = extensionOf(name);
  const stem = extension === '' ? name : name.slice(0, -extension.length - 1);
  return `${stem}_${number}${extension === '' ? '' : `.${extension}`}`;
}
