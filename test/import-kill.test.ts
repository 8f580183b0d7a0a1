import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fillContentFolder } from '../src/surfaces/starter.ts';
import type { OperationReport } from '../src/world/changesets/report.ts';
import { snapshot } from './support/cli.ts';
import { forEachDatabase } from './support/databases.ts';
import { notesVault } from './support/notes-vault.ts';
import { type ServiceClient, signIn } from './support/service-client.ts';
import { type MortalService, startMortalService } from './support/service-process.ts';
import { until } from './support/until.ts';

const NOTES = 160;
const PICTURES = NOTES / 10;
/** The process is killed once this many entries are in place. Both databases use the same disk. */
const MOMENTS = {
  sqlite: { 'before its first file': 0, 'at its first file': 1, 'in the middle': NOTES / 2 },
  postgres: { 'before its first file': 0, 'near its end': NOTES },
} as const;

/** A killed process leaves hidden files, which housekeeping removes. */
const isContent = (path: string): boolean =>
  path.includes('/') && !path.startsWith('_') && !path.includes('/.');

const newest = async (writer: ServiceClient): Promise<OperationReport | undefined> =>
  (await writer.call<{ operations: OperationReport[] }>('GET', '/api/operations/history')).operations[0];

forEachDatabase((name, open) => {
  for (const [moment, entries] of Object.entries(MOMENTS[name]))
    test(`an import killed ${moment} is whole, or has never been, after the next start (${name})`, {
      timeout: 240_000,
    }, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'import-kill-'));
      const contentDir = join(folder, 'content');
      const database = await open();
      const running: MortalService[] = [];
      const start = async () => {
        const env = { DATA_DIR: join(folder, 'data'), CONTENT_DIR: contentDir, DATABASE_URL: database.url };
        const service = await startMortalService(env);
        running.push(service);
        return service;
      };
      const entityFiles = () => Object.keys(snapshot(contentDir)).filter(isContent);
      try {
        await database.release();
        await fillContentFolder(contentDir, { sample: false });
        const first = await start();
        const writer = await signIn(first, 'register');
        await first.dieAfter(Math.max(entries, 1), contentDir);
        const cut = assert.rejects(
          writer.call('POST', '/api/import/smart', { files: notesVault(NOTES) }),
          /fetch failed/,
        );
        if (entries === 0) {
          await until(async () => first.process.signalCode !== null || (await newest(writer)) !== undefined);
          await first.end('SIGKILL');
        }
        await cut;
        // Its connections end a moment before the process does.
        await first.end('SIGKILL');

        const second = await start();
        const again = await signIn(second, 'login');
        let operation: OperationReport | undefined;
        await until(
          async () => {
            operation = await newest(again);
            return operation === undefined || operation.finished_at !== null;
          },
          () => operation,
        );
        const files = entityFiles();
        if (operation === undefined) assert.deepEqual([files, entries], [[], 0]);
        else {
          assert.deepEqual(
            [operation.status, operation.applied, operation.skipped_total],
            ['done', NOTES + PICTURES, 0],
          );
          assert.deepEqual(
            [files.filter((path) => path.endsWith('.md')).length, files.length],
            [NOTES, NOTES + PICTURES],
          );
        }
        assert.deepEqual(await again.sync(), [0, 0, 0]);
        if (operation !== undefined) {
          await again.call('POST', `/api/operations/${operation.operation_id}/undo`);
          assert.deepEqual(entityFiles(), [], 'one undo takes all of it back');
        }
      } finally {
        for (const each of running) await each.end('SIGKILL');
        await database.close();
        rmSync(folder, { recursive: true, force: true });
      }
    });
});
