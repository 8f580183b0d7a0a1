import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { type Installation, replicasOfSuite } from '../../../test/support/installs.ts';
import { saveFile } from '../../../test/support/save-file.ts';
import { LOCAL_TENANT } from '../../access/local-tenant.ts';
import { DEFAULT_PROJECT } from '../../kit/contract.ts';
import type { Project } from '../../world/records/scope.ts';

const file = (id: string) => `Characters/${id}/CH_${id}.md`;
const CREW = Array.from({ length: 12 }, (_, n) => `sailor_${n}`);

const textOfAge = (id: string, age: number) =>
  `---\nid: ${id}\nentity_type: character\nname: ${id}\nstatus: draft\nage: ${age}\n---\n\nFrom the cloud.\n`;

forEachDatabase((_name, open) => {
  describe('many entities that come at once', () => {
    const { hub, one, two, settle } = replicasOfSuite({ open });
    before(async () => {
      await writeInCloud(CREW, 30);
      await settle();
    });

    const update = async (core: TestCore, id: string, body: object) => {
      const reply = await core.call('PUT', `/api/entity/character/${id}`, { body });
      assert.equal(reply.status, 200, reply.text);
    };
    /** As an editor saves: in one step, unseen by the service. */
    const edit = ({ contentDir }: TestCore, path: string, text: string) =>
      saveFile(join(contentDir, path), text);
    const refresh = async ({ mirror }: TestCore, project: Project) => {
      const { error } = await mirror.sync(project, { kind: 'full' }, { force: true });
      assert.equal(error, null);
    };
    /** Texts of the cloud's entities, enough to be written in a batch. */
    const writeInCloud = async (ids: readonly string[], age: number) => {
      for (const id of ids) edit(hub, file(id), textOfAge(id, age));
      await refresh(hub, await hub.projects.open(LOCAL_TENANT, DEFAULT_PROJECT));
    };
    const revisionsOf = async ({ core }: Installation, id: string) =>
      (
        await core.call<{ revisions: { version: number; source: string }[] }>(
          'GET',
          `/api/entity/character/${id}/revisions`,
        )
      ).body.revisions;
    const textOf = async ({ core }: Installation, id: string, version: number): Promise<string> => {
      const path = `/api/entity/character/${id}/revisions/${version}`;
      return (await core.call<{ content: string }>('GET', path)).body.content;
    };
    /** Runs a round of the second installation, with `happens` just as the entity files are written. */
    const pullWhile = async (happens: () => void) => {
      const { files } = two.project;
      let times = 0;
      const project: Project = {
        ...two.project,
        files: {
          ...files,
          writeMany(writes) {
            times += 1;
            if (times === 1) happens();
            return files.writeMany(writes);
          },
        },
      };
      const { error, pulled } = await two.core.cloudSync.pull(project);
      assert.equal(error, null);
      assert.ok(times > 0, 'many were written at once');
      return pulled;
    };

    test('are written together, and each is the next version of its own', async () => {
      await writeInCloud(CREW, 31);
      assert.equal(await pullWhile(() => {}), CREW.length);
      const [last] = await revisionsOf(two, 'sailor_7');
      assert.deepEqual([last?.version, last?.source], [2, 'sync']);
      await settle();
    });

    test('leave what is edited in the moment in which they are written, and both texts are kept', async () => {
      await writeInCloud([...CREW, 'late'], 32);
      const [changed, edited] = ['sailor_3', 'sailor_4'];
      const own = '---\nid: late\nentity_type: character\nname: Late\nstatus: draft\n---\n\nMade here.\n';
      let saved: Promise<void> | undefined;
      const pulled = await pullWhile(() => {
        edit(two.core, file(edited), `${two.read(file(edited))}\nAdded here.\n`);
        edit(two.core, file('late'), own);
        saved = update(two.core, changed, { markdown_body: 'Saved here.\n' });
      });
      await saved;
      assert.match(two.read(file(edited)), /Added here/);
      assert.equal(two.read(file('late')), own);
      assert.match(two.read(file(changed)), /Saved here/);
      assert.ok(pulled >= CREW.length - 2, `${pulled} others came`);

      await refresh(two.core, two.project);
      await settle();
      for (const text of [one.read(file(edited)), one.read(file(changed))]) assert.match(text, /age: 32/);
      assert.match(one.read(file(edited)), /From the cloud\.\n\nAdded here/);
      assert.match(one.read(file(changed)), /Saved here/);
      const kept = await Promise.all(
        (await revisionsOf(two, 'late')).map(({ version }) => textOf(two, 'late', version)),
      );
      assert.ok(kept.includes(own), 'what was made here is a revision');
      assert.equal((await two.core.cloudSync.conflicts(two.project)).length, 1);
    });
  });
});
