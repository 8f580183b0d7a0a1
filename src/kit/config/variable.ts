/** The part of a value that is hidden when configuration is shown: all of it, or the password in an address. */
export type Secrecy = 'none' | 'password' | 'whole';

export type Fallback<Value> =
  /** `serve: null`: required in that mode. `desktop`: that surface's own default. `$DATA_DIR` stands for that folder. */
  | { kind: 'default'; start: string; serve: string | null; desktop: string | null }
  /** Generated once by `npm start` in the data folder's `file`; required by `serve`; `absent` for commands without it. */
  | { kind: 'generated'; file: string; make: () => string; absent: Value }
  | { kind: 'none'; value: Value };

export const SURFACES = ['core', 'accounts', 'edge', 'worker', 'ai', 'desktop'] as const;
export type Surface = (typeof SURFACES)[number];

export interface Variable<Value> {
  name: string;
  alias?: string;
  description: string;
  example: string;
  secrecy: Secrecy;
  /** All by default. */
  neededBy?: readonly Surface[];
  selfHosted?: boolean;
  fallback: Fallback<Value>;
  /** Throws a Fault. */
  parse: (text: string) => Value;
}

type Details<Value> = Pick<
  Variable<Value>,
  'alias' | 'description' | 'example' | 'parse' | 'neededBy' | 'selfHosted'
> & {
  secrecy?: Secrecy;
};

/** A variable with a default; without `serve` both modes share it. */
export const withDefault = <Value>(
  name: string,
  details: Details<Value> & { start: string; serve?: string | null; desktop?: string },
): Variable<Value> => {
  const { start, serve = start, desktop = null, secrecy = 'none', ...rest } = details;
  return { name, secrecy, ...rest, fallback: { kind: 'default', start, serve, desktop } };
};

export const optional = <Value>(name: string, details: Details<Value>): Variable<Value | null> => ({
  name,
  secrecy: 'none',
  ...details,
  fallback: { kind: 'none', value: null },
});

export const generated = <Value>(
  name: string,
  details: Details<Value> & { file: string; make: () => string; absent: Value },
): Variable<Value> => {
  const { file, make, absent, ...rest } = details;
  return { name, ...rest, secrecy: 'whole', fallback: { kind: 'generated', file, make, absent } };
};
