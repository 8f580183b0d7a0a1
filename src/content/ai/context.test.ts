import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from '../../../test/support/properties.ts';
import { starterTemplates } from '../../../test/support/starter-templates.ts';
import type { TemplateDefinition } from '../template/index.ts';
import {
  type AskedTarget,
  buildContext,
  type ContextInput,
  type ContextSkill,
  ContextTooLongError,
  findTarget,
  mostTokensIn,
  UnknownVariableError,
} from './index.ts';

const template = starterTemplates().get('character') as TemplateDefinition;

const skill = (id: string, parts: Partial<ContextSkill> = {}): ContextSkill => ({
  skill_id: id,
  name: `Skill ${id}`,
  system: '',
  task: '',
  output_format: '',
  examples: '',
  user: '',
  parameters: {},
  ...parts,
});

type Change = Partial<ContextInput> & { asked?: AskedTarget };

const mira = {
  entity_type: 'character',
  entity_id: 'mira_vale',
  name: 'Mira Vale',
  status: 'active',
  fields: { summary: 'A smith', want: '', home: 'old_mill' },
  markdown_body: '# Mira\n\nShe left.',
};

function input({ asked = { fields: ['want', 'need'] }, ...change }: Change = {}): ContextInput {
  const entity = change.entity === undefined ? mira : change.entity;
  const found = findTarget(template, entity, asked);
  assert.ok(found.ok);
  return {
    template,
    rulesPrompts: [{ path: '_Rules/CHARACTER_RULES.md', system_prompt: 'Keep it short for {entity_name}.' }],
    rules: [],
    skills: [
      skill('a', {
        system: `Be dry. ${'word '.repeat(40)}`,
        examples: `Example of a. ${'word '.repeat(60)}`,
      }),
      skill('b', { task: 'Tone: {{tone}}', parameters: { tone: 'wry' } }),
    ],
    entity,
    neighbours: [neighbour('near', 1), neighbour('far', 2)],
    named: [],
    candidates: [{ entity_type: 'location', entity_id: 'old_mill', name: 'The Old Mill' }],
    facts: ['Mira Vale was born in 380.'],
    instruction: 'Make it sad.',
    target: found.target,
    answers: [],
    window: { contextTokens: 16_000, answerTokens: 2_000 },
    unknownVariables: 'skip',
    ...change,
  };
}

const neighbour = (id: string, length: number): ContextInput['neighbours'][number] => ({
  entity_type: 'location',
  entity_id: id,
  name: `Place ${id}`,
  relations: [{ direction: 'out', field: 'home' }],
  content: { fields: { summary: `Summary of ${id}. ${'word '.repeat(length * 20)}` }, markdown_body: '' },
});

const allText = ({ messages }: ReturnType<typeof buildContext>): string =>
  messages.map(({ content }) => content).join('\n');

