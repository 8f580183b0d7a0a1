import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AiCore, startAiCore } from '../../../../test/support/ai.ts';
import { assertAsShown, type Shown } from '../../../../test/support/ask-as-shown.ts';
import { forEachDatabase } from '../../../../test/support/databases.ts';
import { until } from '../../../../test/support/until.ts';
import type { FillReply } from './fill.contract.ts';
import { fillProgress } from './fill.events.ts';

const FILL = '/api/ai/fill';
const ANSWER = { text: '{"fields": {"want": "A key", "need": "Rest"}}' };

forEachDatabase((_name, open) => {
  describe('filling the empty fields of a type', () => {
    let core: AiCore;
    let ahead = 0;
    const told: { status: string; done: number; total: number }[] = [];
    before(async () => {
      const clock = { now: () => Date.now() + ahead };
      core = await startAiCore({ open, content: 'templates', clock });
      core.bus.on(fillProgress, ({ status, done, total }) => void told.push({ status, done, total }));
      for (const id of ['ada', 'bo', 'cy', 'di']) {
        const fields = id === 'di' ? { want: 'Sleep', need: 'Bread' } : {};
        await core.call('POST', '/api/entity/character', { body: { entity_id: id, name: id, fields } });
      }
    });
    after(() => core.close());

    const start = (body: object) =>
      core.call<FillReply & { code?: string }>('POST', FILL, {
        body: { entity_type: 'character', fields: ['want', 'need'], max_credits: 1_000, ...body },
      });
    const read = async (id: string) => (await core.call<FillReply>('GET', `${FILL}/${id}`)).body;
    const ended = async (id: string): Promise<FillReply> => {
      await until(async () => (await read(id)).status !== 'running');
      return read(id);
    };

    it('makes one proposal for each entity, in one change set, of what a dry run shows', async () => {
      core.llm.script(ANSWER);
      const shown: Shown['requests'] = [];
      for (const entity_id of ['ada', 'bo', 'cy']) {
        const body = {
          entity_type: 'character',
          entity_id,
          target: { fields: ['want', 'need'] },
          dry_run: true,
        };
        shown.push(...(await core.call<Shown>('POST', '/api/ai/generate', { body })).body.requests);
      }
      const sent = core.llm.chats().length;
      const begun = await start({});
      assert.equal(begun.status, 200, begun.text);
      const run = await ended(begun.body.run_id);
      assert.deepEqual(
        [run.status, run.total, run.done, run.proposed, run.skipped, run.failed, run.credits],
        ['done', 4, 4, 3, 1, 0, 3],
      );
      assertAsShown({ requests: shown }, core.llm.chats().slice(sent));
      assert.equal(core.llm.chats().length - sent, 3);
      const listed = await core.call<{ total: number; proposals: { kind: string; status: string }[] }>(
        'GET',
        `/api/ai/proposals?change_set_id=${run.change_set_id}`,
      );
      assert.equal(listed.body.total, 3);
      assert.ok(listed.body.proposals.every(({ kind, status }) => kind === 'fill' && status === 'pending'));
      await core.bus.idle();
      assert.deepEqual(told.at(-1), { status: 'done', done: 4, total: 4 });
    });

    it('stops before its limit of credits could be passed', async () => {
      core.llm.script(ANSWER);
      const sent = core.llm.chats().length;
      const run = await ended((await start({ max_credits: 1 })).body.run_id);
      assert.deepEqual([run.status, run.credits, run.proposed], ['stopped', 0, 0]);
      assert.match(run.reason ?? '', /limit of 1 credits/);
      assert.equal(core.llm.chats().length, sent);
    });

    it('goes on past an entity whose answer is of no use', async () => {
      core.llm.script({ text: 'I would rather not.' });
      const run = await ended((await start({ entity_ids: ['ada', 'bo'] })).body.run_id);
      assert.deepEqual([run.status, run.failed, run.failures.length], ['done', 2, 2]);
      assert.equal(run.credits, 2);
    });

    it('counts what useless answers have cost towards its limit', async () => {
      core.llm.script({ text: 'I would rather not.', usage: { input: 4_000, output: 4_000 } });
      const body = { entity_type: 'character', entity_id: 'ada', target: { fields: ['want', 'need'] } };
      const { price } = (
        await core.call<Shown>('POST', '/api/ai/generate', { body: { ...body, dry_run: true } })
      ).body;
      const most = 2 * price + 1;
      const { run_id: id } = (await start({ max_credits: most })).body;
      assert.equal((await ended(id)).status, 'stopped');
      await until(async () => (await read(id)).failed === 2);
      const { credits } = await read(id);
      assert.ok(credits > 8 && credits <= most, `${credits} of ${most}`);
    });

    it('ends when the provider fails at every attempt, and says why', async () => {
      core.llm.script({ refuse: { status: 503 } });
      const { run_id: id } = (await start({ entity_ids: ['ada'] })).body;
      await until(async () => {
        // The next attempt comes nearer, and another run has the worker look for work.
        ahead += 2_000;
        await start({ entity_ids: ['di'] });
        return (await read(id)).status !== 'running';
      });
      const run = await read(id);
      assert.deepEqual([run.status, run.failed, run.done], ['done', 1, 1]);
      assert.match(run.failures[0]?.detail ?? '', /answered 503/);
    });

    it('can be cancelled: what is being asked ends, and nothing more is asked', async () => {
      const gate = Promise.withResolvers<void>();
      core.llm.script({ ...ANSWER, after: gate.promise });
      const { run_id: id } = (await start({})).body;
      await until(() => core.llm.open() > 0);
      const cancelled = await core.call<FillReply>('DELETE', `${FILL}/${id}`);
      assert.equal(cancelled.body.status, 'cancelled');
      const sent = core.llm.chats().length;
      gate.resolve();
      await until(() => core.llm.open() === 0);
      assert.equal((await read(id)).status, 'cancelled');
      assert.ok(core.llm.chats().length <= sent + 1);
    });

    it('says what is wrong with a run', async () => {
      const wrong = async (body: object) => {
        const { status, body: reply } = await start(body);
        return `${status} ${reply.code}`;
      };
      assert.equal(await wrong({ entity_type: 'ghost' }), '404 unknown_type');
      assert.equal(await wrong({ entity_ids: ['nobody'] }), '404 no_such_entity');
      assert.equal(await wrong({ fields: ['wnat'] }), '422 invalid_target');
      assert.equal(await wrong({ entity_ids: ['ada'], filter: {} }), '422 invalid_fill');
      assert.equal(await wrong({ filter: { status: 'archived' } }), '409 nothing_to_fill');
      assert.equal((await core.call('GET', `${FILL}/none`)).body.code, 'no_such_fill');
    });
  });
});
