import { didYouMean } from '../../text/near.ts';

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  int: 'a whole number',
  uint: 'a whole number',
  double: 'a number',
  bool: 'true or false',
  null: 'nothing',
  list: 'a list',
  map: 'a mapping',
  dyn: 'something',
};

function kindOf(type: string): string {
  const inner = /^dyn<(.+)>$/.exec(type)?.[1] ?? type;
  const name = /^\w+/.exec(inner)?.[0] ?? inner;
  return KINDS[name] ?? name;
}

const kindsOf = (types: string): string =>
  types
    .split(/,\s*(?![^<]*>)/)
    .map(kindOf)
    .join(' and ');

type Telling = readonly [RegExp, (found: readonly string[], names: Iterable<string>) => string];

/** The library's messages, reworded for the author of the rule. */
const TELLINGS: readonly Telling[] = [
  [
    /^no such overload: ([!-])(\S+)$/,
    ([sign = '', type = '']) => `"${sign}" cannot be used on ${kindOf(type)}`,
  ],
  [
    /^no such overload: (.+?) (\S+) (\S+)$/,
    ([left = '', sign = '', right = '']) =>
      `"${sign}" cannot be used between ${kindOf(left)} and ${kindOf(right)}`,
  ],
  [
    /^found no matching overload for '(\w+)\((.*)\)'/,
    ([name = '', types = '']) => `${name}() cannot be used on ${kindsOf(types)}`,
  ],
  [
    /^found no matching overload for '([^.]+)\.(\w+)\(/,
    ([type = '', name = '']) => `.${name}() cannot be used on ${kindOf(type)}`,
  ],
  [/^No such key: index out of bounds, index (\d+)/, ([index = '']) => `the list has no entry ${index}`],
  [/^No such key: (.+)$/, ([key = '']) => `nothing stands at "${key}"`],
  [
    /^Expression of type '([^']+)' cannot be range/,
    ([type = '']) => `a loop such as exists() or all() needs a list, not ${kindOf(type)}`,
  ],
  [
    /^Logical operator requires bool operands, got '([^']+)'/,
    ([type = '']) => `"&&" and "||" need true or false, not ${kindOf(type)}`,
  ],
  [/^(\w+)\(\) type error: cannot convert/, ([name = '']) => `${name}() cannot make a number of it`],
  [
    /^Unknown variable: (\w+)$/,
    ([name = ''], names) =>
      `"${name}" is not known${didYouMean(name, names) || `; a field is written fields.${name}`}`,
  ],
  [/^Unexpected token: EOF$/, () => 'it ends too early'],
];

/** `names` are the existing variables. */
export function inPlainWords(reason: string, names: Iterable<string>): string {
  for (const [pattern, tell] of TELLINGS) {
    const found = pattern.exec(reason);
    if (found) return tell(found.slice(1), names);
  }
  return reason;
}
