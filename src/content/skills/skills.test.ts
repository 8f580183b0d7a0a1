import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from '../../../test/support/properties.ts';
import {
  isSkillPath,
  matchingSkills,
  parseSkill,
  promptSkills,
  recordOfSkill,
  SKILL_SOURCES,
  SKILL_TIERS,
  type Skill,
  type SourcedSkill,
  skillMarkdown,
  skillOfRecord,
  skillsText,
} from './index.ts';

function parsed(text: string, path = '_Skills/namer.yml') {
  const read = parseSkill({ path, text });
  assert.ok(read.ok, JSON.stringify(read));
  return read;
}
const skillOf = (text: string, path?: string): Skill => parsed(text, path).skill;
const faultOf = (text: string, path = '_Skills/namer.yml') => {
  const read = parseSkill({ path, text });
  assert.ok(!read.ok, JSON.stringify(read));
  return [read.problem.line, read.problem.reason] as const;
};

const NAMER = 'skill_id: namer\nname: Namer\n';

describe('a skill in YAML', () => {
  test('says everything, or only its id and name', () => {
    const full = skillOf(`${NAMER}description: Finds names
version: 1.10
category: entity
tags: [names, sound]
capabilities: naming, sound
applies_to: [Character, LOCATION, Style Bible]
min_tier: Team
prompts:
  system: |
    You name things.
  task: Name it.
  output_format: [one name, one reason]
  examples:
    - input: a miller
      output: Ilse Vale
    - a plain line
  user: Name {entity_name}.
rules: [No apostrophes]
workflows: [Listen, Say it aloud]
parameters:
  temperature: 0.8
  max_tokens: { type: integer, default: 400, description: How long }
  strict_mode: { type: boolean }
`);
    assert.deepEqual(full, {
      skill_id: 'namer',
      name: 'Namer',
      description: 'Finds names',
      version: '1.10',
      category: 'entity',
      tags: ['names', 'sound'],
      capabilities: ['naming', 'sound'],
      applies_to: ['character', 'location', 'style_bible'],
      min_tier: 'team',
      enabled: true,
      prompts: {
        system: 'You name things.',
        task: 'Name it.',
        output_format: 'one name\none reason',
        examples: 'Input: a miller\nOutput: Ilse Vale\n\na plain line',
        user: 'Name {entity_name}.',
      },
      rules: ['No apostrophes'],
      workflows: ['Listen', 'Say it aloud'],
      parameters: { temperature: 0.8, max_tokens: 400 },
    });
    const bare = skillOf('skill_id: namer\nname: Namer');
    assert.deepEqual(
      [bare.version, bare.description, bare.tags, bare.applies_to, bare.min_tier, bare.prompts.system],
      ['1.0', '', [], [], 'free', ''],
    );
  });

  test('is read tolerantly, and what is odd is told with its line', () => {
    const table: [yaml: string, key: keyof Skill, value: unknown, line: number | null][] = [
      ['applies_to: ALL', 'applies_to', [], null],
      ['applies_to: "*"', 'applies_to', [], null],
      ['applies_to: Character, quest', 'applies_to', ['character', 'quest'], null],
      ['applies_to: [character, all]', 'applies_to', [], null],
      ['applies_to:', 'applies_to', [], null],
      ['applies_to: 7', 'applies_to', ['7'], null],
      ['min_tier: 0', 'min_tier', 'free', null],
      ['min_tier: 3', 'min_tier', 'enterprise', null],
      ['min_tier: "1"', 'min_tier', 'indie', null],
      ['min_tier: gold', 'min_tier', 'free', 3],
      ['min_tier: 4', 'min_tier', 'free', 3],
      ['version: 2', 'version', '2', null],
      ['version: "2.0.1"', 'version', '2.0.1', null],
      ['enabled: no', 'enabled', false, null],
      ['tags: one', 'tags', ['one'], null],
      ['definition: { applies_to: [item], capabilities: [a] }', 'applies_to', ['item'], null],
      ['parameters: [{ name: a, default: 1 }, { name: b }]', 'parameters', { a: 1 }, null],
      ['parameters:\n  a: { type: integer, default: much }', 'parameters', {}, 4],
      ['parameters:\n  a: { type: colour, default: red }', 'parameters', {}, 4],
      ['aplies_to: quest', 'applies_to', [], 3],
      ['prompts:\n  sytem: Hello', 'parameters', {}, 4],
      ['mood: their own key', 'parameters', {}, null],
      ['prompts: Just a text', 'rules', [], null],
    ];
    for (const [yaml, key, value, line] of table) {
      const { skill, problems } = parsed(`${NAMER}${yaml}\n`);
      assert.deepEqual(skill[key], value, yaml);
      assert.deepEqual(
        problems.map((problem) => problem.line),
        line === null ? [] : [line],
        `${yaml}: ${JSON.stringify(problems)}`,
      );
    }
    assert.equal(skillOf(`${NAMER}prompts: Just a text\n`).prompts.system, 'Just a text');
  });

  test('without a usable id it is a fault of the file', () => {
    assert.deepEqual(faultOf('name: Namer\n'), [1, 'there is no `skill_id`']);
    assert.deepEqual(faultOf('name: Namer\nskil_id: namer\n'), [2, '`skil_id` is to be `skill_id`']);
    assert.match(faultOf('name: N\nskill_id: "näm er!"\n')[1], /is none: .* underscores/);
    assert.equal(faultOf('skill_id: namer\nname: [\n')[0], 3);
    assert.match(faultOf('- a\n- b\n')[1], /key: value/);
    const folded = parsed('skill_id: Dialogue-Polisher\n');
    assert.deepEqual([folded.skill.skill_id, folded.skill.name], ['dialogue_polisher', 'Dialogue polisher']);
    assert.deepEqual(
      folded.problems.map(({ line }) => line),
      [1, 1],
    );
  });

  test('windows line ends, a byte order mark and anchors do not matter', () => {
    const text =
      '\uFEFFskill_id: namer\r\nname: Namer\r\nbase: &t Say it\r\nprompts:\r\n  system: *t\r\n  task: *t';
    assert.deepEqual([skillOf(text).prompts.system, skillOf(text).prompts.task], ['Say it', 'Say it']);
  });

  test('no text breaks the reader', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const path of ['_Skills/a.yml', '_Skills/a/SKILL.md'])
          for (const given of [text, `${NAMER}${text}`, `---\nname: a\n${text}\n---\n${text}`]) {
            const read = parseSkill({ path, text: given });
            if (!read.ok) assert.ok(read.problem.line >= 1);
          }
      }),
      { numRuns: 30 },
    );
  });
});

