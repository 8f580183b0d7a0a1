import type { JsonMap } from '../../text/json.ts';
import { isReservedKey, textFault } from './json.ts';
import { DOCUMENT_LIMITS } from './limits.ts';
import type { DocumentProblemCode } from './problem.ts';

export interface ValueFault {
  code: DocumentProblemCode;
  reason: string;
  path: (string | number)[];
}

interface Walk {
  nodes: number;
  path: (string | number)[];
  hasAliases: boolean;
}

/**
 * Returns the first fault, following aliases: a reserved key, a number that JSON lacks, text that no database keeps, too
 * many nodes or levels. A cycle is an `alias_bomb`.
 */
export function findFault(data: JsonMap, hasAliases: boolean): ValueFault | undefined {
  const walk: Walk = { nodes: 0, path: [], hasAliases };
  return checkValue(walk, data, 0);
}

function checkValue(walk: Walk, value: unknown, depth: number): ValueFault | undefined {
  if (++walk.nodes > DOCUMENT_LIMITS.nodes) return tooMany(walk);
  if (typeof value === 'object' && value !== null) {
    if (depth >= DOCUMENT_LIMITS.depth) return tooDeep(walk);
    return Array.isArray(value) ? checkList(walk, value, depth) : checkMap(walk, value as JsonMap, depth);
  }
  if (typeof value === 'string') return checkText(walk, value);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return fault(walk, 'yaml', `${value} is no number that can be stored; write it in quotes`);
  }
  return undefined;
}

function checkText(walk: Walk, text: string): ValueFault | undefined {
  const reason = textFault(text);
  return reason === null ? undefined : fault(walk, 'invalid_text', reason);
}

function checkList(walk: Walk, list: readonly unknown[], depth: number): ValueFault | undefined {
  for (let index = 0; index < list.length; index++) {
    walk.path.push(index);
    const found = checkValue(walk, list[index], depth + 1);
    if (found) return found;
    walk.path.pop();
  }
  return undefined;
}

function checkMap(walk: Walk, map: JsonMap, depth: number): ValueFault | undefined {
  for (const key of Object.keys(map)) {
    walk.path.push(key);
    if (isReservedKey(key)) return fault(walk, 'reserved_key', `the key "${key}" is reserved; rename it`);
    const found = checkText(walk, key) ?? checkValue(walk, map[key], depth + 1);
    if (found) return found;
    walk.path.pop();
  }
  return undefined;
}

function tooMany(walk: Walk): ValueFault {
  const reason = `the frontmatter holds more than ${DOCUMENT_LIMITS.nodes} values`;
  return walk.hasAliases
    ? fault(walk, 'alias_bomb', `${reason} once its aliases are expanded`)
    : fault(walk, 'too_many_nodes', reason);
}

function tooDeep(walk: Walk): ValueFault {
  const reason = `the frontmatter is nested deeper than ${DOCUMENT_LIMITS.depth} levels`;
  return walk.hasAliases
    ? fault(walk, 'alias_bomb', `${reason} once its aliases are expanded`)
    : fault(walk, 'too_deep', reason);
}

function fault(walk: Walk, code: DocumentProblemCode, reason: string): ValueFault {
  return { code, reason, path: [...walk.path] };
}
