import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openedProject, startCore, type TestCore } from '../../../../test/support/core.ts';
import { promptTexts, readTemplateSet } from '../index.ts';

let core: TestCore;
before(async () => {
  core = await startCore();
});
after(() => core.close());

const read = async (type: string) => {
  const texts = promptTexts(await readTemplateSet(openedProject(core).files), type);
  assert.ok(texts);
  return texts;
};
const keys = async (type: string) => (await read(type)).systemPrompts.map(({ key }) => key);

test('a type has the texts of its template, its rules and those for all types, as people last set them', async () => {
  const instructions = 'Write a person, not a list.';
  await core.call('PUT', '/api/templates/character/instructions', { body: { instructions } });
  const body = { system_prompt: 'Write like a witness.' };
  await core.call('PUT', '/api/rules/character/system-prompt', { body });
  const { template, fields, systemPrompts, advice } = await read('character');
  assert.deepEqual(
    [template.path, template.instructions],
    ['_Templates/Standard/CHARACTER_TEMPLATE.md', instructions],
  );
  assert.match(template.body, /## Backstory/);
  assert.match(fields.find(({ name }) => name === 'want')?.placeholder ?? '', /^\[/);
  assert.deepEqual(systemPrompts.at(-1), {
    key: 'character',
    path: '_Rules/CHARACTER_RULES.md',
    text: 'Write like a witness.',
  });
  assert.ok(systemPrompts.some(({ key }) => key === 'generation'));
  assert.ok(!systemPrompts.some(({ key }) => key === 'dialogue'));
  const ids = advice.map(({ id }) => id);
  assert.ok(ids.includes('ghost_has_a_witness') && ids.includes('only_known_ids'));
  assert.ok(!ids.includes('born_before_dying'));
});

test('what the settings switch off is not said', async () => {
  const before = await keys('item');
  assert.ok(before.includes('story'));
  await core.call('PUT', '/api/rules/settings', { body: { disabled_files: ['story'] } });
  assert.deepEqual(
    await keys('item'),
    before.filter((key) => key !== 'story'),
  );
  await core.call('PUT', '/api/rules/settings', { body: { enabled: false } });
  assert.deepEqual([await keys('item'), (await read('item')).advice], [[], []]);
});

test('an unknown type has none', async () => {
  assert.equal(promptTexts(await readTemplateSet(openedProject(core).files), 'starship'), undefined);
});