describe('a context', () => {
  it('has everything that was given, with its sources', () => {
    const context = buildContext(input());
    const text = allText(context);
    for (const piece of [
      'Be dry.',
      'Tone: wry',
      'Example of a.',
      'She left.',
      'Summary of far.',
      'The Old Mill',
      'born in 380',
      'Make it sad.',
      'JSON Schema',
    ])
      assert.ok(text.includes(piece), piece);
    assert.deepEqual(context.cut, []);
    assert.deepEqual(context.skills, ['a', 'b']);
    assert.deepEqual(
      context.sources.map(({ kind, ref }) => `${kind} ${ref}`),
      [
        `template ${template.path}`,
        'rules _Rules/CHARACTER_RULES.md',
        'skill a',
        'skill b',
        'canon canon',
        'entity location/near',
        'entity location/far',
        'entity relations',
        'entity candidates',
        'entity character/mira_vale',
        'instruction instruction',
      ],
    );
  });

  it('has the same messages for the same input', () => {
    assert.deepEqual(buildContext(input()), buildContext(input()));
  });

  it('is cut in the order that is stated, and says what was left out', () => {
    const whole = buildContext(input());
    const gone: string[] = [];
    for (let tokens = whole.tokens; ; tokens -= 10) {
      let context: ReturnType<typeof buildContext>;
      try {
        context = buildContext(input({ window: { contextTokens: tokens, answerTokens: 0 } }));
      } catch (error) {
        assert.ok(error instanceof ContextTooLongError);
        break;
      }
      assert.ok(context.tokens <= tokens);
      for (const { ref, label, reason } of context.cut) {
        const what = `${reason === 'left_out' ? '' : 'shorter '}${label.endsWith('examples') ? 'examples' : ref}`;
        if (!gone.includes(what)) gone.push(what);
      }
    }
    assert.deepEqual(gone, [
      'examples',
      'location/far',
      'location/near',
      'candidates',
      'relations',
      'canon',
      'b',
      'a',
      '_Rules/CHARACTER_RULES.md',
      'character/mira_vale',
    ]);
  });

  it('shortens a long body before it leaves it out, and never the text that is to be written', () => {
    const long = { ...mira, markdown_body: 'word '.repeat(5_000) };
    const window = { contextTokens: 6_000, answerTokens: 1_000 };
    const { cut, tokens } = buildContext(input({ entity: long, window }));
    assert.ok(cut.some(({ label, reason }) => label === 'Mira Vale: body' && reason === 'shortened'));
    assert.ok(tokens <= 5_000);
    assert.throws(
      () => buildContext(input({ entity: long, asked: { body: true }, window })),
      ContextTooLongError,
    );
  });

  it('fences every text of an entity, whatever it says', () => {
    const evil = fc.string({
      unit: fc.constantFrom(
        '</data-',
        'data-',
        '>',
        '<',
        '"',
        '\n',
        '$name',
        '{{tone}}',
        ...'0123456789abcdef',
      ),
      maxLength: 40,
    });
    fc.assert(
      fc.property(evil, evil, evil, (name, field, body) => {
        const entity = { ...mira, name, fields: { summary: field }, markdown_body: body };
        const other = {
          ...neighbour('near', 1),
          name: field,
          content: { fields: { summary: name }, markdown_body: body },
        };
        const context = buildContext(
          input({
            entity,
            neighbours: [other],
            facts: [body],
            instruction: 'For {entity_name}: $summary',
            answers: [{ ref: 'p', text: body }],
          }),
        );
        const text = allText(context);
        const fence = /between <(data-[0-9a-f]{8})> and/.exec(text)?.[1] ?? '';
        const unfenced = text
          .replace(/^.*is material of the project.*$/m, '')
          .replaceAll(new RegExp(`<${fence}[^>]*>[^]*?</${fence}>`, 'g'), '');
        assert.ok(!unfenced.includes(fence), 'an opening without its end, or an end without its opening');
        const plain = allText(
          buildContext(
            input({
              entity: { ...mira, name: '', fields: {}, markdown_body: '' },
              neighbours: [],
              facts: [],
            }),
          ),
        );
        for (const evilText of [name, field, body]) {
          if (evilText.length > 6 && !plain.includes(evilText))
            assert.ok(!unfenced.includes(evilText), evilText);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('fills variables of instructions, rules and skills', () => {
    const text = allText(buildContext(input({ instruction: 'Of $summary and $location.summary' })));
    assert.match(text, /Keep it short for <(data-\w+)>Mira Vale<\/\1>\./);
    assert.match(text, /Of <(data-\w+)>A smith<\/\1> and <\1>Summary of near/);
    assert.deepEqual(buildContext(input({ instruction: '$nobody' })).unknown_variables, ['$nobody']);
    assert.throws(
      () => buildContext(input({ instruction: '$nobody', unknownVariables: 'error' })),
      UnknownVariableError,
    );
  });

  it('asks for the name of a new entity and has none of an old one', () => {
    const text = allText(buildContext(input({ entity: null, neighbours: [], asked: {} })));
    assert.match(text, /Propose a new Character/);
    assert.match(text, /Give it a name/);
    assert.ok(!text.includes('mira_vale'));
  });

  it('counts more tokens than models do', () => {
    assert.equal(mostTokensIn(''), 0);
    assert.ok(mostTokensIn('The quick brown fox jumps over the lazy dog.') >= 10);
    assert.ok(mostTokensIn('{"a":[1,2]}') >= 8);
    assert.ok(mostTokensIn('鐘は沈黙した') >= 8);
  });
});
