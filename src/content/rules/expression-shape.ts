import type { ASTNode } from '@marcbachmann/cel-js';
import { didYouMean } from '../../text/near.ts';

/** Estimated from the text alone. */
export interface ExpressionShape {
  nodes: number;
  /** Depth of nested loops over lists. */
  loops: number;
  /** Calls that read a whole text, comparisons that may read a list, additions that may lengthen one. */
  texts: number;
  scans: number;
  sums: number;
  splits: boolean;
  /** Names used on `fields`. */
  fields: ReadonlySet<string>;
  /** Arguments of `matches`. */
  patterns: ReadonlySet<string>;
}

/** The longest list and text that an expression may run on. */
export interface SubjectSize {
  list: number;
  text: number;
}

const LOOPS = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);
const TEXT_METHODS = new Set([
  ...['contains', 'startsWith', 'endsWith', 'indexOf', 'lastIndexOf'],
  ...['lowerAscii', 'upperAscii', 'trim', 'substring', 'split', 'size'],
]);
const FUNCTIONS = new Set([
  ...['has', 'size', 'int', 'double', 'string', 'bool', 'type', 'dyn'],
  ...['matches', 'words', 'filled', 'duplicates'],
]);
const TEXT_FUNCTIONS = new Set(['words', 'size', 'duplicates', 'filled']);
const MOST_LOOPS = 2;
const CHARACTERS_A_STEP = 50;
const ENTRIES_A_STEP = 10;
/** A pattern reads a text this much more slowly than other calls do. */
const TEXTS_A_MATCH = 20;

/** Before it ever runs. */
export class ExpressionRefused extends Error {}

interface Walk {
  shape: ExpressionShape & { fields: Set<string>; patterns: Set<string> };
  depth: number;
}

export function shapeOf(ast: ASTNode): ExpressionShape {
  const shape = {
    nodes: 0,
    loops: 0,
    texts: 0,
    scans: 0,
    sums: 0,
    splits: false,
    fields: new Set<string>(),
    patterns: new Set<string>(),
  };
  visit({ shape, depth: 0 }, ast);
  return shape;
}

/** At most; a step takes about a tenth of a microsecond. */
export function costOf(shape: ExpressionShape, size: SubjectSize): number {
  const longer = 1 + shape.sums;
  const list = Math.max(1, shape.splits ? Math.max(size.list, size.text) : size.list) * longer;
  const text = (size.text * longer) / CHARACTERS_A_STEP;
  const each = shape.nodes + shape.texts * text + (shape.scans * list) / ENTRIES_A_STEP;
  return each * list ** shape.loops;
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
}

function visit(walk: Walk, value: unknown): void {
  if (Array.isArray(value)) {
    for (const entry of value) visit(walk, entry);
    return;
  }
  if (!isNode(value)) return;
  const { shape } = walk;
  shape.nodes += 1;
  const args = value.args as unknown;
  if (value.op === 'rcall') visitMethod(walk, args as [string, ASTNode, ASTNode[]]);
  else if (value.op === 'call') visitFunction(walk, args as [string, ASTNode[]]);
  else {
    if (value.op === '.') noteField(walk, args as [ASTNode, string]);
    if (value.op === '+') shape.sums += 1;
    if (value.op === 'in') shape.scans += 1;
    if ((value.op === '==' || value.op === '!=') && !(args as ASTNode[]).some(isLiteral)) shape.scans += 1;
    visit(walk, args);
  }
}

const isLiteral = (node: ASTNode): boolean => node.op === 'value';

function noteField({ shape }: Walk, [left, name]: [ASTNode, string]): void {
  if (left.op === 'id' && (left.args as unknown) === 'fields') shape.fields.add(name);
}

function visitMethod(walk: Walk, [name, receiver, args]: [string, ASTNode, ASTNode[]]): void {
  const { shape, depth } = walk;
  visit(walk, receiver);
  if (LOOPS.has(name)) {
    shape.loops = Math.max(shape.loops, depth + 1);
    if (shape.loops > MOST_LOOPS) {
      throw new ExpressionRefused(`loops may stand ${MOST_LOOPS} deep in one another, no deeper`);
    }
    visit({ shape, depth: depth + 1 }, args);
    return;
  }
  if (name === 'matches')
    throw new ExpressionRefused('write matches(text, "pattern") for text.matches("pattern")');
  if (!TEXT_METHODS.has(name))
    throw new ExpressionRefused(
      `.${name}() is not known here${didYouMean(name, [...TEXT_METHODS, ...LOOPS])}`,
    );
  if (name === 'split') shape.splits = true;
  shape.texts += 1;
  visit(walk, args);
}

function visitFunction(walk: Walk, [name, args]: [string, ASTNode[]]): void {
  if (!FUNCTIONS.has(name))
    throw new ExpressionRefused(`${name}() is not known here${didYouMean(name, FUNCTIONS)}`);
  if (name === 'matches') {
    notePattern(walk, args[1]);
    walk.shape.texts += TEXTS_A_MATCH;
  } else if (TEXT_FUNCTIONS.has(name)) walk.shape.texts += 1;
  visit(walk, args);
}

function notePattern({ shape }: Walk, pattern: ASTNode | undefined): void {
  const text: unknown = pattern?.op === 'value' ? pattern.args : undefined;
  if (typeof text !== 'string')
    throw new ExpressionRefused('the pattern of matches() must be a text in quotes');
  shape.patterns.add(text);
}
