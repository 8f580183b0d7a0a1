import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startCloud } from '../../../test/support/cloud.ts';
import { startCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { type People, type Person, startPeople } from '../../../test/support/people.ts';

interface Installation {
  installation_id: string;
  skill_id: string;
  enabled: boolean;
  source: string;
  installed_by: string;
  installed_at: string;
  updated_at: string;
  version: string | null;
}

interface SkillsReply {
  detail: string;
  code: string;
  message: string;
  installation: Installation;
  skills: Record<string, unknown>[];
  total: number;
  limit: number;
  offset: number;
  usage_count: number;
  is_builtin: boolean;
  created_at: string;
  updated_at: string;
  min_tier: string;
}

const AT = '/api/agent-skills';
const BUILT_IN = ['canon_guard', 'character_writer', 'dialogue_polisher', 'location_writer', 'quest_doctor'];
const ids = (reply: { body: SkillsReply }) => reply.body.skills.map(({ skill_id }) => skill_id);

forEachDatabase((_name, open) => {
  describe('agent skills', () => {
    let people: People;
    before(async () => {
      people = await startPeople({ open });
    });
    after(() => people.close());

    const ask = (method: string, path: string, body?: object, as: Person | null = people.cast.first) =>
      people.call<SkillsReply>(method, `${AT}${path}`, { token: as?.token ?? null, body });
    let count = 0;
    const register = async (more: object = {}): Promise<string> => {
      const skill_id = `skill_${++count}`;
      const reply = await ask('POST', '/registry', { skill_id, name: `Skill ${count}`, ...more });
      assert.equal(reply.status, 200, reply.text);
      return skill_id;
    };
    const usage = async (id: string) => (await ask('GET', `/${id}`)).body.usage_count;

    test('an installation goes through the states of the specification', async () => {
      const id = await register({ definition: { version: '2.1', capabilities: ['a'] } });
      const steps: [
        method: string,
        path: string,
        status: number,
        message: string,
        enabled: boolean | null,
      ][] = [
        ['POST', `/tenant/${id}/enable`, 404, `Skill '${id}' is not installed`, null],
        ['POST', `/tenant/${id}/disable`, 404, `Skill '${id}' is not installed`, null],
        ['DELETE', `/tenant/${id}`, 404, `Skill '${id}' is not installed`, null],
        ['POST', '/tenant/install', 200, `Skill '${id}' installed`, true],
        ['POST', `/tenant/${id}/disable`, 200, `Skill '${id}' disabled`, false],
        ['POST', `/tenant/${id}/disable`, 200, `Skill '${id}' disabled`, false],
        ['POST', `/tenant/${id}/enable`, 200, `Skill '${id}' enabled`, true],
        ['POST', `/tenant/${id}/disable`, 200, `Skill '${id}' disabled`, false],
        ['POST', '/tenant/install', 200, `Skill '${id}' installed`, true],
        ['POST', '/tenant/install', 200, `Skill '${id}' installed`, true],
        ['DELETE', `/tenant/${id}`, 200, `Skill '${id}' uninstalled`, null],
        ['DELETE', `/tenant/${id}`, 404, `Skill '${id}' is not installed`, null],
      ];
      const seen = new Set<string>();
      for (const [method, path, status, message, enabled] of steps) {
        const { body, ...reply } = await ask(
          method,
          path,
          path.endsWith('install') ? { skill_id: id } : undefined,
        );
        assert.deepEqual([reply.status, body.message ?? body.detail], [status, message], reply.text);
        const listed = (await ask('GET', '/tenant/installed')).body.skills.find(
          (each) => each.skill_id === id,
        );
        const isThere = (await ask('GET', '/tenant/enabled')).body.skills.some(
          (each) => each.skill_id === id,
        );
        assert.deepEqual([listed?.enabled ?? null, isThere], [enabled, enabled === true], path);
        if (listed) assert.deepEqual(body.installation, listed);
        if (listed) seen.add(`${listed.installation_id} ${listed.installed_at} ${listed.version}`);
      }
      assert.equal(seen.size, 1);
      assert.ok([...seen][0]?.endsWith(' 2.1'));
      assert.equal(await usage(id), 3);
    });

    test('what is installed says where it comes from and who did it', async () => {
      const id = await register({ prompt_template: 'Be brief', parameters: { temperature: 0.2 } });
      const request = { skill_id: id, source: 'local', source_url: 'https://example.com/a' };
      const { body } = await ask('POST', '/tenant/install', request, people.cast.editor);
      const { installation_id, installed_at, updated_at, ...rest } = body.installation;
      assert.deepEqual(rest, {
        ...request,
        enabled: true,
        installed_by: people.cast.editor.id,
        version: null,
      });
      assert.equal(installed_at, updated_at);
      const [enabled] = (await ask('GET', '/tenant/enabled', undefined, people.cast.editor)).body.skills;
      assert.deepEqual(enabled, {
        ...{ installation_id, skill_id: id, enabled: true, source: 'local', installed_at },
        ...{ definition: {}, prompt_template: 'Be brief', parameters: { temperature: 0.2 } },
      });
      await ask('POST', `/tenant/${id}/disable`, undefined, people.cast.editor);
      const only = await ask('GET', '/tenant/installed?enabled_only=true', undefined, people.cast.editor);
      assert.deepEqual(only.body, { skills: [] });
    });

    test('in a self-hosted core each user has their own', async () => {
      const id = await register();
      await ask('POST', '/tenant/install', { skill_id: id }, people.cast.editor);
      assert.deepEqual((await ask('GET', '/tenant/installed', undefined, people.cast.owner)).body, {
        skills: [],
      });
    });

    test('20 installations at once are one, and counted', async () => {
      const id = await register();
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => ask('POST', '/tenant/install', { skill_id: id })),
      );
      assert.ok(replies.every(({ status }) => status === 200));
      assert.equal(new Set(replies.map(({ body }) => body.installation.installation_id)).size, 1);
      assert.equal(await usage(id), 20);
    });

    test('the registry is written by admins, as a whole, and keeps usage and age', async () => {
      const bare = await register();
      const { body } = await ask('GET', `/${bare}`);
      const { created_at, updated_at, ...rest } = body;
      assert.deepEqual(rest, {
        ...{ skill_id: bare, name: `Skill ${count}`, description: '', category: null, tags: [] },
        ...{ definition: {}, prompt_template: '', parameters: {}, min_tier: 'free' },
        ...{ is_featured: false, is_builtin: false, usage_count: 0 },
      });
      assert.match(created_at, /^\d{4}-.*Z$/);
      assert.equal(created_at, updated_at);
      await ask('POST', '/tenant/install', { skill_id: bare });
      const again = await ask(
        'POST',
        '/registry',
        { skill_id: bare, name: 'Other', tags: ['a'] },
        people.cast.owner,
      );
      assert.deepEqual([again.body.usage_count, again.body.created_at], [1, created_at]);
      assert.ok(again.body.updated_at >= updated_at);

      for (const who of ['viewer', 'editor'] as const) {
        for (const [method, path] of [
          ['POST', '/registry'],
          ['DELETE', `/registry/${bare}`],
        ] as const) {
          const refused = await ask(
            method,
            path,
            method === 'POST' ? { skill_id: bare, name: 'x' } : undefined,
            people.cast[who],
          );
          assert.deepEqual([refused.status, refused.body.detail], [403, 'Admin access required']);
        }
      }
      assert.equal((await ask('GET', '', undefined, null)).status, 401);

      const gone = await ask('DELETE', `/registry/${bare}`);
      assert.deepEqual([gone.status, gone.body], [200, { message: `Skill '${bare}' removed from registry` }]);
      for (const [method, path] of [
        ['DELETE', `/registry/${bare}`],
        ['GET', `/${bare}`],
      ] as const) {
        const missing = await ask(method, path);
        assert.deepEqual([missing.status, missing.body.detail], [404, `Skill '${bare}' not found`]);
      }
      assert.ok(ids(await ask('GET', '/tenant/installed')).includes(bare));
      assert.ok(!ids(await ask('GET', '/tenant/enabled')).includes(bare));
    });

    test('unknown and impossible ids, sources and tiers', async () => {
      const unknown = await ask('POST', '/tenant/install', { skill_id: 'nobody' });
      assert.deepEqual([unknown.status, unknown.body.detail], [404, "Skill 'nobody' not found"]);
      for (const id of ['Upper', 'with-dash', 'a b', `${'a'.repeat(101)}`, '%C3%A4']) {
        const decoded = decodeURIComponent(id);
        const replies = [
          await ask('GET', `/${encodeURIComponent(decoded)}`),
          await ask('POST', '/tenant/install', { skill_id: decoded }),
          await ask('POST', '/registry', { skill_id: decoded, name: 'x' }),
          await ask('DELETE', `/registry/${encodeURIComponent(decoded)}`),
          await ask('POST', `/tenant/${encodeURIComponent(decoded)}/enable`),
          await ask('POST', `/tenant/${encodeURIComponent(decoded)}/disable`),
          await ask('DELETE', `/tenant/${encodeURIComponent(decoded)}`),
        ];
        for (const { status, body } of replies) {
          assert.equal(status, 400, id);
          assert.match(body.detail, /^Invalid skill_id format/);
        }
      }
      assert.equal((await ask('POST', '/tenant/install', {})).status, 422);
      assert.equal((await ask('POST', '/tenant/install', { skill_id: 'x', source: 'nowhere' })).status, 422);
      assert.equal(
        (await ask('POST', '/registry', { skill_id: 'x', name: 'X', min_tier: 'gold' })).status,
        422,
      );
      assert.equal((await ask('POST', '/registry', { skill_id: 'x' })).status, 422);
      for (const query of ['limit=0', 'limit=201', 'offset=-1', 'featured=maybe'])
        assert.equal((await ask('GET', `?${query}`)).status, 422, query);
    });

    test('the list is found by words, category and feature, and comes in pages', async () => {
      const made = [
        await register({
          name: 'Øresund Ferries',
          description: 'Timetables for drowned places',
          category: 'sea',
        }),
        await register({ name: 'Tides', category: 'sea', is_featured: true }),
        await register({ name: 'Rumours', description: 'What ferrymen say. 100 % true', category: 'sea' }),
      ];
      const found = async (query: string) => (ids(await ask('GET', `?${query}`)) as string[]).sort();
      assert.deepEqual(await found('search=ferr'), [made[0], made[2]]);
      assert.deepEqual(await found('search=oresund%20drowned'), [made[0]]);
      assert.deepEqual(await found(`search=${made[1]}`), [made[1]]);
      assert.deepEqual(await found('search=%25'), []);
      assert.deepEqual(await found('search=100&category=sea'), [made[2]]);
      assert.deepEqual(await found('search=%22ferr%22'), []);
      assert.deepEqual(await found('featured=true&category=sea'), [made[1]]);
      assert.deepEqual(await found('search=%20&category=sea'), made.toSorted());
      const first = await ask('GET', '?category=sea&limit=2');
      const second = await ask('GET', '?category=sea&limit=2&offset=2');
      assert.deepEqual([...ids(first), ...ids(second)], [made[1], made[2], made[0]]);
      const { total, limit, offset } = second.body;
      assert.deepEqual([total, limit, offset], [3, 2, 2]);
      const whole = await ask('GET', '');
      assert.deepEqual([whole.body.limit, whole.body.offset], [50, 0]);
    });

    test('built-in skills are there, can be replaced, and come back', async () => {
      const builtIn = await ask('GET', '?featured=true&limit=200');
      for (const id of BUILT_IN) assert.ok(ids(builtIn).includes(id), id);
      const path = '/registry/quest_doctor';
      const kept = await ask('DELETE', path);
      assert.deepEqual([kept.status, kept.body.code], [409, 'builtin_skill']);
      const { body: shipped } = await ask('GET', '/quest_doctor');
      assert.equal(shipped.is_builtin, true);
      await ask('POST', '/registry', { skill_id: 'quest_doctor', name: 'Ours' });
      await ask('POST', '/tenant/install', { skill_id: 'quest_doctor' });
      assert.equal((await ask('DELETE', path)).status, 200);
      const { body: back } = await ask('GET', '/quest_doctor');
      assert.deepEqual(back, { ...shipped, usage_count: 1, updated_at: back.updated_at });
    });

    test("another tenant's registry and installations are not there", async () => {
      const id = await register();
      await ask('POST', '/tenant/install', { skill_id: id });
      const stranger = await people.person('owner', 'elsewhere');
      assert.equal((await ask('GET', `/${id}`, undefined, stranger)).status, 404);
      assert.equal((await ask('POST', '/tenant/install', { skill_id: id }, stranger)).status, 404);
      assert.equal((await ask('DELETE', `/registry/${id}`, undefined, stranger)).status, 404);
      assert.deepEqual(ids(await ask('GET', '?limit=200', undefined, stranger)), BUILT_IN);
      assert.deepEqual((await ask('GET', '/tenant/installed', undefined, stranger)).body, { skills: [] });
    });
  });

  test('a plan decides what can be installed, and a lower one deletes nothing', async () => {
    const rich = await startCore({ open });
    const call = (core: typeof rich, method: string, path: string, body?: object) =>
      core.call<SkillsReply>(method, `${AT}${path}`, { body });
    for (const min_tier of ['free', 'indie', 'enterprise']) {
      await call(rich, 'POST', '/registry', { skill_id: min_tier, name: min_tier, min_tier });
      assert.equal((await call(rich, 'POST', '/tenant/install', { skill_id: min_tier })).status, 200);
    }
    assert.equal((await call(rich, 'GET', '/tenant/enabled')).body.skills.length, 3);
    const existing = { ...rich.opened, close: async () => {} };
    await rich.app.close();
    const poor = await startCore({ existing, env: { LOCAL_PLAN: 'indie' } });
    try {
      assert.deepEqual(ids(await call(poor, 'GET', '/tenant/enabled')).sort(), ['free', 'indie']);
      assert.equal((await call(poor, 'GET', '/tenant/installed')).body.skills.length, 3);
      const refused = await call(poor, 'POST', '/tenant/install', { skill_id: 'enterprise' });
      assert.deepEqual(
        [refused.status, refused.body.detail, refused.body.min_tier],
        [403, "Skill 'enterprise' needs the enterprise plan or above; yours is indie", 'enterprise'],
      );
      const counted = await call(poor, 'GET', '/enterprise');
      assert.equal(counted.body.usage_count, 1);
    } finally {
      await poor.close();
      await rich.close();
    }
  });
});