describe('a SKILL.md', () => {
  test('has its id from its name, and its body is what the model is told', () => {
    const text =
      '---\nname: pdf-reader\ndescription: Reads\nlicense: MIT\nmetadata:\n  version: "2.1"\n  applies_to: Item, quest\n---\n\n# Do\n\nRead `references/a.md`.\n';
    const { skill, problems } = parsed(text, '_Skills/User/pdf-reader/SKILL.md');
    assert.deepEqual(
      [skill.skill_id, skill.name, skill.version, skill.applies_to, skill.prompts.system, problems],
      ['pdf_reader', 'Pdf reader', '2.1', ['item', 'quest'], '# Do\n\nRead `references/a.md`.', []],
    );
  });

  test('is told where it is wrong', () => {
    const path = '_Skills/User/x/SKILL.md';
    assert.match(faultOf('# No frontmatter\n', path)[1], /frontmatter/);
    assert.equal(parsed('---\ndescription: no name\n---\n', path).skill.skill_id, 'x');
    assert.deepEqual(faultOf('---\nname: "!"\n---\n', path)[0], 2);
    const { problems } = parsed('---\nname: x\ndescripton: y\nmetadata:\n  min_tier: gold\n---\n', path);
    assert.deepEqual(
      problems.map(({ line }) => line),
      [3, 5],
    );
  });
});

const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,12}$/);
const prose = fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => text.trim());
const skills: fc.Arbitrary<Skill> = fc.record({
  skill_id: fc.stringMatching(/^[a-z0-9][a-z0-9_]{0,20}$/),
  name: fc.stringMatching(/^[A-Z][A-Za-z ]{0,20}[a-z]$/),
  description: prose,
  version: fc.stringMatching(/^[1-9]\.[0-9]{1,2}$/),
  category: fc.option(word),
  tags: fc.uniqueArray(word, { maxLength: 3 }),
  capabilities: fc.uniqueArray(word, { maxLength: 3 }),
  applies_to: fc.uniqueArray(fc.constantFrom('character', 'item', 'quest', 'gdd'), { maxLength: 3 }),
  min_tier: fc.constantFrom(...SKILL_TIERS),
  enabled: fc.boolean(),
  prompts: fc.record(
    { system: prose, task: prose, output_format: prose, examples: prose, user: prose },
    { noNullPrototype: true },
  ),
  rules: fc.array(fc.stringMatching(/^[A-Z][a-z ]{0,20}[a-z]$/), { maxLength: 3 }),
  workflows: fc.array(fc.stringMatching(/^[A-Z][a-z ]{0,20}[a-z]$/), { maxLength: 3 }),
  parameters: fc.dictionary(word, fc.oneof(fc.integer(), fc.boolean(), word), {
    maxKeys: 3,
    noNullPrototype: true,
  }),
});

