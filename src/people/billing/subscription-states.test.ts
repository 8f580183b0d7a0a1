import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from '../../../test/support/properties.ts';
import { SUBSCRIPTION_STATUSES } from '../../platform/payments/payments.ts';
import { SUBSCRIPTION_STATES, type SubscriptionState } from './subscription.contract.ts';
import {
  GIVES_PLAN,
  IS_LIVE,
  NEXT_STATE,
  nextState,
  SUBSCRIPTION_SIGNALS,
  type SubscriptionSignal,
  signalOf,
} from './subscription-states.ts';

/** Each line: a state, then the next one after each signal in their order. */
const PATHS = `
incomplete  incomplete trialing active canceling past_due   paused ended  active     incomplete incomplete
trialing    incomplete trialing active canceling past_due   paused ended  trialing   past_due   trialing
active      incomplete trialing active canceling past_due   paused ended  active     past_due   active
canceling   incomplete trialing active canceling past_due   paused ended  canceling  past_due   canceling
past_due    incomplete trialing active canceling past_due   paused ended  active     past_due   past_grace
past_grace  incomplete trialing active canceling past_grace paused ended  active     past_grace past_grace
paused      incomplete trialing active canceling past_due   paused ended  paused     paused     paused
ended       ended      ended    ended  ended     ended      ended  ended  ended      ended      ended
`;

describe('states of a subscription', () => {
  test('every signal in every state', () => {
    const lines = PATHS.trim()
      .split('\n')
      .map((line) => line.split(/\s+/));
    assert.deepEqual(
      lines.map(([state]) => state),
      [...SUBSCRIPTION_STATES],
    );
    for (const [state, ...next] of lines) {
      assert.equal(next.length, SUBSCRIPTION_SIGNALS.length);
      for (const [index, signal] of SUBSCRIPTION_SIGNALS.entries())
        assert.equal(NEXT_STATE[state as SubscriptionState][signal], next[index], `${state} after ${signal}`);
    }
  });

  test('who has the plan, and who may not buy another', () => {
    const having = SUBSCRIPTION_STATES.filter((state) => GIVES_PLAN[state]);
    assert.deepEqual(having, ['trialing', 'active', 'canceling', 'past_due']);
    const live = SUBSCRIPTION_STATES.filter((state) => IS_LIVE[state]);
    assert.deepEqual(live, ['trialing', 'active', 'canceling', 'past_due', 'past_grace', 'paused']);
  });

  test("each status of the provider's has its signal", () => {
    const signals = SUBSCRIPTION_STATUSES.flatMap((status) =>
      [false, true].map((cancelAtPeriodEnd) => signalOf({ status, cancelAtPeriodEnd })),
    );
    assert.deepEqual(signals, [
      ...['is_incomplete', 'is_incomplete', 'is_ended', 'is_ended', 'is_trialing', 'is_canceling'],
      ...['is_active', 'is_canceling', 'is_unpaid', 'is_unpaid', 'is_ended', 'is_ended'],
      ...['is_unpaid', 'is_unpaid', 'is_paused', 'is_paused'],
    ]);
  });

  test('on any walk: the end is final, and after the grace only a payment or the provider gives the plan back', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...SUBSCRIPTION_SIGNALS), { maxLength: 40 }), (walk) => {
        let state: SubscriptionState = 'incomplete';
        let hasEnded = false;
        for (const signal of walk) {
          const before: SubscriptionState = state;
          state = nextState(state, [signal]);
          assert.equal(state, NEXT_STATE[before][signal]);
          hasEnded ||= signal === 'is_ended';
          if (hasEnded) assert.ok(!GIVES_PLAN[state] && !IS_LIVE[state]);
          if (before === 'past_grace' && GIVES_PLAN[state]) assert.ok(GIVING_BACK.has(signal), signal);
          if (GIVES_PLAN[state]) assert.ok(IS_LIVE[state]);
        }
        assert.equal(nextState(null, walk), state);
      }),
      { numRuns: 500 },
    );
  });
});

const GIVING_BACK = new Set<SubscriptionSignal>(['is_active', 'is_trialing', 'is_canceling', 'paid']);
