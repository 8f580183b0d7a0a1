import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../../test/support/until.ts';
import type { Watcher } from './watcher.ts';

/**
 * Of 40 or more changes of a kind. A watcher promises only hints: the library silently drops events that occur while it
 * delivers others, and the sweep finds those changes (src/world/mirror/sweep.test.ts).
 */
const MOST_MISSED = 10;

export function watcherConformance(name: string, makeWatcher: (root: string) => Watcher): void {
  const start = async (t: TestContext) => {
    const root = fs.mkdtempSync(path.join(os.tmpdir(), 'canonry-watch-'));
    for (let index = 0; index < 40; index += 1) {
      writeFile(root, `Old/f${index}/x.md`);
      writeFile(root, `Old/f${index}/z.md`);
    }
    writeFile(root, 'Old/deep/er/est/x.md');
    const watcher = makeWatcher(root);
    const seen = new Set<string>();
    const losses: string[] = [];
    t.after(async () => {
      await watcher.stop();
      fs.rmSync(root, { recursive: true, force: true });
    });
    await watcher.start(
      (paths) => {
        for (const each of paths) seen.add(each);
      },
      (reason) => losses.push(reason),
    );
    assert.equal(watcher.status().running, true);
    return { root, watcher, seen, losses };
  };

  describe(`watcher: ${name}`, () => {
    it('tells of changes of every kind, new folders with files, renames and removals among them', async (t) => {
      const { root, watcher, seen, losses } = await start(t);
      const made: Record<string, string[]> = { renamed: [], removed: [], inNewFolders: [], below: [] };
      for (let index = 0; index < 40; index += 1) {
        writeFile(root, `Old/f${index}/x.md`, 'changed');
        writeFile(root, `New/n${index}/n.md`);
        writeFile(root, `Old/deep/n${index}/images/a/b.md`);
        fs.renameSync(`${root}/Old/f${index}/x.md`, `${root}/Old/f${index}/y.md`);
        fs.rmSync(`${root}/Old/f${index}/z.md`);
        made.renamed?.push(`Old/f${index}/x.md`, `Old/f${index}/y.md`);
        made.removed?.push(`Old/f${index}/z.md`);
        made.inNewFolders?.push(`New/n${index}/n.md`);
        made.below?.push(`Old/deep/n${index}/images/a/b.md`);
        if (index % 8 === 0) await delay(30);
      }
      const missed = () =>
        Object.entries(made).map(([kind, paths]) => ({
          kind,
          paths: paths.filter((path) => !seen.has(path)),
        }));
      await until(() => missed().every(({ paths }) => paths.length <= MOST_MISSED), missed);
      const status = watcher.status();
      assert.ok(status.events_seen >= 100);
      assert.ok(status.last_event_at !== null && Date.parse(status.last_event_at) <= Date.now());
      assert.equal(status.losses, losses.length);
    });

    it('sees later changes in folders that came with or in another one', async (t) => {
      const { root, seen } = await start(t);
      fs.renameSync(`${root}/Old/deep`, `${root}/Moved`);
      writeFile(root, 'One/two/three/four.md');
      await until(
        () => seen.has('Moved/er/est/x.md') && seen.has('One/two/three/four.md'),
        () => [...seen],
      );
      fs.rmSync(`${root}/Old/f3`, { recursive: true });
      writeFile(root, 'Old/f3/again/a.md');
      await delay(900);
      seen.clear();
      writeFile(root, 'Moved/er/est/x.md', 'changed');
      writeFile(root, 'One/two/three/five/six.md');
      writeFile(root, 'Old/f3/again/a.md', 'changed');
      const expected = ['Old/f3/again/a.md', 'Moved/er/est/x.md', 'One/two/three/five/six.md'];
      await until(
        () => expected.every((each) => seen.has(each)),
        () => [...seen],
      );
    });

    it('tells of a removed folder', async (t) => {
      const { root, seen } = await start(t);
      fs.rmSync(`${root}/Old/f1`, { recursive: true });
      await until(
        () => seen.has('Old/f1'),
        () => [...seen],
      );
    });

    it('leaves hidden entries out', async (t) => {
      const { root, seen } = await start(t);
      for (const each of [
        '.git/config',
        'Old/.canonry-00aa.tmp',
        'node_modules/a/b.md',
        'New/.obsidian/c.md',
      ]) {
        writeFile(root, each);
      }
      writeFile(root, 'New/d.md');
      await until(
        () => seen.has('New/d.md'),
        () => [...seen],
      );
      await delay(400);
      assert.deepEqual(
        [...seen].filter((each) => /\/?\.|node_modules/.test(each.replace(/\.md$/, ''))),
        [],
      );
    });

    it('ends, and says so, when the root goes', async (t) => {
      const { root, watcher, losses } = await start(t);
      fs.rmSync(root, { recursive: true });
      await until(
        () => losses.length > 0,
        () => losses,
      );
      assert.equal(watcher.status().running, false);
      assert.equal(watcher.status().backend, 'none');
      assert.notEqual(watcher.status().error, null);
    });

    it('calls nobody once it is stopped, and can start again', async (t) => {
      const { root, watcher, seen } = await start(t);
      writeFile(root, 'Late/a.md');
      await watcher.stop();
      seen.clear();
      writeFile(root, 'Late/b.md');
      await delay(500);
      assert.deepEqual([...seen], []);
      assert.equal(watcher.status().running, false);
      const again = new Set<string>();
      await watcher.start(
        (paths) => {
          for (const each of paths) again.add(each);
        },
        () => {},
      );
      writeFile(root, 'Late/c.md');
      await until(
        () => again.has('Late/c.md'),
        () => [...again],
      );
    });

    it('says why it cannot watch a folder that is not there', async () => {
      const watcher = makeWatcher(path.join(os.tmpdir(), 'canonry-watch-absent', 'absent'));
      const losses: string[] = [];
      await watcher.start(
        () => {},
        (reason) => losses.push(reason),
      );
      assert.equal(losses.length, 1);
      const { running, backend, error } = watcher.status();
      assert.deepEqual({ running, backend, error }, { running: false, backend: 'none', error: losses[0] });
      await watcher.stop();
    });
  });
}

function writeFile(root: string, name: string, text = 'text'): void {
  fs.mkdirSync(path.dirname(`${root}/${name}`), { recursive: true });
  fs.writeFileSync(`${root}/${name}`, text);
}
