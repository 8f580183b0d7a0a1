import { type Contract, hasBody } from '../kit/contract.ts';

export interface CallParts {
  params?: Readonly<Record<string, unknown>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** The address of a call. A `{path}` at the end keeps its slashes; everything else is escaped. */
export function urlOf(contract: Contract, baseUrl: string, { params = {}, query = {} }: CallParts): string {
  const path = contract.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
    segment(contract.name, name, params[name]),
  );
  const search = searchOf(query);
  return `${baseUrl.replace(/\/+$/, '')}${path}${search === '' ? '' : `?${search}`}`;
}

function segment(call: string, name: string, value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value);
  if (text === '') throw new TypeError(`${call}: the path parameter '${name}' is missing`);
  return name === 'path' ? text.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(text);
}

/** Lists become repeated parameters; what is undefined is left out. */
function searchOf(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined) search.append(name, String(item));
  }
  return search.toString();
}

/** What `fetch` takes beside the address. */
export function requestOf(contract: Contract, parts: CallParts, token: string | undefined) {
  const sendsBody = hasBody(contract) && parts.body !== undefined;
  return {
    method: contract.method,
    headers: {
      accept: contract.replyType,
      ...(sendsBody && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...parts.headers,
    },
    ...(sendsBody && { body: JSON.stringify(parts.body) }),
  };
}
