import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ConfigError, configTableMarkdown, describeConfig, loadConfig } from './index.ts';

let folder = '';
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'));
});
after(() => rmSync(folder, { recursive: true }));

const SECRET = 'a secret of more than thirty-two bytes';
const KEY = Buffer.alloc(32, 7).toString('base64');
const served = () => ({
  DATA_DIR: folder,
  CONTENT_DIR: join(folder, 'world'),
  DATABASE_URL: 'postgres://writer:hidden@db/canonry',
  JWT_SECRET: SECRET,
  ENCRYPTION_KEY: KEY,
});

const faultOf = (env: Record<string, string>, mode: 'start' | 'serve' | 'cli' = 'serve'): ConfigError => {
  try {
    loadConfig({ env, mode });
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('the configuration was accepted');
};

test('a first start makes the data folder and the secrets, a second one finds them', () => {
  const env = { DATA_DIR: join(folder, 'fresh') };
  const first = loadConfig({ env, mode: 'start' });
  assert.equal(first.provisioned.length, 3);
  assert.equal(first.config.contentDir, join(folder, 'fresh', 'content'));
  assert.deepEqual(first.config.databaseUrl, { kind: 'sqlite', path: join(folder, 'fresh', 'canonry.db') });
  assert.equal(first.config.encryptionKey.length, 32);
  assert.ok(first.config.jwtSecret.length >= 32);
  assert.equal(statSync(env.DATA_DIR).mode & 0o777, 0o700);
  assert.equal(statSync(join(env.DATA_DIR, 'secrets', 'jwt-secret')).mode & 0o777, 0o600);
  const second = loadConfig({ env, mode: 'start' });
  assert.deepEqual(second.provisioned, []);
  assert.equal(second.config.jwtSecret, first.config.jwtSecret);
  assert.equal(second.sources.JWT_SECRET, 'generated');
  assert.equal(loadConfig({ env, mode: 'cli' }).config.jwtSecret, first.config.jwtSecret);
});

test('a command makes nothing', () => {
  const env = { DATA_DIR: join(folder, 'absent') };
  const { config, sources } = loadConfig({ env, mode: 'cli' });
  assert.equal(config.jwtSecret, '');
  assert.equal(sources.JWT_SECRET, 'unset');
  assert.throws(() => statSync(env.DATA_DIR), { code: 'ENOENT' });
});

test('serve provisions nothing and names what is missing in one line', () => {
  for (const name of Object.keys(served())) {
    const env: Record<string, string> = served();
    delete env[name];
    const fault = faultOf(env);
    assert.equal(fault.variable, name);
    assert.match(fault.message, new RegExp(`^${name} is not set.*For example: ${name}=.+$`));
  }
});

test('serve has the defaults of production', () => {
  const { config } = loadConfig({ env: served(), mode: 'serve' });
  assert.deepEqual(config.bindAddress, { host: '0.0.0.0', port: 8000 });
  assert.equal(config.registration, 'invite');
  assert.deepEqual(config.rateLimits, { login: 10, anonymous: 60, user: 1200 });
  assert.equal(config.sweepIntervalMs, 60_000);
  assert.deepEqual(config.corsOrigins, []);
  assert.equal(config.redisUrl, null);
});

const REFUSED: [name: string, value: string][] = [
  ['BIND_ADDR', '8000'],
  ['BIND_ADDR', '127.0.0.1:99999'],
  ['BIND_ADDR', '::1:8000'],
  ['DATABASE_URL', 'mysql://db/canonry'],
  ['DATABASE_URL', 'sqlite::memory:'],
  ['DATABASE_URL', 'sqlite:'],
  ['JWT_SECRET', 'short'],
  ['ENCRYPTION_KEY', 'not base64!'],
  ['ENCRYPTION_KEY', Buffer.alloc(31).toString('base64')],
  ['LOG_LEVEL', 'loud'],
  ['RUST_LOG', 'loud'],
  ['CORS_ORIGINS', '*'],
  ['CORS_ORIGINS', 'https://a.example/path'],
  ['DEPLOYMENT', 'moon'],
  ['REDIS_URL', 'http://redis'],
  ['LOCAL_PLAN', 'gold'],
  ['REGISTRATION', 'yes'],
  ['RATE_LIMIT_LOGIN', '-1'],
  ['RATE_LIMIT_USER', 'many'],
  ['SWEEP_INTERVAL', '60'],
  ['SWEEP_INTERVAL', '0s'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['ACCOUNTS_URL', 'accounts'],
  ['ALLOW_PRIVATE_ENDPOINTS', 'perhaps'],
  ['OAUTH_GOOGLE_ISSUER', 'http://accounts.example.com'],
  ['OAUTH_GITHUB_URL', 'https://user:pass@github.example.com'],
  ['OAUTH_RETURN_URLS', 'javascript:alert(1)'],
  ['OAUTH_RETURN_URLS', 'https://studio.example.com/?next=x'],
  ['OAUTH_RETURN_URLS', 'http://studio.example.com/'],
  ['PLUGIN_CATALOG', 'http://plugins.example.com/catalog.json'],
  ['PLUGIN_CATALOG', 'https://user:pass@plugins.example.com/catalog.json'],
  ['PLUGIN_CATALOG', 'file:///srv/catalog.json'],
  ['PLUGIN_CATALOG_KEY', 'AAAA'],
];
for (const [name, value] of REFUSED) {
  test(`refuses ${name}=${value}`, () => {
    const fault = faultOf({ ...served(), [name]: value });
    assert.equal(fault.variable, name);
    assert.match(fault.message, /^[^\n]+ For example: [A-Z_]+=[^\n]+$/);
  });
}

test('a refused secret is not repeated', () => {
  assert.ok(!faultOf({ ...served(), JWT_SECRET: 'my-short-one' }).message.includes('my-short-one'));
});

test('a secret may come from a file, but not twice', () => {
  const path = join(folder, 'jwt');
  writeFileSync(path, `${SECRET}\n`);
  const { JWT_SECRET, ...others } = served();
  const loaded = loadConfig({ env: { ...others, JWT_SECRET_FILE: path }, mode: 'serve' });
  assert.equal(loaded.config.jwtSecret, SECRET);
  assert.equal(loaded.sources.JWT_SECRET, 'file');
  assert.match(faultOf({ ...others, JWT_SECRET, JWT_SECRET_FILE: path }).message, /both set/);
  assert.equal(faultOf({ ...others, JWT_SECRET_FILE: join(folder, 'no-such') }).variable, 'JWT_SECRET_FILE');
});

test('RUST_LOG counts where LOG_LEVEL is unset or blank', () => {
  const level = (env: Record<string, string>) =>
    loadConfig({ env: { ...served(), ...env }, mode: 'serve' }).config.logLevel;
  assert.equal(level({ RUST_LOG: 'debug' }), 'debug');
  assert.equal(level({ RUST_LOG: 'debug', LOG_LEVEL: 'ERROR' }), 'error');
  assert.equal(level({ RUST_LOG: 'debug', LOG_LEVEL: ' ' }), 'debug');
});

test('lists, addresses and paths are read', () => {
  const env = {
    ...served(),
    BIND_ADDR: '[::1]:0',
    CORS_ORIGINS: 'https://a.example, http://localhost:5173',
    TRUSTED_PROXIES: '10.0.0.0/8,loopback',
    DATABASE_URL: 'sqlite:///var/lib/canonry.db',
    ACCOUNTS_URL: 'https://accounts.example/',
  };
  const { config } = loadConfig({ env, mode: 'serve' });
  assert.deepEqual(config.bindAddress, { host: '::1', port: 0 });
  assert.deepEqual(config.corsOrigins, ['https://a.example', 'http://localhost:5173']);
  assert.deepEqual(config.trustedProxies, ['10.0.0.0/8', 'loopback']);
  assert.deepEqual(config.databaseUrl, { kind: 'sqlite', path: '/var/lib/canonry.db' });
  assert.equal(config.accountsUrl, 'https://accounts.example');
});

test('a catalog of plugins is a file or an address, and needs the key of its keeper', () => {
  const placeIn = (PLUGIN_CATALOG: string) =>
    loadConfig({ env: { ...served(), PLUGIN_CATALOG, PLUGIN_CATALOG_KEY: KEY }, mode: 'serve' }).config
      .pluginCatalog;
  assert.deepEqual(placeIn('/srv/catalog.json'), { kind: 'file', path: '/srv/catalog.json' });
  for (const url of ['https://plugins.example.com/catalog.json', 'http://127.0.0.1:8080/catalog.json'])
    assert.deepEqual(placeIn(url), { kind: 'address', url });
  assert.equal(faultOf({ ...served(), PLUGIN_CATALOG: '/srv/catalog.json' }).variable, 'PLUGIN_CATALOG_KEY');
  assert.equal(faultOf({ ...served(), PLUGIN_CATALOG_KEY: KEY }).variable, 'PLUGIN_CATALOG');
});

test('cloud needs PostgreSQL, Redis and public endpoints', () => {
  const cloud: Record<string, string> = {
    ...served(),
    DEPLOYMENT: 'cloud',
    JWT_SECRET: '',
    REDIS_URL: 'redis://cache',
    ACCOUNTS_URL: 'http://accounts:8000',
    SERVICE_TOKEN: SECRET,
  };
  const { config } = loadConfig({ env: cloud, mode: 'serve' });
  assert.deepEqual([config.deployment, config.jwtSecret], ['cloud', '']);
  assert.equal(faultOf({ ...cloud, DATABASE_URL: 'sqlite:x.db' }).variable, 'DATABASE_URL');
  for (const name of ['REDIS_URL', 'ACCOUNTS_URL', 'SERVICE_TOKEN'])
    assert.equal(faultOf({ ...cloud, [name]: '' }).variable, name);
  const accounts = {
    ...cloud,
    DATABASE_URL: '',
    ACCOUNTS_URL: '',
    ACCOUNTS_DATABASE_URL: 'postgres://db/accounts',
  };
  assert.ok(loadConfig({ env: accounts, mode: 'serve', surface: 'accounts' }));
  assert.throws(
    () =>
      loadConfig({
        env: { ...accounts, ACCOUNTS_DATABASE_URL: 'sqlite:x.db' },
        mode: 'serve',
        surface: 'accounts',
      }),
    /^ConfigError: ACCOUNTS_DATABASE_URL must be PostgreSQL/,
  );
  assert.equal(faultOf({ ...cloud, ALLOW_PRIVATE_ENDPOINTS: 'true' }).variable, 'ALLOW_PRIVATE_ENDPOINTS');
});

test('a provider of sign-ins needs both of its client id and secret', () => {
  const id = { OAUTH_GITHUB_CLIENT_ID: 'id' };
  assert.equal(faultOf({ ...served(), ...id }).variable, 'OAUTH_GITHUB_CLIENT_SECRET');
  assert.equal(
    faultOf({ ...served(), OAUTH_GOOGLE_CLIENT_SECRET: 'secret' }).variable,
    'OAUTH_GOOGLE_CLIENT_ID',
  );
  const path = join(folder, 'github-secret');
  writeFileSync(path, 'a secret\n');
  const env = {
    ...served(),
    ...id,
    OAUTH_GITHUB_CLIENT_SECRET_FILE: path,
    OAUTH_GITHUB_URL: 'http://127.0.0.1:8443/',
    OAUTH_RETURN_URLS: 'https://studio.example.com, canonry://signed-in',
  };
  const { config } = loadConfig({ env, mode: 'serve' });
  assert.equal(config.githubClientSecret, 'a secret');
  assert.equal(config.githubUrl, 'http://127.0.0.1:8443');
  assert.deepEqual(config.oauthReturnUrls, ['https://studio.example.com/', 'canonry://signed-in']);
});

test('the description shows sources and hides secrets', () => {
  const rows = describeConfig(
    loadConfig({ env: { ...served(), REDIS_URL: 'redis://:pa@ss@cache' }, mode: 'serve' }),
  );
  const row = (name: string) => rows.find((item) => item.name === name);
  assert.equal(row('JWT_SECRET')?.value, '***');
  assert.equal(row('DATABASE_URL')?.value, 'postgres://writer:***@db/canonry');
  assert.equal(row('REDIS_URL')?.value, 'redis://:***@cache');
  assert.equal(row('BIND_ADDR')?.source, 'default');
  assert.equal(row('SMTP_URL')?.source, 'unset');
  for (const secret of [SECRET, KEY, 'hidden', 'pa@ss']) assert.ok(!JSON.stringify(rows).includes(secret));
});

test('the table has a row for each variable', () => {
  const table = configTableMarkdown();
  assert.match(table, /^\| `DATA_DIR` \| `\.\/data` \| required \|/m);
  assert.match(table, /^\| `JWT_SECRET` or `JWT_SECRET_FILE` \| generated in/m);
  const cells = table.split('\n').map((line) => line.split('|').length);
  assert.deepEqual(new Set(cells), new Set([6]));
});

test('generated secrets differ between installations', () => {
  const secretOf = (name: string) => {
    loadConfig({ env: { DATA_DIR: join(folder, name) }, mode: 'start' });
    return readFileSync(join(folder, name, 'secrets', 'encryption-key'), 'utf8');
  };
  assert.notEqual(secretOf('one'), secretOf('two'));
});

test('the accounts surface asks for what it uses: no content, no JWT_SECRET, either database', () => {
  const { DATA_DIR, ENCRYPTION_KEY } = served();
  const load = (env: Record<string, string>) =>
    loadConfig({ mode: 'serve', surface: 'accounts', env: { DATA_DIR, ENCRYPTION_KEY, ...env } }).config;
  const url = 'postgres://db/accounts';
  const own = load({ ACCOUNTS_DATABASE_URL: url });
  assert.deepEqual([own.accountsDatabaseUrl, own.jwtSecret], [{ kind: 'postgres', url }, '']);
  assert.deepEqual(load({ DATABASE_URL: url }).databaseUrl, { kind: 'postgres', url });
  assert.throws(() => load({}), /^ConfigError: ACCOUNTS_DATABASE_URL is not set, nor is DATABASE_URL/);
  assert.throws(() => load({ DATABASE_URL: url, ENCRYPTION_KEY: '' }), /ENCRYPTION_KEY is not set/);
});

test('the desktop surface listens on this machine alone', () => {
  const load = (env: Record<string, string>) =>
    loadConfig({ mode: 'serve', surface: 'desktop', env: { ...served(), ...env } }).config;
  assert.deepEqual(load({}).bindAddress, { host: '127.0.0.1', port: 8000 });
  for (const BIND_ADDR of ['localhost:0', '127.0.0.2:80', '[::1]:8000'])
    assert.ok(load({ BIND_ADDR }), BIND_ADDR);
  for (const BIND_ADDR of ['0.0.0.0:8000', '[::]:8000', '192.168.1.2:8000', 'example.com:8000'])
    assert.throws(() => load({ BIND_ADDR }), /^ConfigError: BIND_ADDR/, BIND_ADDR);
  assert.throws(() => load({ DEPLOYMENT: 'cloud' }), /^ConfigError: DEPLOYMENT/);
});