test('in the cloud a tenant shares its installations, on every core', async () => {
  const cloud = await startCloud();
  try {
    const { tenantId, email } = await cloud.accounts.unverified();
    await cloud.accounts.tenants.changePlan(tenantId, 'team');
    const owner = (await cloud.accounts.login(email)).body.access_token;
    const editor = await cloud.accounts.person('editor', tenantId);
    const other = await cloud.accounts.unverified();
    const stranger = (await cloud.accounts.login(other.email)).body.access_token;
    const [one, two] = cloud.cores;
    const ask = (core: typeof one, token: string, method: string, path: string, body?: object) =>
      core.call<SkillsReply>(method, `${AT}${path}`, { token, body });
    const made = await ask(one, owner, 'POST', '/registry', {
      skill_id: 'ours',
      name: 'Ours',
      min_tier: 'team',
    });
    assert.equal(made.status, 200, made.text);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        ask(index % 2 === 0 ? one : two, editor.token, 'POST', '/tenant/install', { skill_id: 'ours' }),
      ),
    );
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    assert.equal((await ask(two, owner, 'GET', '/ours')).body.usage_count, 20);
    assert.deepEqual(ids(await ask(two, owner, 'GET', '/tenant/installed')), ['ours']);
    assert.deepEqual(ids(await ask(one, stranger, 'GET', '/tenant/installed')), []);
    assert.equal((await ask(one, stranger, 'GET', '/ours')).status, 404);
  } finally {
    await cloud.close();
  }
});
