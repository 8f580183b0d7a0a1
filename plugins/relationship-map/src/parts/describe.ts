import { linksOf, type MapLink, type MapNode, type Relations } from './relations.ts';
import type { Words } from './texts.ts';

export interface TypeNames {
  /** Of one, and of many. */
  one(type: string): string;
  many(type: string): string;
}

/** `death_year` → `Death year`, as forms name it. */
export function spelledOut(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words === '' ? name : words.slice(0, 1).toUpperCase() + words.slice(1);
}

export const labelsOf = ({ fields }: MapLink, words: Words): string =>
  fields.map((name) => (name === 'markdown_body' ? words.field(name) : spelledOut(name))).join(', ');

/** `Mira Vale → Home → The Bell House`, for each reference of an entry to or from what is shown. */
export function sentencesOf(relations: Relations, { key }: MapNode, words: Words): string[] {
  const nameOf = (other: string) => relations.nodes.find((node) => node.key === other)?.name ?? other;
  return linksOf(relations, key).map(
    (link) => `${nameOf(link.from)} → ${labelsOf(link, words)} → ${nameOf(link.to)}`,
  );
}
