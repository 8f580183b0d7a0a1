import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { cliWorld, writeCharacter } from './support/cli.ts';

interface Report {
  entities: number;
  findings: { kind: string; message: string; evidence: { file: string; line: number }[] }[];
  accepted: { reason: string }[];
}

describe('canon', () => {
  test('is sound in the sample world, says what was accepted and needs no database', async (t) => {
    const world = cliWorld(t);
    await world.run('init', '--sample');
    const result = await world.run('canon', '--json');
    assert.equal(result.code, 0, result.out);
    const report = result.json<Report>();
    assert.deepEqual([report.findings, report.accepted.length], [[], 3]);
    assert.ok(report.accepted.every(({ reason }) => reason !== ''));
    assert.equal(existsSync(world.dataDir), false);
  });

  test('prints both sides of a contradiction with file and line', async (t) => {
    const world = cliWorld(t);
    await world.run('init', '--sample');
    const oda = join(world.contentDir, 'Characters/oda_pell/CH_oda_pell.md');
    writeFileSync(
      oda,
      readFileSync(oda, 'utf8').replace('birth_year: 348', 'birth_year: 348\ndeath_year: 411'),
    );
    const { code, out } = await world.run('canon');
    assert.equal(code, 1);
    assert.match(
      out,
      /^error Oda Pell takes part in The Silence of the Bell \(0412-08-02\), but had died in 411 [0-9a-f]{16}$/m,
    );
    assert.match(
      out,
      /^ {2}content\/Events\/silence_of_the_bell\/EVT_silence_of_the_bell\.md:\d+: participants\.0: oda_pell$/m,
    );
    assert.match(out, /^ {2}content\/Characters\/oda_pell\/CH_oda_pell\.md:22: death_year: 411$/m);
  });

  test('leaves out what is archived, and tells of settings that cannot be read', async (t) => {
    const world = cliWorld(t);
    await world.run('init');
    writeCharacter(world.contentDir, 'ada', 'birth_year: 400\ndeath_year: 300\nstatus: archived\n');
    assert.deepEqual((await world.run('canon', '--json')).json<Report>().entities, 0);
    writeCharacter(world.contentDir, 'ada', 'birth_year: 400\ndeath_year: 300\n');
    const { code, out } = await world.run('canon');
    assert.equal(code, 1);
    assert.match(out, /ada died in 300, but was born only in/);
    mkdirSync(join(world.contentDir, '_Rules'), { recursive: true });
    writeFileSync(join(world.contentDir, '_Rules/canon.md'), '---\nchecks: [\n---\n');
    assert.match((await world.run('canon')).out, /^content\/_Rules\/canon\.md:\d+: \S/m);
  });
});
