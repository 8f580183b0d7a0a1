import { type Static, Type } from 'typebox';
import { closed } from '../../../kit/schemas.ts';
import { cutAfter } from '../../../text/cut.ts';
import { SEARCH_MODES, searchAll } from '../../../world/search/search.contract.ts';
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
    'Finds entities by words in their names, fields and texts, best match first, with an excerpt of each. All words must occur; the last letters of a word may be missing. With `mode` it finds what means something similar instead, or both. Read an entity with read_entity.',
  role: 'viewer',
  effect: 'reads',
  input: closed({
    query: Type.String({ minLength: 1, maxLength: 400, description: 'Words, or "a phrase"' }),
    mode: Type.Optional(
      Type.Enum([...SEARCH_MODES], {
        description:
          '`keyword`, the default, finds words, `semantic` what means something similar, `hybrid` both',
      }),
    ),
    types: Type.Optional(Types),
    limit: Type.Optional(limitOf(50, USUAL)),
  }),
  async run({ query, mode = 'keyword', types, limit = USUAL }, agent) {
    const found = await agent.ask(searchAll, { query: { q: query, mode, limit, ...listed(types) } });
    const words = wordsOf(query);
    const all = found.groups.flatMap(({ entities }) => entities);
    const best = mode === 'semantic' ? all.toSorted((one, other) => scoreOf(other) - scoreOf(one)) : all;
    const results = fitting(best.slice(0, limit).map((entity) => summaryOf(entity, words)));
    const more = found.total - results.length;
    return answerOf({
      total: found.total,
      results,
      ...(found.index && { index: found.index }),
      ...(more > 0 && { hint: `${more} more: add words, name types, or raise the limit` }),
    });
  },
});

type Found = Static<typeof searchAll.reply>['groups'][number]['entities'][number];

const scoreOf = ({ score = 0 }: Found): number => score;

const wordsOf = (query: string): string[] => query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function summaryOf(found: Found, words: readonly string[]) {
  const { entity_type, entity_id, name, status, markdown_body, score, passage } = found;
  const excerpt = passage ? cutAfter(passage.text, EXCERPT) : excerptOf(markdown_body, words);
  return { entity_type, entity_id, name, status, ...(score !== undefined && { score }), excerpt };
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
