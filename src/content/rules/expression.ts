import { Environment } from '@marcbachmann/cel-js';
import { costOf, ExpressionRefused, shapeOf } from './expression-shape.ts';
import { duplicatesOf, isBlank, sizeOf, wordsOf } from './expression-values.ts';
import { inPlainWords } from './expression-words.ts';
import { compilePattern, type Pattern } from './pattern.ts';
import type { RuleSubject } from './types.ts';

/** Or the reason why it could not be decided. */
export type Verdict = { holds: boolean } | { unable: string };

export interface Expression {
  /** Names used on `fields`. */
  fields: ReadonlySet<string>;
  /** `value` is that of the rule's field; null for none. */
  run(subject: RuleSubject, value: unknown): Verdict;
}

const LONGEST_EXPRESSION = 1_000;
/** A few milliseconds. */
const MOST_STEPS = 50_000;

const patterns = new Map<string, Pattern>();
const MOST_PATTERNS = 1_000;

function patternOf(source: string): Pattern {
  const known = patterns.get(source);
  if (known) return known;
  const compiled = compilePattern(source);
  if (!compiled.ok) throw new ExpressionRefused(compiled.reason);
  if (patterns.size >= MOST_PATTERNS) patterns.clear();
  patterns.set(source, compiled.pattern);
  return compiled.pattern;
}

function matches(text: string, source: string): boolean {
  const found = patternOf(source).test(text);
  if (found === null) throw new Error('a text is too long for matches()');
  return found;
}

/** Entities' numbers are decimal, those of expressions mostly whole: both may be used together. */
function withMixedNumbers(environment: Environment): Environment {
  const operations: [string, (a: number, b: number) => number][] = [
    ['+', (a, b) => a + b],
    ['-', (a, b) => a - b],
    ['*', (a, b) => a * b],
    ['/', (a, b) => a / b],
    ['%', (a, b) => a % b],
  ];
  for (const [sign, operation] of operations) {
    environment.registerOperator(`double ${sign} int`, (a: number, b: bigint) => operation(a, Number(b)));
    environment.registerOperator(`int ${sign} double`, (a: bigint, b: number) => operation(Number(a), b));
  }
  return environment.registerOperator('double % double', (a: number, b: number) => a % b);
}

const VARIABLE_KINDS: Readonly<Record<string, 'map' | 'dyn' | 'string'>> = {
  fields: 'map',
  value: 'dyn',
  name: 'string',
  status: 'string',
  entity_type: 'string',
  entity_id: 'string',
  body: 'string',
  primary_asset: 'dyn',
  production_status: 'dyn',
};
const VARIABLES = Object.keys(VARIABLE_KINDS);

const withVariables = (environment: Environment): Environment =>
  Object.entries(VARIABLE_KINDS).reduce((all, [name, kind]) => all.registerVariable(name, kind), environment);

const environment = withVariables(
  withMixedNumbers(
    new Environment({
      homogeneousAggregateLiterals: false,
      limits: {
        maxAstNodes: 300,
        maxDepth: 32,
        maxListElements: 100,
        maxMapEntries: 20,
        maxCallArguments: 4,
      },
    }),
  ),
)
  .registerFunction('matches(string, string): bool', matches)
  .registerFunction('words(string): int', (text: string) => BigInt(wordsOf(text)))
  .registerFunction('filled(dyn): bool', (value: unknown) => !isBlank(value))
  .registerFunction('duplicates(list): list', duplicatesOf);

function reasonOf(error: unknown): string {
  if (error instanceof ExpressionRefused) return error.message;
  // The lines after the first draw the position in the expression.
  const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '').trim() : String(error);
  return inPlainWords(reason, VARIABLES);
}

type Context = Record<string, unknown> & { fields: Readonly<Record<string, unknown>> };

const contexts = new WeakMap<RuleSubject, Context>();

/** Built once per entity. Named fields that are missing are null. */
function contextOf(subject: RuleSubject, names: readonly string[], value: unknown): Context {
  let context = contexts.get(subject);
  if (context === undefined) {
    context = {
      fields: subject.fields,
      value: null,
      name: subject.name,
      status: subject.status,
      entity_type: subject.entity_type,
      entity_id: subject.entity_id,
      body: subject.markdown_body,
      primary_asset: subject.primary_asset,
      production_status: subject.production_status ?? null,
    };
    contexts.set(subject, context);
  }
  const { fields } = context;
  const absent = names.filter((name) => !Object.hasOwn(fields, name));
  if (absent.length > 0)
    context.fields = { ...Object.fromEntries(absent.map((name) => [name, null])), ...fields };
  context.value = value ?? null;
  return context;
}

/**
 * A CEL condition over `fields`, `value`, `name`, `status`, `body`, `entity_type`, `entity_id`, `primary_asset` and
 * `production_status`. Its cost is estimated before each run.
 */
export function compileExpression(
  source: string,
): { ok: true; expression: Expression } | { ok: false; reason: string } {
  if (source.length > LONGEST_EXPRESSION) {
    return { ok: false, reason: `the expression is longer than ${LONGEST_EXPRESSION} characters` };
  }
  try {
    const program = environment.parse(source);
    const shape = shapeOf(program.ast);
    for (const pattern of shape.patterns) patternOf(pattern);
    const checked = program.check();
    if (!checked.valid) return { ok: false, reason: `not an expression: ${reasonOf(checked.error)}` };
    if (checked.type !== 'bool' && checked.type !== 'dyn') {
      return {
        ok: false,
        reason: `the expression must say true or false, not a value of the kind ${checked.type}`,
      };
    }
    const names = [...shape.fields];
    const run = (subject: RuleSubject, value: unknown): Verdict => {
      if (costOf(shape, sizeOf(subject)) > MOST_STEPS)
        return { unable: 'its lists or texts are too long for it' };
      try {
        const verdict: unknown = program(contextOf(subject, names, value));
        return typeof verdict === 'boolean'
          ? { holds: verdict }
          : { unable: 'it says neither true nor false' };
      } catch (error) {
        return { unable: reasonOf(error) };
      }
    };
    return { ok: true, expression: { fields: shape.fields, run } };
  } catch (error) {
    return { ok: false, reason: `not an expression: ${reasonOf(error)}` };
  }
}
