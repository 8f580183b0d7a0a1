import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startCloud } from './support/cloud.ts';
import { callersOfAccounts } from './support/role-callers.ts';
import { testRoleMatrix } from './support/role-matrix.ts';

/** The roles are those of the self-hosted core; only identity, credentials and plan differ here. */
const ENOUGH = ['nobody', 'viewer', 'admin', 'a key to read', 'an owner on indie with {}'];

if (process.env.CANONRY_TEST_POSTGRES === 'off' || process.env.CANONRY_TEST_REDIS === 'off') {
  test('a core of the cloud', { skip: 'needs PostgreSQL and Redis' }, () => {});
} else {
  const cloud = await startCloud();
  after(() => cloud.close());
  const all = await callersOfAccounts(cloud.accounts);
  const callers = all.filter(({ who }) => ENOUGH.includes(who));
  assert.equal(callers.length, ENOUGH.length);
  const [core] = cloud.cores;
  const { serviceToken } = cloud.accounts;
  describe('a core of the cloud', () => testRoleMatrix({ ...core, callers, serviceToken, isOpen: false }));
}
