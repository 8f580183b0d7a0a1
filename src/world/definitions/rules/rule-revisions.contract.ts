import { Type } from 'typebox';
import { contract } from '../../../kit/contract.ts';
import { NullableText } from '../../../kit/schemas.ts';
import { RuleParams } from './rules.contract.ts';

const revision = {
  version: Type.Integer(),
  checksum: Type.String(),
  source: Type.Enum(['api', 'file']),
  created_at: Type.String(),
  created_by: NullableText,
};
const example = {
  version: 3,
  checksum: 'sha256:70fe…',
  source: 'api' as const,
  created_at: '2026-03-02T10:15:00.000Z',
  created_by: '0c6f2e0e-8f61-4b2f-9a44-2a7c3e7f9f11',
};
const reads = { auth: 'bearer', project: true, tag: 'Rules' } as const;

export const listRuleRevisions = contract('GET /api/rules/{type}/revisions', {
  name: 'listRuleRevisions',
  ...reads,
  summary: 'List the texts that a rule file had, newest first',
  description: 'The last 200. To come back to one, read it and write its `content` as the file’s markdown.',
  params: RuleParams,
  reply: Type.Object({ path: Type.String(), revisions: Type.Array(Type.Object(revision)) }),
  errors: [404],
  example: {
    params: { type: 'character' },
    reply: { path: '_Rules/CHARACTER_RULES.md', revisions: [example] },
  },
});

export const getRuleRevision = contract('GET /api/rules/{type}/revisions/{version}', {
  name: 'getRuleRevision',
  ...reads,
  summary: 'Read one of the texts that a rule file had',
  params: Type.Object({
    ...RuleParams.properties,
    version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
  }),
  reply: Type.Object({ ...revision, path: Type.String(), content: Type.String() }),
  errors: [404],
  example: {
    params: { type: 'character', version: 3 },
    reply: { ...example, path: '_Rules/CHARACTER_RULES.md', content: '---\nrules: []\n---\n' },
  },
});
