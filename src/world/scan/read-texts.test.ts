import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { startScanWorker } from '../../surfaces/platform.ts';
import { readTextsHere, type TextToRead } from '../texts/read-texts.ts';
import { createScannerClient, type ScannerClient, type ScannerThread } from './scanner-client.ts';

describe('texts that are read beside the main thread', () => {
  let core: TestCore;
  let texts: TextToRead[];
  let client: ScannerClient;
  let worker: ScannerThread | null = null;
  before(async () => {
    core = await startCore();
    const [project] = core.projects.opened();
    assert.ok(project);
    const { types } = await core.templates.of(project);
    texts = [...types.values()].flatMap((template) =>
      ['---\nname: One\ntags: [a, b]\n---\n\nText.\n', '---\nname: [\n---\n', 'no frontmatter'].map(
        (text) => ({
          template,
          path: `${template.folder_name}/one/one.md`,
          text,
        }),
      ),
    );
    client = createScannerClient(() => (worker = startScanWorker()));
  });
  after(async () => {
    await client.close();
    await core.close();
  });

  test('say the same as in it', async () => {
    const states = await client.readTexts(texts);
    assert.deepEqual(states, structuredClone(await readTextsHere(texts)));
    assert.equal(states.filter((state) => state?.name === 'One').length, texts.length / 3);
    assert.equal(states[1], undefined);
    assert.ok(worker);
  });

  test('are read in it where they are few, or the thread ends under them', async () => {
    const few = texts.slice(0, 3);
    assert.deepEqual(await client.readTexts(few), await readTextsHere(few));
    const asked = client.readTexts(texts);
    void worker?.terminate();
    assert.deepEqual(structuredClone(await asked), structuredClone(await readTextsHere(texts)));
  });

  test('are read in it where the system has no thread left', async () => {
    const without = createScannerClient(() => {
      throw new Error('no thread left');
    });
    assert.deepEqual(await without.readTexts(texts), await readTextsHere(texts));
    await without.close();
  });
});
