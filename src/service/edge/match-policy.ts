import { badRequest } from '../../kit/errors.ts';
import type { EdgeAction, EdgeRule } from './edge.policy.ts';

export interface EdgeRequest {
  method: string;
  /** As sent, including the query. */
  url: string;
  headers: { 'access-control-request-method'?: string | undefined };
}

interface CompiledRule {
  method: string;
  pattern: RegExp;
  action: EdgeAction;
}

/** Finds the policy's action for a request, null if no rule matches; 400 for a malformed address. */
export function createPolicyMatcher(policy: readonly EdgeRule[]) {
  const rules = policy.map(({ method, path, action }) => ({ method, pattern: patternOf(path), action }));
  return (request: EdgeRequest): EdgeAction | null => {
    const path = pathOf(request.url);
    const method = methodOf(request);
    return rules.find((each) => fits(each, method, path))?.action ?? null;
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

/** HEAD is treated as GET, and a preflight as the request that will follow it. */
function methodOf({ method, headers }: EdgeRequest): string {
  const requested = method === 'OPTIONS' ? (headers['access-control-request-method'] ?? method) : method;
  return requested === 'HEAD' ? 'GET' : requested;
}

/** The path as the services behind read it: needless encoding is undone, and a final slash is ignored. */
function pathOf(url: string): string {
  const [sent = ''] = url.split(/[?#]/);
  const path = decoded(sent).replace(/(?<=.)\/$/, '');
  if (path.split('/').some((part) => part === '.' || part === '..')) {
    throw badRequest('The address contains a segment . or ..: send it without');
  }
  return path;
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    throw badRequest('The address contains a % that is not followed by two hex digits of UTF-8 text');
  }
}
