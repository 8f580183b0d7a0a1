import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { until } from '../../../test/support/until.ts';
import type { EventOf } from '../../kit/event.ts';
import { operationProgress } from '../changesets/operation.events.ts';
import type { OperationReport } from '../changesets/report.ts';
import type { ImportResult } from './imports.service.ts';

const AT_ONCE = { prefer: 'respond-async' };

const people = (count: number) => ({
  content: JSON.stringify(
    Array.from({ length: count }, (_, row) => ({ name: `Person ${row}`, mood: 'odd' })),
  ),
  entity_type: 'character',
});

forEachDatabase((_name, open) => {
  describe('an operation that outlasts its request', () => {
    let core: TestCore;
    beforeEach(async () => {
      core = await startCore({ open });
    });
    afterEach(() => core.close());

    const post = <Body = OperationReport>(path: string, body?: object, headers = AT_ONCE) =>
      core.call<Body>('POST', `/api/${path}`, { body, headers });
    const operation = async (id: string) =>
      (await core.call<OperationReport>('GET', `/api/operations/${id}`)).body;
    const ended = async (id: string): Promise<OperationReport> => {
      await until(async () => (await operation(id)).finished_at !== null);
      return operation(id);
    };
    const begin = async (path: string, body?: object): Promise<OperationReport> => {
      const reply = await post(path, body);
      assert.equal(reply.status, 202, reply.text);
      assert.equal(reply.headers.location, `/api/operations/${reply.body.operation_id}`);
      return reply.body;
    };
    const isThere = (id: string) => existsSync(join(core.contentDir, `Characters/${id}/CH_${id}.md`));

    test('is followed by its id, to its end and back', async () => {
      const progress: EventOf<typeof operationProgress>[] = [];
      const unfollow = core.bus.on(operationProgress, (event) => void progress.push(event));
      const begun = await begin('import/smart', people(40));
      assert.deepEqual([begun.kind, begun.status, begun.applied], ['import', 'running', 0]);
      const done = await ended(begun.operation_id);
      assert.deepEqual([done.status, done.total, done.applied], ['done', 40, 40]);
      assert.equal(done.label, 'Import of 40 entities');
      const report = await core.call<ImportResult>('GET', `/api/import/${begun.operation_id}/report`);
      assert.equal(report.status, 200, report.text);
      assert.equal(report.body.totals.notes.create, 40);
      assert.equal(report.body.notes.length, 40);
      assert.equal(report.body.operation?.status, 'done');
      await until(() => progress.some(({ status }) => status === 'done'));
      const last = progress.at(-1);
      assert.deepEqual([last?.operation_id, last?.done, last?.total], [begun.operation_id, 40, 40]);
      unfollow();

      const undo = await begin(`operations/${begun.operation_id}/undo`);
      assert.equal((await ended(undo.operation_id)).status, 'done');
      assert.equal((await operation(begun.operation_id)).status, 'undone');
      assert.equal(isThere('person_0'), false);
      const none = await core.call('GET', `/api/import/${undo.operation_id}/report`);
      assert.equal(none.status, 404, none.text);
    });

    test('that ends soon is answered as ever, and one with nothing to do leaves nothing', async () => {
      const waits = { prefer: 'wait=60' };
      const reply = await post<ImportResult>('import/smart', people(2), waits);
      assert.deepEqual([reply.status, reply.body.operation?.applied], [200, 2]);
      const again = await post<ImportResult>('import/smart', people(2), waits);
      assert.deepEqual([again.status, again.body.operation], [200, null]);
      const list = await core.call<{ total: number }>('GET', '/api/operations/history');
      assert.equal(list.body.total, 1);
    });

    test('is cancelled: what it has done stays and can be taken back', async () => {
      const begun = await begin('import/smart', people(400));
      const reply = await post(`operations/${begun.operation_id}/cancel`);
      assert.equal(reply.status, 200, reply.text);
      assert.ok(['cancelling', 'cancelled'].includes(reply.body.status), reply.text);
      const cut = await ended(begun.operation_id);
      assert.equal(cut.status, 'cancelled');
      assert.ok(cut.applied < 400);
      assert.equal(cut.applied + cut.skipped_total, cut.total);
      for (const { reason } of cut.skipped) assert.match(reason, /cancelled/);
      const over = await post(`operations/${begun.operation_id}/cancel`);
      assert.equal(over.status, 409, over.text);
      const undo = await begin(`operations/${begun.operation_id}/undo`);
      assert.equal((await ended(undo.operation_id)).status, 'done');
      assert.equal(isThere('person_0'), false);
      assert.equal((await core.call('POST', '/api/operations/none/cancel')).status, 404);
    });

    test('lets the next one begin as soon as it is finished, although its lock is released a little later', async () => {
      const [project] = core.projects.opened();
      assert.ok(project);
      const { ifFree } = project.database;
      project.database.ifFree = (key, work, otherwise) => {
        const slowly = async () => {
          const result = await work();
          await setTimeout(100);
          return result;
        };
        return ifFree(key, slowly, otherwise);
      };
      const first = await begin('import/smart', people(5));
      assert.equal((await ended(first.operation_id)).status, 'done');
      const undo = await begin(`operations/${first.operation_id}/undo`);
      assert.equal((await ended(undo.operation_id)).status, 'done');
    });

    test('holds no other up for longer than it runs, and says that it runs', async () => {
      const begun = await begin('import/smart', people(100));
      const second = await post('import/smart', people(1));
      const isBusy = second.status === 409;
      assert.ok(isBusy || (await operation(begun.operation_id)).status === 'done', second.text);
      await ended(begun.operation_id);
    });
  });

  test('one whose service stops while it is planned ends as failed, one of which nobody knows leaves nothing', async () => {
    const core = await startCore({ open });
    try {
      const [project] = core.projects.opened();
      assert.ok(project);
      const stopped = Promise.withResolvers<void>();
      async function* steps() {
        yield {
          kind: 'create',
          entity_type: 'character',
          entity_id: 'ada',
          text: '---\nid: ada\n---\n',
        } as const;
        await stopped.promise;
        yield {
          kind: 'create',
          entity_type: 'character',
          entity_id: 'eve',
          text: '---\nid: eve\n---\n',
        } as const;
      }
      const author = { actor: 'ada', plan: 'enterprise' } as const;
      const request = { kind: 'import', label: 'Import', author, source: 'import' } as const;
      const answer = await core.changesets.unlessLong(project, 0, (onBegin) =>
        core.changesets.apply(project, { ...request, steps: steps(), onBegin }),
      );
      assert.ok('operation' in answer);
      const stopping = core.changesets.stop();
      stopped.resolve();
      await stopping;
      const { operations } = await core.changesets.list(project, 10, 0);
      assert.deepEqual(
        operations.map(({ status, reason }) => [status, reason]),
        [['failed', 'The service is stopping']],
      );
      await assert.rejects(core.changesets.apply(project, { ...request, steps: steps() }), /stopping/);
      assert.equal((await core.changesets.list(project, 10, 0)).total, 1);
    } finally {
      await core.close();
    }
  });

  test('a plan that fails after its request was answered says why', async () => {
    const core = await startCore({ open, env: { LOCAL_PLAN: 'free' } });
    try {
      const reply = await core.call<OperationReport>('POST', '/api/import/smart', {
        // Enough that their plan takes several turns.
        body: people(5_000),
        headers: AT_ONCE,
      });
      const { operation_id } = reply.body;
      assert.equal(reply.status, 202, reply.text);
      const read = async () =>
        (await core.call<OperationReport>('GET', `/api/operations/${operation_id}`)).body;
      await until(async () => (await read()).finished_at !== null);
      const { status, reason, total } = await read();
      assert.deepEqual([status, total], ['failed', 0]);
      assert.match(reason ?? '', /your plan allows 100/);
      assert.equal(existsSync(join(core.contentDir, 'Characters/person_0')), false);
    } finally {
      await core.close();
    }
  });
});
