import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { slowestHealth } from './support/health.ts';
import { limitResult, type Result } from './support/report.ts';
import { median } from './support/rounds.ts';
import { startService } from './support/service.ts';
import { firstSync } from './support/sync.ts';
import { BENCH_FOLDER, worldToChange } from './world.ts';

const ENTITIES = 10_000;
const ROUNDS = 3;

interface Run {
  status: string;
  checked: number;
  findings_total: number;
  duration_ms: number;
}

/** Twenty rules of all kinds; one finds something in nearly every entity. */
const RULES = [
  ...['summary', 'want', 'need', 'arc.ending'].map((field) => ['required_field', field, '']),
  ...['height_cm', 'courage', 'stats.*', 'birth_year'].map((field) => ['range', field, 'min: 0, max: 3000']),
  ...['aliases', 'secrets', 'palette'].map((field) => ['min_count', field, 'min_count: 2']),
  ['regex', 'signature_color', "pattern: '^#[0-9A-F]{6}$'"],
  ['regex', 'palette', "pattern: '^#[0-9A-F]{6}$'"],
  ['regex', 'markdown_body', "pattern: '## Backstory'"],
  ['reference_exists', 'parents', 'reference_type: character'],
  ['reference_exists', 'home', 'reference_type: location'],
  ['custom', 'death_year', "expression: 'fields.death_year == 0 || fields.birth_year <= fields.death_year'"],
  ['custom', 'parents', "expression: '!fields.parents.exists(parent, parent == entity_id)'"],
  ['custom', 'tags', "expression: 'size(duplicates(fields.tags)) == 0'"],
  ['custom', 'markdown_body', "expression: 'words(body) > 100'"],
].map(
  ([type, field, more], index) =>
    `  - { id: rule_${index}, priority: medium, validation_type: ${type}, applies_to: '${field}'${more ? `, ${more}` : ''} }`,
);

/** Validates all entities against twenty rules, and measures the latency for others meanwhile. */
export async function run(): Promise<Result[]> {
  const content = worldToChange(ENTITIES, join(BENCH_FOLDER, 'validated'));
  const rules = join(content.folder, '_Rules');
  mkdirSync(rules, { recursive: true });
  writeFileSync(join(rules, 'CHARACTER_RULES.md'), `---\nrules:\n${RULES.join('\n')}\n---\n`);
  const service = await startService(content);
  try {
    await firstSync(service);
    const durations: number[] = [];
    const answers: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const work = service.call<Run>('POST', '/api/entity/validate/all', {});
      answers.push(await slowestHealth(service, work));
      const report = await work;
      if (report.status !== 'completed' || report.checked !== ENTITIES || report.findings_total === 0) {
        throw new Error(`unexpected: ${JSON.stringify(report).slice(0, 300)}`);
      }
      durations.push(report.duration_ms);
    }
    const what = `${ENTITIES} entities × ${RULES.length} rules, median of ${ROUNDS}`;
    return [
      limitResult(what, 'ms', median(durations), 5_000),
      limitResult('slowest /health while entities are validated', 'ms', Math.max(...answers), 100),
    ];
  } finally {
    await service.stop();
  }
}
