import { type Static, Type } from 'typebox';
import { closed } from '../../../kit/schemas.ts';
import { cutAfter } from '../../../text/cut.ts';
import type { Entity } from '../../../world/entities/entities.contract.ts';
import { searchAll } from '../../../world/search/search.contract.ts';
import { answerOf, fitting } from './answers.ts';
import { limitOf, listed, Types } from './arguments.ts';
import { defineTool } from './tool.ts';

const USUAL = 10;
const EXCERPT = 240;
/** Characters before the first found word. */
const LEAD = 60;

export const searchTool = defineTool({
  name: 'search',
  title: 'Search the world',
  description:
    'Finds entities by words in their names, fields and texts, best match first, with an excerpt of each. All words must occur; the last letters of a word may be missing. Read an entity with read_entity.',
  role: 'viewer',
  effect: 'reads',
  input: closed({
    query: Type.String({ minLength: 1, maxLength: 400, description: 'Words, or "a phrase"' }),
    types: Type.Optional(Types),
    limit: Type.Optional(limitOf(50, USUAL)),
  }),
  async run({ query, types, limit = USUAL }, agent) {
    const found = await agent.ask(searchAll, { query: { q: query, limit, ...listed(types) } });
    const words = wordsOf(query);
    const all = found.groups.flatMap(({ entities }) => entities.map((entity) => summaryOf(entity, words)));
    const results = fitting(all.slice(0, limit));
    const more = found.total - results.length;
    return answerOf({
      total: found.total,
      results,
      ...(more > 0 && { hint: `${more} more: add words, name types, or raise the limit` }),
    });
  },
});

const wordsOf = (query: string): string[] => query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function summaryOf(entity: Static<typeof Entity>, words: readonly string[]) {
  const { entity_type, entity_id, name, status, markdown_body } = entity;
  return { entity_type, entity_id, name, status, excerpt: excerptOf(markdown_body, words) };
}

function excerptOf(body: string, words: readonly string[]): string {
  const lower = body.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const start = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - LEAD);
  const text = body
    .slice(start, start + 2 * EXCERPT)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return `${start > 0 ? '…' : ''}${cutAfter(text, EXCERPT)}`;
}
