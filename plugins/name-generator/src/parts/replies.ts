import type { Language } from '../../../kit/texts.ts';

export interface Choice {
  id: string;
  label: string;
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The cultures of the guest, by their names in a language. */
export function readChoices(reply: unknown, language: Language): Choice[] {
  const cultures = isMap(reply) && Array.isArray(reply.cultures) ? reply.cultures : [];
  return cultures.filter(isMap).map(({ id, label }) => ({
    id: String(id),
    label: String(isMap(label) ? label[language] : id),
  }));
}

export const readNames = (reply: unknown): string[] =>
  isMap(reply) && Array.isArray(reply.names) ? reply.names.map(String) : [];
