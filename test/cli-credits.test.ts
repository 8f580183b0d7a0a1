import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { cliWorld } from './support/cli.ts';

test('credits are corrected by an entry, and doctor proves the ledger', async (t) => {
  const world = cliWorld(t);
  await world.run('init');
  await world.run('tenant', 'create', 'Studio', '--slug', 'studio', '--plan', 'indie');
  const given = await world.run('credits', 'correct', 'studio', '30', 'an outage', '--json');
  assert.deepEqual(given.json(), { tenant: 'studio', changed: 30, balance: 530 }, given.err);
  const taken = await world.run('credits', 'correct', 'studio', '-50', 'a mistake');
  assert.match(taken.out, /Took 50 credits from studio, which has 480 now/, taken.err);
  const unknown = await world.run('credits', 'correct', 'nobody', '5', 'x');
  assert.equal(unknown.code, 2);
  for (const amount of ['0', '1.5', 'many'])
    assert.equal((await world.run('credits', 'correct', 'studio', amount, 'x')).code, 2);

  const findings = async () => {
    const { out } = await world.run('doctor', '--json');
    const all = JSON.parse(out).findings as { check: string; message: string }[];
    return all.filter(({ check }) => check === 'credits').map(({ message }) => message);
  };
  assert.deepEqual(await findings(), []);
  const database = new Sqlite(join(world.dataDir, 'canonry.db'));
  database.exec('update credit_lots set remaining = remaining + 1 where lot_id = 1');
  database.close();
  const [problem] = await findings();
  assert.match(problem ?? '', /the lot 1 of .* says 451 credits remain/);
});
