import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openedProject, startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';

interface Reply {
  finding_id: string;
  reason: string | null;
  open: number;
  accepted: number;
  code: string;
}
interface Report {
  open: number;
  findings: { finding_id: string; reason: string | null }[];
}

const SETTINGS = `---
# What we know.
calendar:
    name: 'Ash'   # short
accepted:
  # Ghosts.
  - finding_id: "1111111111111111"   # an old one
    reason: 'Long ago'
  - 2222222222222222a
  - { finding_id: 3333333333333333, reason: 4 } # odd

checks:
  lineage: { enabled: false, reason: "Myths" }
---

Prose  with   spaces.
`;

forEachDatabase((_name, open) => {
  describe('single findings of the canon', () => {
    let core: TestCore;
    let findingId = '';
    before(async () => {
      core = await startCore({ open });
      await create('character', { birth_year: 360, death_year: 401 }, 'ada');
      await create('event', { date: '0410-03-04', participants: ['ada'] }, 'siege');
      const { body } = await core.call<Report>('POST', '/api/canon/check', {});
      findingId = body.findings[0]?.finding_id ?? assert.fail();
    });
    after(() => core.close());

    const create = async (type: string, fields: object, entity_id: string) => {
      const body = { entity_id, name: entity_id, fields };
      assert.equal((await core.call('POST', `/api/entity/${type}`, { body })).status, 201);
    };
    const pathOf = (id: string) => `/api/canon/findings/${id}/accept`;
    const accept = (id: string, reason: string, token = core.adminToken) =>
      core.call<Reply>('POST', pathOf(id), { body: { reason }, token });
    const reopen = (id: string) => core.call<Reply>('DELETE', pathOf(id));
    const settingsFile = () => join(core.contentDir, '_Rules/canon.md');
    const text = () => readFileSync(settingsFile(), 'utf8');
    const write = (settings: string) => {
      mkdirSync(dirname(settingsFile()), { recursive: true });
      writeFileSync(settingsFile(), settings);
    };
    const findings = async (query = '') => {
      const { body } = await core.call<Report>('GET', `/api/canon/findings${query}`);
      return body.findings.map(({ finding_id, reason }) => [finding_id, reason]);
    };

    test('are accepted and opened again, at once and without another check', async () => {
      const accepted = await accept(findingId, 'She is a ghost');
      assert.equal(accepted.status, 200, accepted.text);
      assert.deepEqual(accepted.body, {
        finding_id: findingId,
        reason: 'She is a ghost',
        open: 0,
        accepted: 1,
      });
      assert.deepEqual(await findings(), []);
      assert.deepEqual(await findings('?accepted=true'), [[findingId, 'She is a ghost']]);
      assert.equal((await accept(findingId, 'A zombie')).body.accepted, 1);
      assert.deepEqual(await findings('?accepted=true'), [[findingId, 'A zombie']]);
      const opened = await reopen(findingId);
      assert.deepEqual(opened.body, { finding_id: findingId, reason: null, open: 1, accepted: 0 });
      assert.deepEqual(await findings(), [[findingId, null]]);
      const again = await reopen(findingId);
      assert.deepEqual([again.status, again.body.code], [404, 'not_accepted']);
    });

    test('change only their own lines of the file', async () => {
      write(SETTINGS);
      assert.equal((await accept(findingId, 'yes: no')).status, 200);
      const added = `  - finding_id: ${JSON.stringify(findingId)}\n    reason: "yes: no"\n`;
      const plain = text().replace(/(finding_id: )'?([0-9a-f]{16})'?\n/, `$1"$2"\n`);
      assert.equal(plain, SETTINGS.replace('# odd\n', `# odd\n${added}`));
      assert.equal((await reopen(findingId)).status, 200);
      assert.equal(text(), SETTINGS);
      assert.equal((await accept('1111111111111111', 'Lately')).status, 200);
      assert.equal(text(), SETTINGS.replace("'Long ago'", "'Lately'"));
      assert.equal((await reopen('1111111111111111')).status, 200);
      const without = SETTINGS.replace(/ {2}- finding_id: "1{16}".*\n.*\n/, '');
      assert.equal(text(), without);
    });

    test('accepted by many at once are all kept, also while an editor writes the file', async () => {
      write(SETTINGS);
      const ids = Array.from({ length: 12 }, (_, index) => `${index}`.padStart(16, 'a'));
      const project = openedProject(core);
      const { write: save } = project.files;
      let edits = 0;
      project.files.write = async (path, ...rest) => {
        // An editor is faster twice.
        if (path === '_Rules/canon.md' && edits < 2) {
          edits += 1;
          write(text().replace('Prose', `Prose ${edits}`));
        }
        return save.call(project.files, path, ...rest);
      };
      try {
        const replies = await Promise.all(ids.map((id) => accept(id, `Because of ${id}`)));
        assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
      } finally {
        project.files.write = save;
      }
      for (const id of ids) assert.ok(text().includes(`reason: Because of ${id}\n`), id);
      assert.ok(text().includes('Prose 2 1  with'), text());
      assert.ok(text().includes('# an old one'));
    });

    test('need a reason, an id, a readable file and the right to change settings', async () => {
      write(SETTINGS);
      assert.equal((await accept(findingId, ' ')).status, 422);
      assert.equal((await accept('nonsense', 'Why not')).status, 422);
      assert.equal((await accept(findingId, 'x', await core.registerViewer())).status, 403);
      assert.equal(text(), SETTINGS);
      for (const broken of ['---\naccepted: [\n---\n', '---\naccepted: some\n---\n']) {
        write(broken);
        assert.equal((await accept(findingId, 'x')).status, 409);
        assert.equal(text(), broken);
      }
    });
  });
});
