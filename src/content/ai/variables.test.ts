import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from '../../../test/support/properties.ts';
import { expandVariables, UnknownVariableError, type Variable } from './index.ts';

const KNOWN: Readonly<Record<string, string>> = {
  'named entity_name': 'Mira Vale',
  'named tone': 'dry',
  'field name': 'Mira',
  'field stats.strength': '7',
  'field ally.name': 'Bo',
  'field location:mill.name': 'The Mill',
};

const keyOf = (variable: Variable): string =>
  variable.kind === 'named'
    ? `named ${variable.name}`
    : `field ${variable.type === null ? '' : `${variable.type}${variable.id === null ? '' : `:${variable.id}`}.`}${variable.path.join('.')}`;

const lookUp = (variable: Variable): string | undefined => {
  const isOfEntity = variable.kind === 'field' && variable.type === null;
  return isOfEntity && variable.path.join('.') === 'ally.name' ? undefined : KNOWN[keyOf(variable)];
};

const expand = (text: string, unknown: 'empty_string' | 'placeholder' | 'skip' | 'error' = 'skip') =>
  expandVariables(text, { valueOf: lookUp, unknown }).text;

describe('prompt variables', () => {
  it('are fields, fields of a type or of an entity, and names in brackets', () => {
    assert.equal(expand('$name, {entity_name}, {{ tone }}'), 'Mira, Mira Vale, dry');
    assert.equal(expand('$stats.strength / $ally.name / $location:mill.name'), '7 / Bo / The Mill');
  });

  it('end where nothing longer is known', () => {
    assert.equal(expand('Write about $name. Then rest.'), 'Write about Mira. Then rest.');
    assert.equal(expand('$name.then'), 'Mira.then');
    assert.equal(expand('It costs $5, {"a": 1} and {}'), 'It costs $5, {"a": 1} and {}');
  });

  it('have a limited depth, so that a long path costs no more than a long text', () => {
    const path = `$name${'.a'.repeat(50_000)}`;
    const began = performance.now();
    assert.equal(expand(path), `Mira${'.a'.repeat(50_000)}`);
    assert.ok(performance.now() - began < 1_000);
  });

  it('that nobody knows follow the strategy', () => {
    const text = 'a $ghost b {{ nobody }} c';
    assert.equal(expand(text, 'empty_string'), 'a  b  c');
    assert.equal(expand(text, 'placeholder'), 'a [ghost] b [nobody] c');
    assert.equal(expand(text, 'skip'), text);
    assert.throws(
      () => expand(text, 'error'),
      (error) => error instanceof UnknownVariableError && error.variables.join(' ') === '$ghost {{ nobody }}',
    );
    assert.deepEqual(expandVariables(text, { valueOf: lookUp, unknown: 'skip' }).unknown, [
      '$ghost',
      '{{ nobody }}',
    ]);
  });

  it('have values that are never expanded again', () => {
    const piece = fc.constantFrom('$name', '{{a}}', '{a}', '$a.b', '$$', '$&', '$1', 'text', ' ');
    fc.assert(
      fc.property(fc.array(piece), fc.array(piece), (value, around) => {
        const [inner, outer] = [value.join(''), around.join('').replaceAll(/[${}]/g, '')];
        const { text } = expandVariables(`${outer}{{x}}${outer}`, { valueOf: () => inner, unknown: 'error' });
        assert.equal(text, outer + inner + outer);
      }),
    );
  });
});