test('what is written as SKILL.md reads back as the same skill, with its prompt in one text', () => {
  fc.assert(
    fc.property(skills, (skill) => {
      const [written] = promptSkills([{ skill: { ...skill, enabled: true }, source: 'file' }], {
        contentType: null,
        only: [skill.skill_id],
      });
      const back = skillOf(skillMarkdown(skill), '_Skills/User/a/SKILL.md');
      const { prompts, rules, workflows, description, ...rest } = back;
      const { prompts: _p, rules: _r, workflows: _w, description: said, ...given } = skill;
      assert.deepEqual(rest, given);
      assert.equal(description, (said || skill.name).trim());
      for (const part of [written?.system, written?.task, written?.examples])
        assert.ok(prompts.system.includes((part ?? '').trim()), prompts.system);
      assert.deepEqual([rules, workflows], [[], []]);
    }),
  );
});

test('a skill and its registry record say the same', () => {
  fc.assert(
    fc.property(skills, (skill) => {
      assert.deepEqual(skillOfRecord(recordOfSkill(skill)), { ...skill, enabled: true });
    }),
  );
});

describe('skills in a prompt', () => {
  const made = (
    skill_id: string,
    source: SourcedSkill['source'],
    more: Partial<Skill> = {},
  ): SourcedSkill => ({
    source,
    skill: {
      ...skillOf(`skill_id: ${skill_id}\nname: ${skill_id}\nprompts: ${skill_id} of ${source}\n`),
      ...more,
    },
  });
  const ids = (given: readonly { skill_id: string }[]) => given.map(({ skill_id }) => skill_id);

  test('come by source, then by name; those that the entity names come first', () => {
    const all = [
      made('a_file', 'file'),
      made('z_builtin', 'builtin'),
      made('pack', 'template_pack'),
      made('registry', 'registry'),
      made('b_builtin', 'builtin', { name: 'zzz' }),
      made('for_items', 'registry', { applies_to: ['item'] }),
      made('off', 'file', { enabled: false }),
    ];
    assert.deepEqual(ids(promptSkills(all, { contentType: 'Character' })), [
      'z_builtin',
      'b_builtin',
      'registry',
      'pack',
      'a_file',
    ]);
    assert.deepEqual(
      ids(
        promptSkills(all, { contentType: 'character', associated: ['a_file', 'for-items', 'nobody', 'off'] }),
      ),
      ['a_file', 'for_items', 'z_builtin', 'b_builtin', 'registry', 'pack'],
    );
    assert.deepEqual(ids(promptSkills(all, { contentType: 'character', only: ['for_items'] })), [
      'for_items',
    ]);
  });

  test('a file and a record of one id are one skill, and the file counts', () => {
    const both = [made('a', 'file'), made('a', 'builtin'), made('a', 'registry')];
    const [only, ...rest] = promptSkills(both, { contentType: null });
    assert.deepEqual([only?.source, only?.system, rest], ['file', 'a of file', []]);
  });

  test('as one text, each under its name', () => {
    const { prompts } = skillOf(`${NAMER}prompts: { system: S, task: T, user: U }\n`);
    const text = skillsText(promptSkills([made('a', 'file', { prompts })], { contentType: null }));
    assert.equal(text, '# a\n\nS\n\n## Task\n\nT\n\n## Request\n\nU');
  });

  test('their order does not depend on the order in which they are found', () => {
    const found = fc.uniqueArray(fc.record({ skill: skills, source: fc.constantFrom(...SKILL_SOURCES) }), {
      selector: ({ skill, source }) => `${skill.skill_id} ${source}`,
      maxLength: 8,
    });
    fc.assert(
      fc.property(found, fc.array(word, { maxLength: 3 }), (list, associated) => {
        const wanted = { contentType: 'quest', associated };
        const once = matchingSkills(list, wanted);
        assert.deepEqual(matchingSkills(list.toReversed(), wanted), once);
        assert.equal(new Set(once.map(({ skill }) => skill.skill_id)).size, once.length);
      }),
    );
  });
});

test('paths of skills', () => {
  const yes = ['_Skills/a.yml', '_Skills/User/a b.yaml', '_Skills/a/SKILL.md', '_Skills/Custom/a/SKILL.md'];
  const no = [
    ...[
      '_Skills/a.md',
      '_Skills/SKILL.md',
      '_Skills/User/SKILL.md',
      '_Skills/Other/a.yml',
      '_Skills/a/b/SKILL.md',
      '_Skills/.a.yml',
    ],
    ...['Skills/a.yml', '_Skills/a (conflict 1).yml.txt', '_Skills/User/a/references/b.yml'],
  ];
  for (const path of yes) assert.ok(isSkillPath(path), path);
  for (const path of no) assert.ok(!isSkillPath(path), path);
});
