import { nearest } from '../../text/near.ts';
import type { Environment } from './config.ts';
import type { Variable } from './variable.ts';
import { VARIABLES } from './variables.ts';

/** Shorter names of ours resemble those of other programs: `AI_URL` and `API_URL`. */
const SHORTEST = 8;

const namesOf = ({ name, alias, secrecy }: Variable<unknown>): string[] => [
  name,
  ...(alias === undefined ? [] : [alias]),
  ...(secrecy === 'none' ? [] : [`${name}_FILE`]),
];

/**
 * A name that resembles none of ours belongs to another program, and one that resembles a variable that is set is no slip.
 * Undefined if there is nothing to say.
 */
export function mistypedVariables(env: Environment): string | undefined {
  const known = Object.values(VARIABLES as Record<string, Variable<unknown>>).flatMap(namesOf);
  const ours = new Set(known);
  const isSet = (name: string) => (env[name] ?? '').trim() !== '';
  const unset = known.filter((name) => name.length >= SHORTEST && !isSet(name));
  const findings = Object.keys(env).flatMap((name) => {
    if (ours.has(name) || !isSet(name)) return [];
    const meant = nearest(name, unset);
    return meant === undefined ? [] : [`${name} (did you mean ${meant}?)`];
  });
  if (findings.length === 0) return undefined;
  return `${findings.length === 1 ? 'an environment variable that is set is' : 'environment variables that are set are'} not read: ${findings.join(', ')}`;
}
