import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { createMemoryKeyValue } from '../../platform/kv/adapters/memory-kv.ts';
import type { User } from '../users/user.ts';
import { createOneTimeCodes } from './one-time-codes.ts';

const VERIFIER = 'v'.repeat(43);
const CHALLENGE = hash('sha256', VERIFIER, 'base64url');
const MARA: User = {
  userId: 'mara',
  tenantId: 'studio',
  email: 'mara@example.com',
  displayName: 'Mara',
  role: 'viewer',
  tenantRole: 'viewer',
  avatarUrl: null,
  emailVerified: true,
  isActive: true,
  createdAt: '2026-03-04T05:06:07.890Z',
  updatedAt: '2026-03-04T05:06:07.890Z',
  sessionEpoch: 1,
};

function setup() {
  const state = { now: 0, user: MARA as User | null };
  const keyValue = createMemoryKeyValue({ now: () => state.now });
  const users = { findById: async () => state.user };
  return { state, oneTimeCodes: createOneTimeCodes({ keyValue, users }) };
}

test('a code is good for a minute', async () => {
  const { state, oneTimeCodes } = setup();
  const [early, late] = [await oneTimeCodes.make(MARA, CHALLENGE), await oneTimeCodes.make(MARA, CHALLENGE)];
  state.now = 59_999;
  assert.equal((await oneTimeCodes.take(early, VERIFIER)).userId, 'mara');
  state.now = 60_000;
  await assert.rejects(oneTimeCodes.take(late, VERIFIER), { status: 401 });
});

test('a code is nothing once its account is closed, gone, or lost its sessions', async () => {
  for (const now of [null, { ...MARA, isActive: false }, { ...MARA, sessionEpoch: 2 }]) {
    const { state, oneTimeCodes } = setup();
    const code = await oneTimeCodes.make(MARA, CHALLENGE);
    state.user = now;
    await assert.rejects(oneTimeCodes.take(code, VERIFIER), { status: 401 });
  }
});
