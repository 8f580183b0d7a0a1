import { Type } from 'typebox';
import { closed } from '../../../kit/schemas.ts';
import type { Find } from '../finding.ts';
import { titleOf } from '../sheet.ts';
import { defineTool } from './tool.ts';

const FOUND = 5;
/** Lines of a passage. */
const LINES = 12;

export const searchTool = (find: Find) =>
  defineTool({
    name: 'search',
    description:
      'Finds entities of the world by words, best first, with the lines that fit. Use the words that the texts may use.',
    input: closed({
      query: Type.String({ minLength: 1, maxLength: 300 }),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
    }),
    async run({ query, limit = FOUND }, { project, sheet }) {
      const { found } = await find(project, query, limit);
      if (found.length === 0) sheet.say('Nothing was found.');
      for (const { entity, passages } of found) {
        if (!sheet.data(titleOf(entity))) return;
        for (const { line, end_line } of passages)
          sheet.lines(entity, line, Math.min(end_line, line + LINES));
      }
    },
  });
