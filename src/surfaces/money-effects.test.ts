import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCore } from '../../test/support/core.ts';
import { forEachDatabase } from '../../test/support/databases.ts';
import { openTestSocket, socketAddress } from '../../test/support/sockets.ts';

interface Spent {
  balance: number;
}

forEachDatabase((_name, open) => {
  test('listeners hear of spending once, with the balance of that time, and not of a repeated request', async (t) => {
    const core = await startCore({ open, content: 'empty', env: { LOCAL_PLAN: 'free' } });
    t.after(() => core.close());
    const socket = await openTestSocket(await socketAddress(core.app), { token: core.adminToken });
    await socket.next('ready');
    const spend = async (amount: number, key: string) => {
      const reply = await core.call<Spent>('POST', '/api/billing/credits/consume', {
        body: { amount, operation: 'ai_generate' },
        headers: { 'idempotency-key': key },
      });
      assert.equal(reply.status, 200, reply.text);
      return reply.body.balance;
    };
    assert.equal(await spend(30, 'one'), 70);
    assert.equal(await spend(20, 'two'), 50);
    assert.equal(await spend(30, 'one'), 70, 'the first answer again');
    assert.equal(await spend(5, 'three'), 45);
    const heard = [];
    do heard.push(await socket.next('brainbits_deducted'));
    while (heard.at(-1)?.amount !== 5);
    assert.deepEqual(
      heard.map(({ amount, remaining }) => [amount, remaining]),
      [
        [30, 70],
        [20, 50],
        [5, 45],
      ],
    );
    const { body } = await core.call<Spent>('GET', '/api/billing/credits');
    assert.equal(body.balance, 45);
    socket.peer.close();
  });
});
