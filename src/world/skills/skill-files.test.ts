import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openedProject, startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { zipOf } from '../../../test/support/zip.ts';
import { systemClock } from '../../kit/clock.ts';
import { createProjectSkills } from '../definitions/index.ts';
import { readArchive } from '../imports/index.ts';
import { createInstallations } from './installations.service.ts';
import { createSkillsFor } from './prompt-skills.ts';
import { createRegistry } from './registry.service.ts';

interface FilesReply {
  detail: string;
  code: string;
  message: string;
  skills: { skill_id: string; path: string; name: string }[];
  problems: { path: string; reason: string; line: number | null; severity: string }[];
  path: string;
  checksum: string;
  content: string;
  is_valid: boolean;
  files: { path: string; size: number }[];
  skill: { name: string; applies_to: string[]; prompts: { system: string; task: string } } | null;
  errors: { field: string; line: number }[];
}

const AT = '/api/skill-files';
const NAMER = `# ours
skill_id: namer
name: 'Namer'   # keep this
applies_to: [character]

prompts:
  system: |
    Names first.
`;
const SKILL_MD =
  '---\nname: sea-talk\ndescription: How sailors talk\n---\n\nSay it wet. See `references/words.md`.\n';

forEachDatabase((_name, open) => {
  describe('skill files', () => {
    let core: TestCore;
    before(async () => {
      core = await startCore({ open });
    });
    after(() => core.close());

    const ask = (method: string, path: string, body?: object, headers = {}) =>
      core.call<FilesReply>(method, path, { body, headers });
    const at = (path: string) => join(core.contentDir, path);
    const write = (path: string, text: string) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), text);
    };
    const sync = () => ask('POST', '/api/entity/sync/all');
    const textAt = (path: string) => readFileSync(at(path), 'utf8');
    const problemsOf = async (path: string) =>
      (await ask('GET', AT)).body.problems.filter((problem) => problem.path === path);
    const send = async (
      filename: string,
      bytes: string | Uint8Array,
      fields: Record<string, string> = {},
    ) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append('file', new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), filename);
      const encoded = new Response(form);
      const reply = await core.app.inject({
        method: 'POST',
        url: `${AT}/import`,
        headers: {
          authorization: `Bearer ${core.adminToken}`,
          'content-type': encoded.headers.get('content-type') ?? '',
        },
        payload: Buffer.from(await encoded.arrayBuffer()),
      });
      return { status: reply.statusCode, text: reply.body, body: reply.json<FilesReply>() };
    };

    test('a new folder has our five, and each of them is whole', async () => {
      const { body } = await ask('GET', AT);
      assert.deepEqual(
        body.skills.map(({ path }) => path),
        ['canon_guard', 'character_writer', 'dialogue_polisher', 'location_writer', 'quest_doctor'].map(
          (id) => `_Skills/Standard/${id}.yml`,
        ),
      );
      assert.deepEqual(body.problems, []);
    });

    test('a change keeps every other line; null removes a key', async () => {
      write('_Skills/namer.yml', NAMER);
      await sync();
      const { body, headers } = await ask('GET', `${AT}/namer`);
      assert.deepEqual(
        [body.path, body.content, headers.etag],
        ['_Skills/namer.yml', NAMER, `"${body.checksum}"`],
      );
      const changed = await ask('PUT', `${AT}/namer`, { prompts: { task: 'Name it.' }, category: 'entity' });
      assert.equal(changed.status, 200, changed.text);
      assert.equal(textAt('_Skills/namer.yml'), `${NAMER}  task: Name it.\ncategory: entity\n`);
      assert.equal(changed.body.skill?.prompts.system, 'Names first.');
      const back = await ask('PUT', `${AT}/namer`, { prompts: { task: null }, category: null });
      assert.equal(back.status, 200);
      assert.equal(textAt('_Skills/namer.yml'), NAMER);
      const stale = await ask('PUT', `${AT}/namer`, { name: 'X' }, { 'if-match': '"sha256:other"' });
      assert.equal(stale.status, 412);
      assert.equal((await ask('PUT', `${AT}/namer`, { skill_id: 'other' })).status, 422);
      const other = await ask('PUT', `${AT}/namer`, { content: 'skill_id: other\nname: O\n' });
      assert.deepEqual([other.status, other.body.code], [422, 'invalid_skill']);
      assert.equal(textAt('_Skills/namer.yml'), NAMER);
    });

    test('a new one is made among the user’s, is in the manifest and the export, and goes to the bin', async () => {
      const made = await ask('PUT', `${AT}/rhymer`, { name: 'Rhymer', prompts: { system: 'Two\nlines' } });
      assert.equal(made.status, 200, made.text);
      assert.equal(
        textAt('_Skills/User/rhymer.yml'),
        'skill_id: rhymer\nname: Rhymer\nprompts:\n  system: |-\n    Two\n    lines\n',
      );
      const manifest = await ask('GET', '/api/manifest');
      assert.ok(manifest.text.includes('"_Skills/User/rhymer.yml"'), manifest.text.slice(0, 500));
      const exported = await core.app.inject({
        url: '/api/export/archive',
        headers: { authorization: `Bearer ${core.adminToken}` },
      });
      assert.ok(exported.rawPayload.includes('_Skills/User/rhymer.yml'));
      const gone = await ask('DELETE', `${AT}/rhymer`);
      assert.deepEqual(
        [gone.status, gone.body.message],
        [200, '_Skills/User/rhymer.yml was moved to the recycle bin'],
      );
      const bin = readdirSync(at('_RecycleBin'), { recursive: true }).map(String);
      assert.ok(
        bin.some((path) => path.endsWith('_Skills/User/rhymer.yml')),
        bin.join(),
      );
      assert.equal((await ask('GET', `${AT}/rhymer`)).status, 404);
      assert.equal((await ask('DELETE', `${AT}/rhymer`)).status, 404);
      assert.ok(!(await ask('GET', '/api/manifest')).text.includes('"_Skills/User/rhymer.yml"'));
    });

    test('a broken file is told with its line, and its last good state stays in force', async () => {
      write('_Skills/namer.yml', NAMER);
      await sync();
      await ask('GET', AT);
      write('_Skills/namer.yml', 'skill_id: namer\nname: [\n');
      write('_Skills/User/nobody.yml', 'name: Nobody\n');
      await sync();
      const [broken] = await problemsOf('_Skills/namer.yml');
      assert.deepEqual([broken?.line, broken?.severity], [3, 'error']);
      assert.match(broken?.reason ?? '', /last good state stays in force/);
      assert.equal((await problemsOf('_Skills/User/nobody.yml'))[0]?.reason, 'there is no `skill_id`');
      const { body } = await ask('GET', `${AT}/namer`);
      assert.deepEqual([body.is_valid, body.skill?.name], [false, 'Namer']);
      const refused = await ask('PUT', `${AT}/namer`, { name: 'X' });
      assert.deepEqual([refused.status, refused.body.code], [409, 'unreadable_file']);
      const replaced = await ask('PUT', `${AT}/namer`, { content: NAMER, overwrite: true });
      assert.deepEqual([replaced.status, replaced.body.is_valid], [200, true]);
      const unnamed = await ask('GET', `${AT}/nobody`);
      assert.deepEqual(
        [unnamed.status, unnamed.body.skill, unnamed.body.content],
        [200, null, 'name: Nobody\n'],
      );
      rmSync(at('_Skills/User/nobody.yml'));
      await sync();
    });

    test('a later folder replaces a skill; within one folder the second is told and left out', async () => {
      write('_Skills/Custom/a.yml', 'skill_id: canon_guard\nname: Ours\n');
      write('_Skills/Custom/b.yml', 'skill_id: canon_guard\nname: Double\n');
      write('_Skills/Custom/C.YML', 'skill_id: c\nname: C\n');
      await sync();
      assert.equal((await ask('GET', `${AT}/canon_guard`)).body.skill?.name, 'Ours');
      const [double] = await problemsOf('_Skills/Custom/b.yml');
      assert.match(double?.reason ?? '', /taken by _Skills\/Custom\/a\.yml/);
      assert.match((await problemsOf('_Skills/Custom/C.YML'))[0]?.reason ?? '', /not read/);
      for (const name of ['a.yml', 'b.yml', 'C.YML']) rmSync(at(`_Skills/Custom/${name}`));
      await sync();
      assert.equal((await ask('GET', `${AT}/canon_guard`)).body.skill?.name, 'Canon guard');
    });

    test('a skill folder comes in and goes out as a zip, and is read where it lies', async () => {
      const zip = zipOf([
        { name: 'x/sea-talk/SKILL.md', content: SKILL_MD },
        { name: 'x/sea-talk/references/words.md', content: 'tack, reach, luff' },
        { name: 'x/other.txt', content: 'not a part of it' },
      ]);
      const taken = await send('sea.zip', zip);
      assert.equal(taken.status, 201, taken.text);
      assert.deepEqual(
        [taken.body.path, taken.body.files, taken.body.skill?.name],
        ['_Skills/User/sea-talk/SKILL.md', [{ path: 'references/words.md', size: 17 }], 'Sea talk'],
      );
      assert.equal(textAt('_Skills/User/sea-talk/SKILL.md'), SKILL_MD);
      assert.ok(!existsSync(at('_Skills/User/sea-talk/other.txt')));
      const again = await send('sea.zip', zip);
      assert.deepEqual([again.status, again.body.code], [409, 'skill_exists']);
      const over = await send('SKILL.md', SKILL_MD.replace('wet', 'dry'), { overwrite: 'true' });
      assert.deepEqual(
        [over.status, over.body.files, over.body.skill?.prompts.system.slice(0, 11)],
        [201, [], 'Say it dry.'],
      );
      const keys = await ask('PUT', `${AT}/sea_talk`, { name: 'X' });
      assert.deepEqual([keys.status, keys.body.code], [422, 'whole_text_needed']);
      write('_Skills/User/sea-talk/scripts/a.sh', 'echo');

      const exported = await core.app.inject({
        url: `${AT}/sea_talk/export`,
        headers: { authorization: `Bearer ${core.adminToken}` },
      });
      const content = await readArchive(exported.rawPayload, { hold: async () => {}, largestText: 1e6 });
      assert.deepEqual(
        content.files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]),
        [
          ['sea-talk/SKILL.md', SKILL_MD.replace('wet', 'dry')],
          ['sea-talk/scripts/a.sh', 'echo'],
        ],
      );
      const { body } = await ask('GET', `${AT}/quest_doctor/markdown`);
      assert.match(body.content, /^---\nname: quest-doctor\n/);
      const copy = body.content.replace(/quest[-_]doctor/g, (id) => id.replace('doctor', 'healer'));
      const round = await send('SKILL.md', copy);
      assert.equal(round.status, 201, round.text);
      assert.deepEqual(round.body.skill?.applies_to, ['quest', 'campaign']);
      assert.equal((await ask('DELETE', `${AT}/sea_talk`)).status, 200);
      assert.ok(!existsSync(at('_Skills/User/sea-talk')));
    });

    test('what is no skill is refused, and leaves nothing', async () => {
      const before = readdirSync(at('_Skills'), { recursive: true }).sort();
      const cases: [name: string, bytes: string | Uint8Array, status: number][] = [
        ['SKILL.md', '# no frontmatter', 422],
        ['a.yml', 'name: A', 422],
        ['a.zip', zipOf([{ name: 'a.txt', content: 'a' }]), 422],
        [
          'a.zip',
          zipOf([
            { name: 'a/SKILL.md', content: SKILL_MD },
            { name: 'b/SKILL.md', content: SKILL_MD },
          ]),
          422,
        ],
        [
          'a.zip',
          zipOf([
            { name: 'SKILL.md', content: SKILL_MD },
            { name: '../out.md', content: 'x' },
          ]),
          422,
        ],
        [
          'a.zip',
          zipOf([
            { name: 'SKILL.md', content: SKILL_MD },
            { name: 'l', content: '/etc/passwd', mode: 0o120777 },
          ]),
          422,
        ],
        ['SKILL.md', Buffer.from([0xff, 0xfe, 0x00]), 422],
        ['a.zip', Buffer.alloc(5 * 1024 * 1024, 'PK'), 413],
      ];
      for (const [name, bytes, status] of cases) {
        const reply = await send(name, bytes);
        assert.equal(reply.status, status, `${name} ${reply.text}`);
      }
      assert.deepEqual(readdirSync(at('_Skills'), { recursive: true }).sort(), before);
    });

    test('a changed skill renders no entity anew', async () => {
      const made = await ask('POST', '/api/entity/character', { entity_id: 'ada', name: 'Ada' });
      assert.equal(made.status, 201, made.text);
      const before = await core.call('GET', '/api/entity/character/ada');
      write('_Skills/namer.yml', NAMER.replace('Names first', 'Names last'));
      const { body } = await core.call<{ rerendered_types: string[] }>('POST', '/api/entity/sync/all');
      assert.deepEqual(body.rerendered_types, []);
      assert.deepEqual((await core.call('GET', '/api/entity/character/ada')).body, before.body);
    });

    test('a prompt has what is installed and the files, as far as the caller wants and may', async () => {
      const registry = createRegistry({
        database: core.database,
        clock: systemClock,
        readShipped: async () => [],
      });
      const installations = createInstallations({ registry, clock: systemClock, sharedBy: 'user' });
      const skillsFor = createSkillsFor(installations, createProjectSkills(core.templates));
      const { body: me } = await core.call<{ user_id: string }>('GET', '/api/users/current');
      const caller = { tenantId: 'local', userId: me.user_id, plan: 'team' } as const;
      const names = async (wanted: Parameters<typeof skillsFor>[2], plan: 'free' | 'team' = 'team') =>
        (await skillsFor(openedProject(core), { ...caller, plan }, wanted)).map(
          ({ source, skill_id }) => `${source} ${skill_id}`,
        );
      const item = { contentType: 'item' };
      assert.deepEqual(await names(item), ['file canon_guard']);
      const record = {
        skill_id: 'appraiser',
        name: 'Appraiser',
        prompt_template: 'Weigh it',
        min_tier: 'team',
      };
      await ask('POST', '/api/agent-skills/registry', record);
      await ask('POST', '/api/agent-skills/tenant/install', { skill_id: 'appraiser' });
      await ask('POST', '/api/agent-skills/tenant/install', { skill_id: 'canon_guard' });
      assert.deepEqual(await names(item), ['registry appraiser', 'file canon_guard']);
      assert.deepEqual(await names(item, 'free'), ['file canon_guard']);
      assert.deepEqual(await names({ ...item, associated: ['namer', 'canon_guard'] }), [
        ...['file namer', 'file canon_guard', 'registry appraiser'],
      ]);
      assert.deepEqual(await names({ ...item, only: ['quest_doctor', 'nobody'] }), ['file quest_doctor']);
      await ask('POST', '/api/agent-skills/tenant/canon_guard/disable');
      assert.deepEqual(await names(item), ['registry appraiser']);
      rmSync(at('_Skills/Standard/canon_guard.yml'));
      await sync();
      await ask('POST', '/api/agent-skills/tenant/canon_guard/enable');
      assert.deepEqual(await names(item), ['builtin canon_guard', 'registry appraiser']);
    });
  });
});
