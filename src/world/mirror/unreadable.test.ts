import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { saveFile } from '../../../test/support/save-file.ts';
import { scannerHere } from '../../../test/support/scanner-here.ts';
import { type FileScanner, type FileStoreDescription, FilesError } from '../../platform/files/files.ts';
import { openLocalScanner } from '../../surfaces/scanner.ts';
import type { SyncReport } from './report.ts';

interface EntityReply {
  name: string;
  version: number;
  is_valid: boolean;
  validation_errors: { code: string; line: number; message: string; severity: string }[];
}
interface Finding {
  rule_id: string;
  entity_id: string;
  file: string;
  line: number;
  severity: string;
}

const GOOD = '---\nid: ada\nentity_type: character\nname: Ada\n---\n\nText.\n';
const BROKEN = '---\nid: ada\nentity_type: character\nname: [Ada\n---\n\nText.\n';
const ADA = 'Characters/ada/CH_ada.md';

forEachDatabase((_name, open) => {
  describe('a file that cannot be read', () => {
    let core: TestCore;
    before(async () => {
      core = await startCore({ open });
    });
    after(() => core.close());

    const put = (path: string, text: string) => saveFile(join(core.contentDir, path), text);
    const get = (id: string, headers: Record<string, string> = {}) =>
      core.call<EntityReply>('GET', `/api/entity/character/${id}`, { headers });
    const syncAll = () => core.call<SyncReport>('POST', '/api/entity/sync/all');
    const syncPaths = (paths: string[]) =>
      core.call<SyncReport>('POST', '/api/sync/import-changes', { body: { paths } });
    const status = async () =>
      (
        await core.call<{ invalid: { path: string; line: number }[]; invalid_total: number }>(
          'GET',
          '/api/sync/status',
        )
      ).body;
    const validate = async () => {
      const reply = await core.call<{ findings: Finding[] }>('POST', '/api/entity/validate/all');
      return reply.body.findings.filter(({ rule_id }) => /unreadable|refused/.test(rule_id));
    };
    const cursor = async () => (await core.call<{ cursor: string }>('GET', '/api/events')).body.cursor;
    const eventsAfter = async (from: string) => {
      const reply = await core.call<{ events: Record<string, unknown>[] }>(
        'GET',
        `/api/events?cursor=${from}`,
      );
      return reply.body.events.map(({ type, entity_id, updated_fields, errors }) =>
        type === 'sync_completed' ? [type, errors] : [type, entity_id, updated_fields],
      );
    };
    const VALIDITY = ['is_valid', 'validation_errors'];

    test('is told at once by its entity, the events, the log, the status and the validation, until it is mended', async () => {
      put(ADA, GOOD);
      put('Characters/bob/CH_bob.md', GOOD.replaceAll('ada', 'bob'));
      await syncAll();
      const before = await get('ada');
      assert.equal(before.body.is_valid, true);
      const start = await cursor();

      put(ADA, BROKEN);
      const scoped = await syncPaths([ADA]);
      assert.deepEqual([scoped.body.invalid_total, scoped.body.invalid_new], [1, 1]);
      const broken = (await get('ada')).body;
      assert.deepEqual([broken.name, broken.version, broken.is_valid], ['Ada', 1, false]);
      const [error] = broken.validation_errors;
      assert.deepEqual([error?.code, error?.line, error?.severity], ['unreadable_file', 5, 'error']);
      const etag = String(before.headers.etag);
      assert.equal((await get('ada', { 'if-none-match': etag })).status, 200, 'no cache keeps the other');
      assert.ok(core.warnings.some((line) => line.includes(ADA) && line.includes('line 5')));
      assert.deepEqual(await eventsAfter(start), [
        ['entity_updated', 'ada', VALIDITY],
        ['sync_completed', 1],
      ]);
      assert.deepEqual(
        (await validate()).map(({ file, line, severity }) => [file, line, severity]),
        [[ADA, 5, 'error']],
      );
      await syncPaths(['Characters/bob']);
      assert.deepEqual(
        (await status()).invalid.map(({ path, line }) => [path, line]),
        [[ADA, 5]],
        'a sync of something else does not hide it',
      );
      assert.equal((await get('ada')).body.is_valid, false);

      const mending = await cursor();
      put(ADA, GOOD);
      await syncPaths([ADA]);
      const mended = (await get('ada')).body;
      assert.deepEqual([mended.version, mended.is_valid, mended.validation_errors], [1, true, []]);
      assert.deepEqual(await eventsAfter(mending), [
        ['entity_updated', 'ada', VALIDITY],
        ['sync_completed', 0],
      ]);
      assert.deepEqual([(await status()).invalid_total, await validate()], [0, []]);
    });

    test('is told where it never had an entity', async () => {
      const path = 'Characters/nobody/CH_nobody.md';
      const start = await cursor();
      put(path, BROKEN);
      const { body } = await syncAll();
      assert.deepEqual([body.created, body.invalid_new], [0, 1]);
      assert.deepEqual(await eventsAfter(start), [['sync_completed', 1]]);
      assert.deepEqual(
        (await validate()).map(({ rule_id, entity_id, file, line }) => [rule_id, entity_id, file, line]),
        [['template.unreadable_file', 'nobody', path, 5]],
      );
      assert.equal((await status()).invalid_total, 1);
      const again = await syncAll();
      assert.deepEqual([again.body.invalid_total, again.body.invalid_new], [1, 0]);
      rmSync(join(core.contentDir, path));
      await syncAll();
      assert.deepEqual([(await status()).invalid_total, await validate()], [0, []]);
    });

    test('a file whose id another one has is told by the entity that it was', async () => {
      put('Characters/carl/CH_carl.md', GOOD.replaceAll('ada', 'carl'));
      await syncAll();
      put('Characters/carl/CH_carl.md', GOOD.replace('name: Ada', 'name: Not Ada'));
      await syncAll();
      const carl = (await get('carl')).body;
      assert.deepEqual([carl.is_valid, carl.validation_errors[0]?.code], [false, 'refused_file']);
      assert.deepEqual(
        (await validate()).map(({ entity_id }) => entity_id),
        ['carl'],
      );
      put('Characters/carl/CH_carl.md', GOOD.replaceAll('ada', 'carl'));
      await syncAll();
      assert.equal((await get('carl')).body.is_valid, true);
    });

    test('a sync that was asked for ends with an event, though nothing was to be done', async () => {
      const start = await cursor();
      await syncAll();
      assert.deepEqual(await eventsAfter(start), [['sync_completed', 0]]);
    });

    test('stays told when its entity is looked at again for what it refers to', async () => {
      put(
        '_Rules/CHARACTER_RULES.md',
        '---\nentity_type: character\nrules:\n  - id: friend_exists\n    description: A friend is somebody.\n    severity: error\n    validation_type: reference_exists\n    applies_to: friend\n---\n',
      );
      const dora = '---\nid: dora\nentity_type: character\nname: Dora\nfriend: "[[character:eve]]"\n---\n';
      put('Characters/dora/CH_dora.md', dora);
      await syncAll();
      put('Characters/dora/CH_dora.md', dora.replace('name: Dora', 'name: [Dora'));
      await syncAll();
      put('Characters/eve/CH_eve.md', GOOD.replaceAll('ada', 'eve'));
      await syncAll();
      const told = (await get('dora')).body;
      assert.deepEqual([told.is_valid, told.validation_errors[0]?.code], [false, 'unreadable_file']);
      put('Characters/dora/CH_dora.md', dora);
      await syncAll();
      const codes = (await get('dora')).body.validation_errors.map(({ code }) => code);
      assert.ok(!codes.includes('unreadable_file'), String(codes));
    });
  });

  test('a file that the system does not open is told like one that makes no sense', async () => {
    let isClosed = false;
    const closing = (place: FileStoreDescription): FileScanner => {
      const scanner = openLocalScanner(place);
      const readSync = (path: string) => {
        if (isClosed && path === ADA) throw new FilesError('no_permission', path, 'closed');
        return scanner.readSync(path);
      };
      return { ...scanner, readSync };
    };
    const core = await startCore({ open, startScanner: () => scannerHere(closing) });
    try {
      const get = () => core.call<EntityReply>('GET', '/api/entity/character/ada');
      const sync = async () => (await core.call<SyncReport>('POST', '/api/entity/sync/all')).body;
      mkdirSync(join(core.contentDir, 'Characters/aaa'), { recursive: true });
      for (let index = 0; index < 210; index += 1)
        symlinkSync('/dev/null', join(core.contentDir, `Characters/aaa/link${index}.md`));
      saveFile(join(core.contentDir, ADA), GOOD);
      await sync();
      isClosed = true;
      saveFile(join(core.contentDir, ADA), `${GOOD}More.\n`);
      assert.equal((await sync()).invalid_new, 1);
      assert.equal((await sync()).invalid_new, 0);
      const { is_valid, validation_errors } = (await get()).body;
      assert.deepEqual([is_valid, validation_errors[0]?.code], [false, 'unreadable_file']);
      isClosed = false;
      saveFile(join(core.contentDir, ADA), GOOD);
      await sync();
      assert.deepEqual([(await get()).body.is_valid, (await get()).body.version], [true, 1]);
    } finally {
      await core.close();
    }
  });

  test('an entity whose id another file takes over in the same batch says what that one says', async () => {
    const core = await startCore({ open });
    try {
      const put = (path: string, text: string) => saveFile(join(core.contentDir, path), text);
      put('Characters/old/CH_old.md', GOOD);
      await core.call('POST', '/api/entity/sync/all');
      put('Characters/old/CH_old.md', BROKEN);
      for (let index = 0; index < 40; index += 1)
        put(`Characters/n${index}/CH_n${index}.md`, GOOD.replaceAll('ada', `n${index}`));
      put(ADA, GOOD.replace('Text.', 'Healthy.'));
      await core.call('POST', '/api/entity/sync/all');
      const { body } = await core.call<EntityReply & { markdown_body: string }>(
        'GET',
        '/api/entity/character/ada',
      );
      assert.deepEqual([body.markdown_body.trim(), body.is_valid], ['Healthy.', true]);
    } finally {
      await core.close();
    }
  });
});
