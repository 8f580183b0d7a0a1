import type { Call } from './call.ts';

export interface CallParts {
  params?: Readonly<Record<string, unknown>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  files?: Readonly<Record<string, Blob>>;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  keepalive?: boolean;
}

type Address = Pick<Call, 'method' | 'path'>;

/** The address of a call. A `{path}` at the end keeps its slashes; everything else is escaped. */
export function urlOf(call: Address, baseUrl: string, { params = {}, query = {} }: CallParts): string {
  const path = call.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => segment(call, name, params[name]));
  const search = searchOf(query);
  return `${baseUrl.replace(/\/+$/, '')}${path}${search === '' ? '' : `?${search}`}`;
}

function segment({ method, path }: Address, name: string, value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value);
  if (text === '') throw new TypeError(`${method} ${path}: the path parameter '${name}' is missing`);
  const parts = name === 'path' ? text.split('/') : [text];
  // Escaped or not, they would lead to the address of another call.
  if (parts.some((part) => part === '.' || part === '..'))
    throw new TypeError(`${method} ${path}: the path parameter '${name}' cannot be '${text}'`);
  return parts.map(encodeURIComponent).join('/');
}

function searchOf(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined) search.append(name, String(item));
  }
  return search.toString();
}

export function requestOf(call: Call, parts: CallParts, token: string | undefined) {
  const form = call.takesFiles ? formOf(parts) : undefined;
  const json = form || !call.hasBody || parts.body === undefined ? undefined : JSON.stringify(parts.body);
  const body = form ?? json;
  return {
    method: call.method,
    headers: {
      accept: call.replyType,
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...parts.headers,
    },
    ...(body !== undefined && { body }),
    ...(parts.signal && { signal: parts.signal }),
    ...(parts.keepalive && { keepalive: true }),
  };
}

function formOf({ body, files = {} }: CallParts): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body ?? {}))
    if (value !== undefined) form.append(name, String(value));
  for (const [name, file] of Object.entries(files)) form.append(name, file);
  return form;
}
