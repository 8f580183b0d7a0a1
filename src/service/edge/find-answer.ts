import { badRequest, notFound } from '../../kit/errors.ts';
import type { EdgeAnswer, EdgeRule } from './edge.policy.ts';

/** The parts of a request that the policy looks at. */
export interface Asked {
  method: string;
  /** As sent, query included. */
  url: string;
  headers: { 'access-control-request-method'?: string | undefined };
}

interface CompiledRule {
  method: string;
  pattern: RegExp;
  answer: EdgeAnswer;
}

/** Finds what the policy says to a request; throws 400 for an address that is none and 404 for one that no rule fits. */
export function createAnswerFinder(policy: readonly EdgeRule[]) {
  const rules = policy.map(({ method, path, answer }) => ({ method, pattern: patternOf(path), answer }));
  return (asked: Asked): EdgeAnswer => {
    const path = pathOf(asked.url);
    const method = methodOf(asked);
    const rule = rules.find((each) => fits(each, method, path));
    if (rule) return rule.answer;
    throw notFound(`There is nothing at ${asked.method} ${path}`);
  };
}

const fits = (rule: CompiledRule, method: string, path: string): boolean =>
  (rule.method === '*' || rule.method === method) && rule.pattern.test(path);

function patternOf(path: string): RegExp {
  const text = path
    .replace(/[.]/g, '\\.')
    .replaceAll(/\{[^}]+\}/g, '[^/]+')
    .replace(/\*$/, '.+');
  return new RegExp(`^${text}$`, 'u');
}

/** HEAD asks for what GET does, a preflight for what the request after it will. */
function methodOf({ method, headers }: Asked): string {
  const asked = method === 'OPTIONS' ? (headers['access-control-request-method'] ?? method) : method;
  return asked === 'HEAD' ? 'GET' : asked;
}

/** The path as the services behind read it: what was needlessly encoded is decoded, a slash at the end means nothing. */
function pathOf(url: string): string {
  const [sent = ''] = url.split(/[?#]/);
  const path = decoded(sent).replace(/(?<=.)\/$/, '');
  if (path.split('/').some((part) => part === '.' || part === '..')) {
    throw badRequest('The address has a part . or ..: send it without');
  }
  return path;
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    throw badRequest('The address has a % that is not followed by the two digits of UTF-8 text');
  }
}
