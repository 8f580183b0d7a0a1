import { nameOf } from '../../text/paths.ts';
import { extensionOf } from '../paths/index.ts';
import type { AssetKind } from './kinds.ts';

/** Where a tag comes from: the file's bytes, its name and folders, or a model. */
export type TagOrigin = 'bytes' | 'name' | 'model';

export interface TagSuggestion {
  tag: string;
  /** 0 to 1. */
  confidence: number;
  origin: TagOrigin;
}

export interface TaggedFile {
  path: string;
  kind: AssetKind;
  subcategory: string | null;
  width: number | null;
  height: number | null;
  /** Seconds. */
  duration: number | null;
  media: Readonly<Record<string, unknown>> | null;
}

export const LONGEST_TAG = 50;

const OF_BYTES = 0.95;
const OF_FOLDER = 0.7;
const OF_NAME = 0.6;
const SHORTEST_WORD = 3;
const MOST_WORDS = 8;
/** Words that programs and cameras put into names. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  'img image dsc pic picture photo screenshot scan file copy final new old untitled version draft export output the and for with von und der die das'.split(
    ' ',
  ),
);

/** In one form, so that equal tags are equal; '' if nothing is left. */
export const tidyTag = (tag: string): string =>
  tag
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .toLowerCase()
    .slice(0, LONGEST_TAG)
    .trim();

function shapeTags({ width, height, kind }: TaggedFile): string[] {
  if (width === null || height === null || (kind !== 'image' && kind !== 'video')) return [];
  const ratio = width / height;
  const shape = ratio >= 2 ? 'panorama' : ratio > 1.1 ? 'landscape' : ratio < 0.9 ? 'portrait' : 'square';
  const size = Math.max(width, height);
  return [shape, ...(size >= 3_000 ? ['high resolution'] : size <= 64 ? ['icon'] : [])];
}

function soundTags({ duration, media, kind }: TaggedFile): string[] {
  if (kind !== 'audio') return [];
  const length = duration === null ? [] : duration < 5 ? ['short'] : duration > 60 ? ['long'] : [];
  return [...length, ...(media?.channels === 1 ? ['mono'] : media?.channels === 2 ? ['stereo'] : [])];
}

const modelTags = ({ media, kind }: TaggedFile): string[] =>
  kind === 'model' && Number(media?.animations ?? 0) > 0 ? ['animated'] : [];

const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}]+/u)
    .map(tidyTag)
    .filter((word) => [...word].length >= SHORTEST_WORD && !EMPTY_WORDS.has(word));

/** The tags that a file's bytes and its name give. Each once, the most certain first. */
export function plainTags(file: TaggedFile): TagSuggestion[] {
  const name = nameOf(file.path);
  const extension = extensionOf(file.path);
  const stem = extension === '' ? name : name.slice(0, -extension.length - 1);
  const of = (tags: readonly string[], confidence: number, origin: TagOrigin) =>
    tags.map((tag): TagSuggestion => ({ tag, confidence, origin }));
  const all = [
    ...of([...shapeTags(file), ...soundTags(file), ...modelTags(file)], OF_BYTES, 'bytes'),
    ...of(wordsOf(file.subcategory ?? ''), OF_FOLDER, 'name'),
    ...of(wordsOf(stem).slice(0, MOST_WORDS), OF_NAME, 'name'),
  ];
  return all.filter(({ tag }, at) => all.findIndex((other) => other.tag === tag) === at);
}
