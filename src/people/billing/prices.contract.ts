import { Type } from 'typebox';
import { PLAN_NAMES } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import { Count, NullableText, named, oneOf, Text } from '../../kit/schemas.ts';

export const TAG = 'Billing';

export const Plan = oneOf(PLAN_NAMES);
export const Interval = oneOf(['month', 'year'] as const);
const Source = oneOf(['provider', 'cache', 'none'] as const);

const Price = Type.Object({
  price_id: Text,
  amount: Type.Integer({ description: "In the currency's smallest unit" }),
  currency: Text,
});

const PlanOffer = named('PlanOffer', {
  plan: Plan,
  name: Text,
  description: Text,
  per_seat: Type.Boolean({ description: 'The price is for each seat' }),
  prices: Type.Array(Type.Object({ ...Price.properties, interval: Interval })),
  max_users: Type.Integer({ description: '-1: as many as there are seats, or any number' }),
  credits_monthly: Type.Integer(),
  credits_pooled: Type.Boolean(),
  entities_limit: Type.Integer(),
  activation_limit: Type.Integer(),
  storage_bytes: Type.Integer(),
  features: Type.Array(Text),
});

const known = {
  configured: Type.Boolean({ description: 'False: nothing can be bought here' }),
  source: Type.Unsafe<'provider' | 'cache' | 'none'>({
    ...Source,
    description: '`cache`: the provider does not answer, and this is what it last said',
  }),
  as_of: Type.Unsafe<string | null>({ ...NullableText, description: 'When the provider said so' }),
};

const asOf = '2026-03-04T05:06:07.890Z';

export const listPrices = contract('GET /api/billing/prices', {
  name: 'listPrices',
  auth: 'none',
  tag: TAG,
  summary: 'Plans and their prices',
  description:
    'Without a billing provider, and while it was never reached, the plans stand there without prices.',
  reply: named('Prices', { ...known, currency: NullableText, plans: Type.Array(PlanOffer) }),
  example: {
    reply: {
      configured: true,
      source: 'provider',
      as_of: asOf,
      currency: 'eur',
      plans: [
        {
          plan: 'indie',
          name: 'Canonry Indie',
          description: 'For one author',
          per_seat: false,
          prices: [{ price_id: 'price_1', amount: 900, currency: 'eur', interval: 'month' }],
          max_users: 1,
          credits_monthly: 500,
          credits_pooled: false,
          entities_limit: 5000,
          activation_limit: 15,
          storage_bytes: 25_000_000_000,
          features: ['web_access'],
        },
      ],
    },
  },
});

export const listTokenBlocks = contract('GET /api/billing/token-blocks', {
  name: 'listTokenBlocks',
  auth: 'bearer',
  tag: TAG,
  summary: 'Blocks of credits that can be bought',
  reply: named('TokenBlocks', {
    ...known,
    blocks: Type.Array(
      Type.Object({
        ...Price.properties,
        block: Type.Unsafe<string>({
          type: 'string',
          description: 'For `POST /api/billing/purchase-tokens`',
        }),
        name: Text,
        description: Text,
        credits: Count,
      }),
    ),
  }),
  example: {
    reply: {
      configured: true,
      source: 'provider',
      as_of: asOf,
      blocks: [
        {
          block: 'credits_500',
          price_id: 'price_3',
          amount: 500,
          currency: 'eur',
          name: '500 credits',
          description: 'Credits for AI that never expire',
          credits: 500,
        },
      ],
    },
  },
});
