import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { LONGEST_TAG } from '../../content/assets/index.ts';
import { contract, optionalBody } from '../../kit/contract.ts';
import { Count, NullableInteger, NullableText, named, oneOf, Text } from '../../kit/schemas.ts';
import { AssetParams, exampleAsset, params } from '../assets/assets.contract.ts';
import { ShownQuestion } from '../models/question.contract.ts';

const onTags = { auth: 'bearer', project: true, tag: 'Assets' } as const;
const byAiUsers = { ...onTags, role: PERMISSIONS.use_ai } as const;

const TagRun = named('AssetTagRun', {
  run_id: { ...NullableText, description: 'Null for a dry run' },
  queued: Count,
  skipped: { ...Count, description: 'Already tagged in the same way' },
  missing: Type.Array(Text, { description: 'Ids that no asset has' }),
  provider: { ...NullableText, description: 'Null: no model is asked, tags come from bytes and names' },
  model: NullableText,
  questions: Type.Array(Type.Object({ asset_id: Text, question: ShownQuestion }), {
    description:
      'Dry runs only: exactly what would be sent for the first ten assets, with pictures, and what each costs',
  }),
});
const run = {
  run_id: '0c6f4d6e-4a52-4d43-9a55-0d7c7e4d1c11',
  queued: 1,
  skipped: 0,
  missing: [],
  provider: 'installation',
  model: 'llava',
  questions: [],
};

const byAi = (address: `POST ${string}`, input: { name: string; summary: string; description: string }) =>
  contract(address, {
    ...byAiUsers,
    ...input,
    body: optionalBody({
      asset_ids: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 100 })),
      ai: Type.Optional(
        Type.Boolean({
          description:
            '`false` asks no model; `true` answers 409 if there is none. By default a model is asked if one is set up',
        }),
      ),
      provider: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      max_credits: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Assets beyond this limit are skipped' }),
      ),
      dry_run: Type.Optional(
        Type.Boolean({ description: 'Show what would be sent; send and queue nothing' }),
      ),
    }),
    reply: TagRun,
    errors: [404, 409],
    example: { body: { asset_ids: [exampleAsset.id] }, reply: run },
  });

const HOW =
  'The model sees smaller copies of pictures, and the name and facts of other files. Each asset is a job of the asset queue, which can be paused; tags are suggestions until they are accepted. Without `asset_ids`, all assets of the project are tagged, and `max_credits` is required if the model costs credits. Without a model, tags come from bytes and names.';

export const autoTagAssets = byAi('POST /api/assets/auto-tag', {
  name: 'autoTagAssets',
  summary: 'Suggest tags for assets',
  description: `Skips assets that have not changed since they were tagged in the same way. ${HOW}`,
});

export const rescanAssetsWithAi = byAi('POST /api/assets/ai-rescan', {
  name: 'rescanAssetsWithAi',
  summary: 'Suggest tags for assets again',
  description: `New suggestions replace those that nobody has decided on. ${HOW}`,
});

export const getTagRun = contract('GET /api/assets/tag-runs/{run_id}', {
  ...onTags,
  name: 'getTagRun',
  summary: 'Progress of a tagging run',
  description:
    'Assets that a later run has taken over count there. Failed jobs are at `GET /api/asset-queue/asset/{id}`.',
  params: Type.Object({ run_id: Type.String({ maxLength: 100 }) }),
  reply: Type.Object({
    run_id: Text,
    provider: NullableText,
    max_credits: NullableInteger,
    created_at: Text,
    waiting: Count,
    done: Count,
    skipped: Count,
    credits: { ...Count, description: 'Charged so far, and reserved for what is running' },
  }),
  errors: [404],
  example: {
    params: { run_id: run.run_id },
    reply: {
      run_id: run.run_id,
      provider: 'installation',
      max_credits: 500,
      created_at: '2026-03-02T10:15:00.000Z',
      waiting: 3,
      done: 120,
      skipped: 0,
      credits: 240,
    },
  },
});

const Suggestions = named('AssetTagSuggestions', {
  asset_id: Text,
  suggestions: Type.Array(
    Type.Object({
      tag: Text,
      confidence: Type.Number({ minimum: 0, maximum: 1 }),
      origin: oneOf(['bytes', 'name', 'model'] as const),
      provider: NullableText,
      model: NullableText,
      status: oneOf(['pending', 'accepted', 'rejected'] as const),
      decided_at: NullableText,
      decided_by: {
        ...NullableText,
        description: 'Null if nobody has decided, or if the project accepts tags automatically',
      },
    }),
    { description: 'The most certain first' },
  ),
});
const suggestions = (status: 'pending' | 'accepted' | 'rejected') => ({
  asset_id: exampleAsset.id,
  suggestions: [
    {
      tag: 'harbour',
      confidence: 0.9,
      origin: 'model' as const,
      provider: 'installation',
      model: 'llava',
      status,
      decided_at: null,
      decided_by: null,
    },
  ],
});

export const listTagSuggestions = contract('GET /api/assets/{id}/suggestions', {
  ...onTags,
  name: 'listTagSuggestions',
  summary: 'Suggested tags of an asset',
  params: AssetParams,
  reply: Suggestions,
  errors: [404],
  example: { params, reply: suggestions('pending') },
});

const decision = (word: 'accept' | 'reject', summary: string, description: string) =>
  contract(`POST /api/assets/{id}/suggestions/${word}`, {
    ...onTags,
    role: PERMISSIONS.edit_entities,
    name: `${word}TagSuggestions`,
    summary,
    description,
    params: AssetParams,
    body: optionalBody({
      tags: Type.Optional(
        Type.Array(Type.String({ maxLength: LONGEST_TAG }), {
          maxItems: 200,
          description: 'All pending ones by default',
        }),
      ),
    }),
    reply: Suggestions,
    errors: [404, 409],
    example: {
      params,
      body: {},
      reply: suggestions(word === 'accept' ? 'accepted' : 'rejected'),
    },
  });

export const acceptTagSuggestions = decision(
  'accept',
  'Accept suggested tags',
  'They become tags of the asset, in `_assets.yaml`.',
);
export const rejectTagSuggestions = decision(
  'reject',
  'Reject suggested tags',
  'They are not suggested for this asset again.',
);
