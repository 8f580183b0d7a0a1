import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';

interface Finding {
  finding_id: string;
  kind: string;
  severity: string;
  message: string;
  evidence: { entity_id: string; field: string; value: unknown; file: string; line: number | null }[];
  reason: string | null;
}
interface Report {
  status: string;
  progress: { done: number; total: number } | null;
  started_at: string | null;
  entities: number;
  stale: boolean;
  calendar: string;
  kinds: { kind: string; enabled: boolean; reason: string | null; open: number; accepted: number }[];
  open: number;
  accepted: number;
  problems: { file: string; message: string; line: number | null }[];
  findings: Finding[];
  total: number;
}
interface Settings {
  calendar: unknown;
  checks: Record<string, unknown>;
  accepted: { finding_id: string; reason: string }[];
  problems: { file: string; line: number | null }[];
  detail?: string;
}

forEachDatabase((_name, open) => {
  describe('canon of a project', () => {
    let core: TestCore;
    before(async () => {
      core = await startCore({ open });
      await create('character', 'ada', 'Ada Vale', { birth_year: 360, death_year: 401 });
      await create('character', 'bo', 'Bo', { birth_year: 390, parents: ['ada'] });
      await create('location', 'mill', 'The Mill', { destroyed_year: 405 });
      await create('event', 'siege', 'The Siege', {
        date: '0410-03-04',
        location: 'mill',
        participants: ['bo', 'ada'],
      });
    });
    after(() => core.close());

    const create = async (type: string, id: string, name: string, fields: object) => {
      const reply = await core.call('POST', `/api/entity/${type}`, { body: { entity_id: id, name, fields } });
      assert.equal(reply.status, 201, reply.text);
    };
    const check = async (body?: object) => {
      const reply = await core.call<Report>('POST', '/api/canon/check', body === undefined ? {} : { body });
      assert.equal(reply.status, 200, reply.text);
      return reply.body;
    };
    const findings = async (query = '') =>
      (await core.call<Report>('GET', `/api/canon/findings${query}`)).body;
    const put = (body: object, headers: Record<string, string> = {}) =>
      core.call<Settings>('PUT', '/api/canon/settings', { body, headers });
    const kindsOf = ({ findings: all }: Report) => all.map(({ kind }) => kind);
    const settingsFile = () => join(core.contentDir, '_Rules/canon.md');

    test('is not known before a check', async () => {
      const report = await findings();
      assert.deepEqual([report.status, report.started_at, report.findings], ['none', null, []]);
    });

    test('a check names both sides with file and line', async () => {
      const report = await check();
      assert.deepEqual([report.status, report.entities, report.stale, report.open], ['done', 4, false, 2]);
      assert.deepEqual(kindsOf(report), ['after_end', 'place_gone']);
      const [dead] = report.findings;
      assert.equal(dead?.message, 'Ada Vale takes part in The Siege (0410-03-04), but had died in 401');
      assert.deepEqual(
        dead?.evidence.map(({ file, field, value }) => [file, field, value]),
        [
          ['Events/siege/EVT_siege.md', 'participants.1', 'ada'],
          ['Characters/ada/CH_ada.md', 'death_year', 401],
        ],
      );
      for (const { file, line, value } of dead?.evidence ?? []) {
        const text = readFileSync(join(core.contentDir, file), 'utf8').split('\n')[(line ?? 0) - 1];
        assert.ok(text?.includes(String(value)), `${file}:${line}: ${text}`);
      }
    });

    test('findings are asked for by kind, by entity and page by page', async () => {
      assert.deepEqual(kindsOf(await findings('?kind=place_gone')), ['place_gone']);
      assert.deepEqual(kindsOf(await findings('?entity=character/ada')), ['after_end']);
      assert.deepEqual(kindsOf(await findings('?entity=event/siege')), ['after_end', 'place_gone']);
      const second = await findings('?limit=1&offset=1');
      assert.deepEqual([kindsOf(second), second.total], [['place_gone'], 2]);
      assert.equal((await core.call('GET', '/api/canon/findings?kind=typos')).status, 422);
      assert.equal((await core.call('GET', '/api/canon/findings?limit=100000')).status, 422);
    });

    test('a change makes the findings stale, and the next check sees it', async () => {
      await core.call('PUT', '/api/entity/character/ada', { body: { fields: { death_year: 420 } } });
      assert.equal((await findings()).stale, true);
      assert.deepEqual(kindsOf(await check()), ['place_gone']);
      await core.call('PUT', '/api/entity/character/ada', { body: { fields: { death_year: 401 } } });
      const report = await check();
      assert.deepEqual([report.stale, report.open], [false, 2]);
    });

    test('what is archived is not canon', async () => {
      await core.call('PUT', '/api/entity/event/siege', { body: { status: 'archived' } });
      assert.deepEqual(kindsOf(await check()), []);
      await core.call('PUT', '/api/entity/event/siege', { body: { status: 'active' } });
      assert.equal((await check()).open, 2);
    });

    test('kinds are switched off and findings accepted with a reason, in a file', async () => {
      const [dead] = (await findings()).findings;
      const id = dead?.finding_id ?? '';
      const reply = await put({
        checks: { place_gone: { enabled: false, reason: 'We love ruins' } },
        accepted: [{ finding_id: id, reason: 'She is a ghost' }],
      });
      assert.equal(reply.status, 200, reply.text);
      await core.call('POST', '/api/entity/sync/all');
      const report = await findings();
      assert.deepEqual([report.open, report.accepted, report.stale, report.findings], [0, 1, false, []]);
      const ruins = report.kinds.find(({ kind }) => kind === 'place_gone');
      assert.deepEqual([ruins?.enabled, ruins?.reason], [false, 'We love ruins']);
      const accepted = await findings('?accepted=true');
      assert.deepEqual(
        accepted.findings.map(({ finding_id, reason }) => [finding_id, reason]),
        [[id, 'She is a ghost']],
      );
      assert.match(readFileSync(settingsFile(), 'utf8'), /reason: "?We love ruins/);
    });

    test('an edit of the settings leaves all else in the file as it is', async () => {
      const text = readFileSync(settingsFile(), 'utf8').replace(
        '---\n',
        '---\n# by hand\nmine: "kept"  # too\n',
      );
      writeFileSync(settingsFile(), text);
      const { headers, body } = await core.call<Settings>('GET', '/api/canon/settings');
      assert.equal(body.accepted[0]?.reason, 'She is a ghost');
      const etag = String(headers.etag);
      const changed = await put({ checks: {} }, { 'if-match': etag });
      assert.equal(changed.status, 200, changed.text);
      const edited = readFileSync(settingsFile(), 'utf8');
      assert.ok(edited.includes('# by hand\nmine: "kept"  # too\n') && edited.includes('She is a ghost'));
      assert.equal((await put({ accepted: [] }, { 'if-match': etag })).status, 412);
      assert.equal((await put({ accepted: [] })).status, 200);
      assert.equal((await findings()).open, 2);
    });

    test('settings that make no sense are refused, or told where a file has them', async () => {
      const bad = [
        { checks: { place_gone: { enabled: false } } },
        { checks: { typos: { enabled: true } } },
        { accepted: [{ finding_id: 'x', reason: 'y' }] },
        { accepted: [{ finding_id: '0123456789abcdef', reason: ' ' }] },
        { calendar: { months: [{ name: 'Thaw' }] } },
        { unknown: 1 },
      ];
      for (const body of bad) assert.equal((await put(body)).status, 422, JSON.stringify(body));
      const good = readFileSync(settingsFile(), 'utf8');
      writeFileSync(settingsFile(), '---\nchecks:\n  typos: { enabled: false }\n---\n');
      const { problems } = (await core.call<Settings>('GET', '/api/canon/settings')).body;
      assert.deepEqual(
        problems.map(({ file, line }) => [file, line]),
        [['_Rules/canon.md', 3]],
      );
      writeFileSync(settingsFile(), '---\nchecks: [\n---\n');
      const refused = await put({ checks: {} });
      assert.equal(refused.status, 409);
      assert.match(refused.body.detail ?? '', /_Rules\/canon\.md cannot be read/);
      assert.equal((await findings()).problems[0]?.file, '_Rules/canon.md');
      writeFileSync(settingsFile(), good);
    });

    test('the project’s own calendar decides what a date is', async () => {
      await create('event', 'feast', 'The Feast', { date: '40 Thaw 410', participants: ['bo'] });
      assert.deepEqual((await check()).kinds.find(({ kind }) => kind === 'unreadable_date')?.open, 1);
      const calendar = {
        name: 'Ash',
        months: [
          { name: 'Thaw', days: 40 },
          { name: 'Frost', days: 40 },
        ],
      };
      assert.equal((await put({ calendar })).status, 200);
      assert.equal((await findings()).stale, true);
      const report = await check();
      assert.equal(report.calendar, 'Ash');
      assert.deepEqual(
        report.findings
          .filter(({ kind }) => kind === 'unreadable_date')
          .map(({ evidence }) => evidence[0]?.entity_id),
        ['siege'],
      );
      assert.equal((await put({ calendar: null })).body.calendar, null);
      assert.ok(!readFileSync(settingsFile(), 'utf8').includes('Thaw'));
      await core.call('DELETE', '/api/entity/event/feast');
    });

    test('one check runs at a time, and may run in the background', async () => {
      const started = await check({ wait: false });
      assert.equal(started.status, 'running');
      const [one, other] = await Promise.all([check(), check()]);
      assert.equal(one.started_at, other.started_at);
      assert.equal((await check({ limit: 1 })).findings.length, 1);
    });

    test('a hint in a template that means nothing is told', async () => {
      const folder = join(core.contentDir, '_Templates/Custom');
      mkdirSync(folder, { recursive: true });
      const text =
        '---\nentity_type: ship\nname: "[Name]"\nlaunched: ""\nfield_config: { launched: { canon: brith } }\n---\n';
      writeFileSync(join(folder, 'SHIP_TEMPLATE.md'), text);
      await core.call('POST', '/api/entity/sync/all');
      assert.match((await check()).problems[0]?.message ?? '', /brith.*known are birth/);
    });

    test('viewers may look, and not change the settings', async () => {
      const token = await core.registerViewer();
      const calls = [
        ['POST', '/api/canon/check', 200],
        ['GET', '/api/canon/findings', 200],
        ['GET', '/api/canon/settings', 200],
      ] as const;
      for (const [method, url, status] of calls)
        assert.equal((await core.call(method, url, { token })).status, status);
      assert.equal((await core.call('PUT', '/api/canon/settings', { token, body: {} })).status, 403);
      assert.equal((await core.call('GET', '/api/canon/findings', { token: null })).status, 401);
    });
  });

  test('a check under way does not keep the service from stopping', async () => {
    const core = await startCore({ open, content: 'sample' });
    await core.call('POST', '/api/entity/sync/all');
    const { body } = await core.call<Report>('POST', '/api/canon/check', { body: { wait: false } });
    assert.equal(body.status, 'running');
    await core.close();
  });

  test('the sample world is sound, and says what is meant', async () => {
    const core = await startCore({ open, content: 'sample' });
    try {
      await core.call('POST', '/api/entity/sync/all');
      const { body } = await core.call<Report>('POST', '/api/canon/check');
      assert.deepEqual([body.open, body.accepted, body.problems, body.calendar], [0, 3, [], 'the Count']);
      assert.ok(body.entities > 40);
    } finally {
      await core.close();
    }
  });
});
