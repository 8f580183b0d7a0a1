import { parseSync } from 'oxc-parser';
import { lineAt } from './imports.mjs';

const SWAPPED = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&': ['|'],
  '|': ['&'],
  '&&': ['||'],
  '||': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '++': ['--'],
  '--': ['++'],
};
const OTHER_METHOD = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['min', 'max'],
  ['max', 'min'],
]);
const NEEDLESS_METHODS = [
  'filter',
  'sort',
  'toSorted',
  'reverse',
  'toReversed',
  'slice',
  'trim',
  'trimStart',
  'trimEnd',
  'toLowerCase',
];
/** The only nodes of the type syntax that hold code. */
const TYPED_VALUES = ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'];

/**
 * Small faults, each of which a test should notice.
 * @returns {{start: number, end: number, by: string, isStatement: boolean, line: number}[]} `by` stands in place of
 *   the text from `start` to `end`
 */
export function mutationsOf(file, text) {
  const found = [];
  const add = ({ start, end }, by, isStatement = false) => {
    if (
      by !== text.slice(start, end) &&
      !found.some((one) => one.start === start && one.end === end && one.by === by)
    )
      found.push({ start, end, by, isStatement, line: lineAt(text, start) });
  };
  visit(parseSync(file, text).program, { add, text, isInChain: false });
  return found;
}

/** `$mutated` selects one mutation at run time; the first has the number `from`. */
export function withMutations(text, mutations, from) {
  const spans = new Map();
  for (const [index, one] of mutations.entries()) {
    const span = `${one.start}-${one.end}`;
    spans.set(span, [...(spans.get(span) ?? []), { ...one, id: from + index }]);
  }
  const inOrder = [...spans.values()].sort(([a], [b]) => a.start - b.start || b.end - a.end);
  const written = (start, end) => {
    let out = '';
    let at = start;
    while (inOrder[0]?.[0].start < end) {
      const choices = inOrder.shift();
      const [{ start: from, end: to, isStatement }] = choices;
      out += text.slice(at, from);
      const original = written(from, to);
      const faulty = choices.map(({ id, by }) => `$mutated(${id}) ? (${by}) : `).join('');
      out += isStatement
        ? `{ if (!$mutated(${choices[0].id})) { ${original} } }`
        : `(${faulty}(${original}))`;
      at = to;
    }
    return out + text.slice(at, end);
  };
  return written(0, text.length);
}

function visit(node, context) {
  if (node.type.startsWith('TS') && !TYPED_VALUES.includes(node.type)) return;
  const isInChain = context.isInChain || node.type === 'ChainExpression';
  MUTATE[node.type]?.(node, { ...context, isInChain });
  for (const [key, value] of Object.entries(node)) {
    if (isFixed(node, key)) continue;
    for (const child of [value].flat())
      if (typeof child?.type === 'string') visit(child, { ...context, isInChain });
  }
}

/** Names of members and imports, tagged templates and directives cannot be replaced by values. */
const isFixed = (node, key) =>
  (key === 'key' && !node.computed) ||
  (key === 'source' && node.type !== 'ImportExpression') ||
  key === 'quasi' ||
  key === 'quasis' ||
  node.directive !== undefined ||
  node.type === 'ImportExpression';

const MUTATE = {
  BinaryExpression: swapOperator,
  LogicalExpression(node, context) {
    if (node.operator === '??') context.add(node, textOf(node.left, context));
    else swapOperator(node, context);
  },
  AssignmentExpression: swapOperator,
  UpdateExpression: swapOperator,
  UnaryExpression(node, context) {
    if (node.operator === '!' || node.operator === '-') context.add(node, textOf(node.argument, context));
  },
  IfStatement: decide,
  ConditionalExpression: decide,
  WhileStatement: (node, { add }) => add(node.test, 'false'),
  ForStatement: (node, { add }) => node.test && add(node.test, 'false'),
  Literal(node, { add }) {
    if (typeof node.value === 'string') add(node, node.value === '' ? "'mutated'" : "''");
    if (typeof node.value === 'boolean') add(node, String(!node.value));
    if (typeof node.value === 'number') add(node, String(node.value + 1));
  },
  TemplateLiteral: (node, { add }) => add(node, '``'),
  ArrayExpression: (node, { add }) => node.elements.length > 0 && add(node, '[]'),
  ObjectExpression: (node, { add }) => node.properties.length > 0 && add(node, '{}'),
  ReturnStatement: (node, context) => node.argument && giveNothing(node.argument, context),
  ArrowFunctionExpression: (node, context) =>
    node.body.type !== 'BlockStatement' && giveNothing(node.body, context),
  ExpressionStatement: (node, { add }) => node.directive === undefined && add(node, ';', true),
  CallExpression(node, { add, text, isInChain }) {
    const { object, property } = node.callee;
    if (isInChain || node.callee.type !== 'MemberExpression' || node.callee.computed) return;
    const other = OTHER_METHOD.get(property.name);
    if (other) add(node, text.slice(node.start, property.start) + other + text.slice(property.end, node.end));
    if (NEEDLESS_METHODS.includes(property.name)) add(node, text.slice(object.start, object.end));
  },
};

function swapOperator(node, { add, text }) {
  const [first, second] = node.left ? [node.left, node.right] : [node.argument, node.argument];
  if (/^\+=?$/.test(node.operator) && [first, second].some(isText)) return;
  for (const other of SWAPPED[node.operator] ?? []) {
    const between = { start: node.left ? first.end : node.start, end: node.left ? second.start : node.end };
    const swapped = text.slice(between.start, between.end).replace(node.operator, other);
    add(node, text.slice(node.start, between.start) + swapped + text.slice(between.end, node.end));
  }
}

function decide(node, { add }) {
  add(node.test, 'true');
  add(node.test, 'false');
}

function giveNothing(node, { add }) {
  if (!/Literal$|^(?:Array|Object)Expression$/.test(node.type) && node.name !== 'undefined')
    add(node, 'undefined');
}

const isText = ({ type, value }) =>
  type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string');
const textOf = ({ start, end }, { text }) => text.slice(start, end);
