/** Marks the part of a module that has its contexts alone. */
export const CONTEXTS = '?contexts';

const CONTEXT = /^const (\S+) = \/\*#__PURE__\*\/ \(0, \S+\$createContext\)\((null|\{\})\);$/gm;
const EXPORTS = /^export \{(.+)\};$/m;
const IMPORT = /^import \{(.+)\} from "\.\/(\w+\.mjs)";$/gm;

interface Context {
  name: string;
  local: string;
  initial: string;
}

/** The contexts that a module of React Aria Components exports, as it is published. */
export function contextsIn(code: string): Context[] {
  const initials = new Map(
    [...code.matchAll(CONTEXT)].map(([, local = '', initial = '']) => [local, initial]),
  );
  return namesIn(EXPORTS.exec(code)?.[1] ?? '').flatMap(([local, name]) => {
    const initial = initials.get(local);
    return initial === undefined ? [] : [{ name, local, initial }];
  });
}

/** The module of the contexts. */
export const contextsAlone = (code: string): string =>
  [
    "import { createContext } from 'react';",
    ...contextsIn(code).map(
      ({ name, initial }) => `export const ${name} = /*#__PURE__*/ createContext(${initial});`,
    ),
  ].join('\n');

/** The module without its contexts: it takes them, like those of others, from where they stand alone. */
export function withoutContexts(code: string, file: string, textOf: (file: string) => string): string {
  const own = contextsIn(code);
  const locals = new Set(own.map(({ local }) => local));
  const taken = own.map(({ name, local }) => `${name} as ${local}`);
  return [
    importOf(taken, file + CONTEXTS),
    code
      .replace(CONTEXT, (line, local: string) => (locals.has(local) ? '' : line))
      .replace(IMPORT, (_, list: string, from: string) => {
        const apart = new Set(contextsIn(textOf(from)).map(({ name }) => name));
        const parts = Object.groupBy(list.split(', '), (part) =>
          apart.has(part.split(' as ')[0] ?? '') ? 'contexts' : 'others',
        );
        return importOf(parts.contexts ?? [], from + CONTEXTS) + importOf(parts.others ?? [], from);
      }),
  ].join('');
}

const importOf = (parts: readonly string[], from: string): string =>
  parts.length === 0 ? '' : `import {${parts.join(', ')}} from "./${from}";`;

const namesIn = (list: string): [first: string, second: string][] =>
  list.split(', ').map((part) => {
    const [first = '', second = first] = part.split(' as ');
    return [first, second];
  });
