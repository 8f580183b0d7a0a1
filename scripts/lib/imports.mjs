import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';

/**
 * The imports and re-exports of a source file, including types.
 * @returns {{target: string, line: number, isType: boolean}[]} targets as paths in the checkout, `node:…` or
 * package names; `isType` if nothing of it is left at run time
 */
export function importsOf(file, text) {
  const { module } = parseSync(file, text);
  const requests = [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      ...moduleRequest,
      isType: entries.length > 0 && entries.every(({ isType }) => isType),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) => (moduleRequest ? { ...moduleRequest, isType } : [])),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) => literal(text, moduleRequest)).filter(Boolean),
  ];
  return requests.map(({ value, start, isType = false }) => ({
    target: resolve(file, value),
    line: lineAt(text, start),
    isType,
  }));
}

/** From 1. */
export const lineAt = (text, position) => text.slice(0, position).split('\n').length;

function literal(text, { start, end }) {
  const value = /^(['"`])([^$]*)\1$/.exec(text.slice(start, end))?.[2];
  return value ? { value, start } : undefined;
}

function resolve(file, specifier) {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier);
  if (specifier.startsWith('node:')) return specifier;
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
