import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { snapshot } from '../../../test/support/cli.ts';
import { startCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';

/** A world from before the service: unknown types, names and bytes. */
const WORLD: Record<string, string | Uint8Array> = {
  '_Templates/Custom/SHIP_TEMPLATE.md':
    '---\nentity_type: ship\nfolder_name: Fleet\nfile_prefix: VESSEL-\nname: "[Ship]"\nmasts: 1\ncrew: []\n---\n\n# Ship\n',
  '_Templates/Custom/OMEN_TEMPLATE.md': '---\nentity_type: omen\nname: "[Omen]"\nmeaning: ""\n---\n',
  'Fleet/grey_heron/Grey Heron.md':
    '\u{feff}---\r\nid: grey_heron\r\nname:   "The Grey Heron"   # hers\r\nmasts: 0x3\r\ncrew: [ ada,\r\n  bob ]\r\n---\r\n\r\nText\r\n---\r\nmore',
  'Fleet/tern/VESSEL-tern.md':
    "---\nmasts: 2\nname: 'Tern'\n\n# a comment\nid: tern\n---\nNo blank line, no end",
  'Fleet/tern/images/tern.png': new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]),
  'Omens/red_sky/note.md': '---\n---\n',
  'Omens/broken/OMEN_broken.md': '---\nname: [open\n---\n',
  'Loose notes/todo.md': 'Not an entity.',
  'README.md': '# My world\n',
};

interface Listed {
  entities: { entity_id: string; name: string; checksum: string; file_checksum: string }[];
}

forEachDatabase((_name, open) => {
  test('a folder with its own types and odd names is served as it is, without a byte changed', async (t) => {
    const contentDir = mkdtempSync(join(tmpdir(), 'canonry-foreign-'));
    t.after(() => rmSync(contentDir, { recursive: true, force: true }));
    for (const [path, content] of Object.entries(WORLD)) {
      mkdirSync(dirname(join(contentDir, path)), { recursive: true });
      writeFileSync(join(contentDir, path), content);
    }
    const before = snapshot(contentDir);

    const readWorld = async () => {
      const core = await startCore({ open, contentDir });
      try {
        for (const project of core.projects.opened()) await core.mirror.whenSettled(project);
        const list = async (type: string) => (await core.call<Listed>('GET', `/api/entity/${type}`)).body;
        const { entities: ships } = await list('ship');
        return [...ships, ...(await list('omen')).entities]
          .map(({ entity_id, name, checksum, file_checksum }) => [entity_id, name, checksum, file_checksum])
          .sort();
      } finally {
        await core.close();
      }
    };

    const first = await readWorld();
    assert.deepEqual(
      first.map(([id, name]) => [id, name]),
      [
        ['grey_heron', 'The Grey Heron'],
        ['red_sky', 'Red Sky'],
        ['tern', 'Tern'],
      ],
    );
    assert.deepEqual(snapshot(contentDir), before);

    const withNewDatabase = await readWorld();
    assert.deepEqual(withNewDatabase, first);
    assert.deepEqual(snapshot(contentDir), before);
  });
});
