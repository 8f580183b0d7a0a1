import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { startBeta, type TestBeta } from '../../../test/support/beta.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';

forEachDatabase((_name, open) => {
  describe('feedback of the beta programme', () => {
    let beta: TestBeta;
    before(async () => {
      beta = await startBeta(open);
    });
    after(() => beta.close());

    const send = async (token: string, more: object = {}) => {
      const body = { category: 'bug', message: 'It does not work', ...more };
      const reply = await beta.ask('POST', 'feedback', { token, body });
      assert.equal(reply.status, 201, reply.text);
      return reply.body.id;
    };
    const change = (id: string, body: object) => beta.manage('PATCH', `feedback/${id}`, body);
    const shown = async (id: string) =>
      (await beta.manage('GET', 'feedback?limit=200')).body.feedback.find((each) => each.id === id);

    test('what anybody of a tenant says is kept with what it is about, and with the cohort of the tenant', async () => {
      const owner = await beta.owner();
      const { codes } = (await beta.manage('POST', 'invite', { cohort: 'spring' })).body;
      await beta.ask('POST', 'redeem', { token: owner.token, body: { code: codes[0]?.code } });
      const viewer = beta.person(owner.tenantId, 'viewer');
      const entity = { type: 'character', id: 'mira', version: 3, findings: [{ field: 'age', line: 4 }] };
      const about = { rating: 2, page: '/characters', entity, screenshot_asset_id: 'a1', project_id: 'p' };
      const id = await send(viewer.token, about);
      const found = await shown(id);
      assert.deepEqual(found, {
        ...{ id, tenant_id: owner.tenantId, user_id: viewer.userId, cohort: 'spring', status: 'open' },
        ...{ category: 'bug', message: 'It does not work', ...about },
        ...{ answer: null, answered_at: null, note: null },
        ...{ created_at: found?.created_at, updated_at: found?.created_at },
      });
    });

    test('a list is filtered by each of its properties and by words', async () => {
      const { token } = await beta.owner();
      await send(token, { category: 'praise', message: 'ÜBERALL 100% schön_', rating: 5 });
      await send(token, { category: 'praise', message: 'überall' });
      for (const [query, total] of [
        ['category=praise', 2],
        ['category=praise&rating=5', 1],
        ['q=%C3%BCberall', 2],
        ['q=0%25%20SCH%C3%96N_', 1],
        ['q=100_', 0],
        ['category=praise&status=closed', 0],
        ['category=praise&cohort=none', 0],
      ] as const)
        assert.equal((await beta.manage('GET', `feedback?${query}`)).body.total, total, query);
      const page = await beta.manage('GET', 'feedback?category=praise&offset=1&limit=1');
      assert.deepEqual([page.body.total, page.body.feedback.length], [2, 1]);
    });

    test('an answer is mailed to its author with the change, once, however often it is sent', async () => {
      const { token, userId } = await beta.owner();
      const id = await send(token);
      const mails = () => beta.mailsTo(beta.mailOfUser(userId));
      const answer = 'It will work\nin the next version.';
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => change(id, { status: 'planned', answer, note: 'see 12' })),
      );
      assert.equal(replies.filter(({ body }) => body.mailed).length, 1);
      const [mail, second] = await mails();
      assert.ok(mail && !second);
      assert.ok(mail.body.includes(answer) && mail.body.includes('> It does not work'), mail.body);
      const found = await shown(id);
      assert.deepEqual([found?.status, found?.answer, found?.note], ['planned', answer, 'see 12']);
      assert.equal((await change(id, { answer: 'It works now' })).body.mailed, true);
      assert.equal((await mails()).length, 2);
      assert.equal((await change(id, { status: 'closed' })).body.mailed, false);
      assert.equal((await shown(id))?.answer, 'It works now');
      assert.equal((await change('no-such', { status: 'closed' })).status, 404);
      assert.equal((await change(id, { status: 'gone' })).status, 422);
    });

    test('what a deleted person wrote stays, and an answer goes to nobody', async () => {
      const { token, userId } = await beta.owner();
      const id = await send(token, { message: 'Farewell' });
      beta.deleted.add(userId);
      assert.equal((await change(id, { answer: 'Come back' })).body.mailed, false);
      const found = await shown(id);
      assert.deepEqual([found?.message, found?.user_id], ['Farewell', userId]);
      assert.equal((await change(id, { answer: 'Still here?' })).body.mailed, false);
      assert.deepEqual(await beta.mailsTo(beta.mailOfUser(userId)), []);
    });

    test('a table of all feedback runs no formulas', async () => {
      const { token } = await beta.owner();
      const message = '=HYPERLINK("http://example.com";"x"),\n"y"';
      const id = await send(token, { message, category: 'other', page: '@SUM(1)' });
      const reply = await beta.manage('GET', 'feedback?format=csv&category=other');
      assert.match(String(reply.headers['content-type']), /^text\/csv/);
      const rows: Record<string, string>[] = parse(reply.text, { columns: true, record_delimiter: '\r\n' });
      assert.deepEqual(
        rows.map((row) => [row.id, row.message, row.page]),
        [[id, `'${message}`, "'@SUM(1)"]],
      );
    });

    test('one person sends no more than a hundred a day', async () => {
      const { token } = await beta.owner();
      for (let sent = 0; sent < 100; sent += 1) await send(token);
      const body = { category: 'idea', message: 'One more' };
      const refused = await beta.ask('POST', 'feedback', { token, body });
      assert.deepEqual([refused.status, refused.body.code], [429, 'too_much_feedback']);
      beta.clock.pass(24 * 3_600_000);
      await send(token);
      for (const wrong of [
        { category: 'bug' },
        { ...body, message: '' },
        { ...body, rating: 6 },
        { ...body, user_id: 'another' },
        { ...body, entity: { type: 'a', id: 'b', secret: 1 } },
        { ...body, entity: { type: 'a', id: 'b', findings: Array.from({ length: 51 }, () => ({})) } },
      ])
        assert.equal((await beta.ask('POST', 'feedback', { token, body: wrong })).status, 422);
    });
  });
});
