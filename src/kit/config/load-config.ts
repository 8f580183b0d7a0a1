import { readFileSync } from 'node:fs';
import { messageOf } from '../errors.ts';
import { checkTogether } from './check-together.ts';
import type {
  Config,
  ConfigMode,
  ConfigSource,
  Environment,
  LoadedConfig,
  ShownVariable,
  Values,
} from './config.ts';
import { ConfigError, Fault } from './config-error.ts';
import { mask } from './mask.ts';
import { provisionFolder, provisionSecret, readSecret, secretPath } from './provision.ts';
import type { Surface, Variable } from './variable.ts';
import { VARIABLES } from './variables.ts';

interface Found {
  text: string | null;
  source: ConfigSource;
  /** Only if it is not the variable's first name. */
  name?: string;
}

interface Loading {
  env: Environment;
  mode: ConfigMode;
  surface: Surface;
  dataDir: string;
  provisioned: string[];
}

/**
 * In mode `start` it also creates the data folder and missing secrets. Throws a ConfigError for an invalid value and, in
 * mode `serve`, for a missing one that the surface needs.
 */
export function loadConfig({
  env,
  mode,
  surface = 'core',
}: {
  env: Environment;
  mode: ConfigMode;
  surface?: Surface;
}): LoadedConfig {
  const loading: Loading = { env, mode, surface, dataDir: '', provisioned: [] };
  const values: Record<string, unknown> = {};
  const shown: ShownVariable[] = [];
  for (const [key, variable] of Object.entries(VARIABLES) as [string, Variable<unknown>][]) {
    const found = find(variable, loading);
    values[key] = parse(variable, found);
    if (variable === VARIABLES.dataDir) useDataFolder(loading, values[key] as string);
    shown.push({ name: variable.name, value: mask(variable.secrecy, found.text), source: found.source });
  }
  const config = assemble(values as Values);
  checkTogether(config, surface);
  const sources = Object.fromEntries(shown.map(({ name, source }) => [name, source]));
  if (surface === 'accounts' && mode === 'serve') requireOneDatabase(sources);
  return { config, sources, shown, provisioned: loading.provisioned };
}

function assemble({ rateLimitLogin, rateLimitAnonymous, rateLimitUser, ...rest }: Values): Config {
  return {
    ...rest,
    rateLimits: { login: rateLimitLogin, anonymous: rateLimitAnonymous, user: rateLimitUser },
  };
}

function useDataFolder(loading: Loading, dataDir: string): void {
  loading.dataDir = dataDir;
  if (loading.mode !== 'start') return;
  try {
    if (provisionFolder(dataDir)) loading.provisioned.push(`made the data folder ${dataDir}`);
  } catch (error) {
    throw new ConfigError('DATA_DIR', `cannot be used: ${messageOf(error)}`, VARIABLES.dataDir.example);
  }
}

function parse(variable: Variable<unknown>, found: Found): unknown {
  const { text, source } = found;
  const { name, example, fallback } = variable;
  if (text === null) return fallback.kind === 'generated' ? fallback.absent : null;
  try {
    return variable.parse(text);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const from = source === 'generated' ? ' (generated in the data folder)' : '';
    throw new ConfigError(found.name ?? name, `${error.message}${from}`, example);
  }
}

function find(variable: Variable<unknown>, loading: Loading): Found {
  const given = fromEnvironment(variable, loading.env);
  if (given !== null) return given;
  const { fallback, neededBy, selfHosted = false } = variable;
  const isUnneeded = neededBy?.includes(loading.surface) === false || (selfHosted && isCloud(loading.env));
  if (isUnneeded) return findUnneeded(variable, loading);
  if (fallback.kind === 'none') return { text: null, source: 'unset' };
  if (fallback.kind === 'generated') return findGenerated(variable, loading);
  const text = defaultFor(fallback, loading);
  if (text === null) throw missing(variable);
  return { text: text.replace('$DATA_DIR', () => loading.dataDir), source: 'default' };
}

const defaultFor = (
  { start, serve, desktop }: Extract<Variable<unknown>['fallback'], { kind: 'default' }>,
  { mode, surface }: Loading,
): string | null => (surface === 'desktop' && desktop !== null ? desktop : mode === 'serve' ? serve : start);

const isCloud = ({ DEPLOYMENT }: Environment): boolean => DEPLOYMENT?.trim().toLowerCase() === 'cloud';

/** A variable that the surface does not use is neither required nor generated. */
const findUnneeded = (variable: Variable<unknown>, loading: Loading): Found =>
  find({ ...variable, neededBy: [loading.surface], selfHosted: false }, { ...loading, mode: 'cli' });

/** A blank value counts as unset: `X=` in a container's env file arrives like that. */
function fromEnvironment(variable: Variable<unknown>, env: Environment): Found | null {
  const { name, alias, secrecy } = variable;
  const read = (key: string) => env[key]?.trim() || null;
  const file = secrecy === 'none' ? null : read(`${name}_FILE`);
  if (file !== null) return fromFile(variable, file, read(name) !== null);
  const used = alias !== undefined && read(name) === null ? alias : name;
  const text = read(used);
  return text === null ? null : { text, source: 'environment', name: used };
}

function fromFile({ name, example }: Variable<unknown>, file: string, alsoSet: boolean): Found {
  if (alsoSet) throw new ConfigError(name, `and ${name}_FILE are both set: keep one`, example);
  try {
    return { text: readFileSync(file, 'utf8').trim(), source: 'file' };
  } catch (error) {
    throw new ConfigError(`${name}_FILE`, `cannot be read: ${messageOf(error)}`, '/run/secrets/canonry');
  }
}

function findGenerated(variable: Variable<unknown>, loading: Loading): Found {
  const { name, example, fallback } = variable;
  if (fallback.kind !== 'generated' || loading.mode === 'serve') throw missing(variable);
  const path = secretPath(loading.dataDir, fallback.file);
  try {
    if (loading.mode === 'start' && provisionSecret(path, fallback.make))
      loading.provisioned.push(`made ${name} in ${path}`);
    const text = readSecret(path);
    return { text, source: text === null ? 'unset' : 'generated' };
  } catch (error) {
    throw new ConfigError(name, `cannot be kept in ${path}: ${messageOf(error)}`, example);
  }
}

function requireOneDatabase({
  ACCOUNTS_DATABASE_URL: own,
  DATABASE_URL: shared,
}: LoadedConfig['sources']): void {
  if (own !== 'unset' || shared !== 'default') return;
  const { name, example } = VARIABLES.accountsDatabaseUrl;
  throw new ConfigError(
    name,
    'is not set, nor is DATABASE_URL, but canonry serve needs one of them',
    example,
  );
}

const missing = ({ name, example }: Variable<unknown>): ConfigError =>
  new ConfigError(name, 'is not set, but canonry serve needs it', example);
