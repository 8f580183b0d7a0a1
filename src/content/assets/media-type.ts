import { extensionOf, mimeTypeOf } from '../paths/index.ts';

/** This many bytes at the start tell a file's type. */
export const HEAD_BYTES = 4096;

const UNKNOWN = 'application/octet-stream';
const FBX = 'application/vnd.autodesk.fbx';

/** Judged by the first bytes; the name decides only what they leave open, such as CSV or plain text. */
export function mediaTypeOf(head: Uint8Array, path: string): string {
  return byMark(head) ?? (isText(head) ? textType(head, path) : UNKNOWN);
}

/** Marks at a fixed offset: media type, offset, characters. */
const MARKS: readonly (readonly [string, number, string])[] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF87a'],
  ['image/gif', 0, 'GIF89a'],
  ['image/bmp', 0, 'BM'],
  ['image/tiff', 0, 'II*\0'],
  ['image/tiff', 0, 'MM\0*'],
  ['image/vnd.adobe.photoshop', 0, '8BPS'],
  ['audio/mpeg', 0, 'ID3'],
  ['audio/flac', 0, 'fLaC'],
  ['model/gltf-binary', 0, 'glTF'],
  [FBX, 0, 'Kaydara FBX Binary'],
  ['application/pdf', 0, '%PDF-'],
  ['application/zip', 0, 'PK\x03\x04'],
  ['application/gzip', 0, '\x1f\x8b'],
  ['application/wasm', 0, '\0asm'],
];

const RIFF: Readonly<Record<string, string>> = {
  WEBP: 'image/webp',
  WAVE: 'audio/wav',
  'AVI ': 'video/x-msvideo',
};

const BRANDS: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  avis: 'image/avif',
  heic: 'image/heic',
  mif1: 'image/heif',
  'M4A ': 'audio/mp4',
  'qt  ': 'video/quicktime',
};

const MARKED_BYTES = 64;

function byMark(head: Uint8Array): string | undefined {
  // Not spread: walking a typed array costs more than all the rest here.
  const start: string = Reflect.apply(String.fromCharCode, null, head.subarray(0, MARKED_BYTES));
  const at = (offset: number, length: number): string => start.slice(offset, offset + length);
  const marked = MARKS.find(([, offset, mark]) => start.startsWith(mark, offset));
  // Two letters are too little to tell a bitmap from text; its header never is text.
  if (marked && !(marked[0] === 'image/bmp' && isText(head))) return marked[0];
  if (at(0, 4) === 'RIFF') return RIFF[at(8, 4)];
  if (at(0, 4) === 'FORM' && /^AIF[FC]$/.test(at(8, 4))) return 'audio/aiff';
  if (at(4, 4) === 'ftyp') return BRANDS[at(8, 4)] ?? 'video/mp4';
  if (at(0, 4) === 'OggS') return at(28, 7) === '\x80theora' ? 'video/ogg' : 'audio/ogg';
  if (at(0, 4) === '\x1aE\xdf\xa3') return start.includes('webm') ? 'video/webm' : 'video/x-matroska';
  if (isAdtsFrame(head)) return 'audio/aac';
  const isFrame = head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2 && ((head[2] ?? 0) & 0xf0) !== 0xf0;
  return isFrame ? 'audio/mpeg' : undefined;
}

/** AAC as a stream of its own: 12 set bits, no layer, and one of thirteen rates. */
const isAdtsFrame = (head: Uint8Array): boolean =>
  head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0 && (((head[2] ?? 0xff) >> 2) & 0x0f) < 13;

function isText(head: Uint8Array): boolean {
  if (head.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27))) return false;
  try {
    // A cut within a character is no fault.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Text types that a name may claim; others, such as a picture's, cannot be true of text. */
const NAMED_TEXT = /^(?:text\/|application\/(?:json|yaml|xml)$|model\/gltf\+json$|image\/svg\+xml$)/;

function textType(head: Uint8Array, path: string): string {
  const text = new TextDecoder().decode(head).trimStart().slice(0, 1024).toLowerCase();
  if (/<svg[\s/>]/.test(text)) return 'image/svg+xml';
  if (/^<!doctype html|<(?:html|head|body|script|iframe)[\s>]/.test(text)) return 'text/html';
  if (text.startsWith('<?xml')) return 'application/xml';
  if (text.startsWith('; fbx')) return FBX;
  const named = mimeTypeOf(path) ?? '';
  if (extensionOf(path) === 'svg') return 'application/xml';
  return NAMED_TEXT.test(named) ? named : 'text/plain';
}
