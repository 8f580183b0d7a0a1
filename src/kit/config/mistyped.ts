import { nearest } from '../../text/near.ts';
import type { Environment } from './config.ts';
import type { Variable } from './variable.ts';
import { VARIABLES } from './variables.ts';

/** Shorter names of ours are near to what other programs read: `AI_URL` to `API_URL`. */
const SHORTEST = 8;

const namesOf = ({ name, alias, secrecy }: Variable<unknown>): string[] => [
  name,
  ...(alias === undefined ? [] : [alias]),
  ...(secrecy === 'none' ? [] : [`${name}_FILE`]),
];

/**
 * One line that names the variables that are set, that nothing reads, and that are near to one that would be read;
 * undefined when there are none. What is near to nothing is another program's. Neither is anything meant that is set already.
 */
export function mistypedVariables(env: Environment): string | undefined {
  const known = Object.values(VARIABLES as Record<string, Variable<unknown>>).flatMap(namesOf);
  const ours = new Set(known);
  const isSet = (name: string) => (env[name] ?? '').trim() !== '';
  const unset = known.filter((name) => name.length >= SHORTEST && !isSet(name));
  const told = Object.keys(env).flatMap((name) => {
    if (ours.has(name) || !isSet(name)) return [];
    const meant = nearest(name, unset);
    return meant === undefined ? [] : [`${name} (did you mean ${meant}?)`];
  });
  if (told.length === 0) return undefined;
  return `${told.length === 1 ? 'an environment variable that is set is' : 'environment variables that are set are'} not read: ${told.join(', ')}`;
}
