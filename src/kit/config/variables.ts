import { PLAN_NAMES } from '../../access/plans.ts';
import { randomToken } from '../crypto.ts';
import type { LogLevel } from '../log.ts';
import { AI_VARIABLES } from './ai-variables.ts';
import { OAUTH_VARIABLES } from './oauth-variables.ts';
import {
  parseBindAddress,
  parseCatalogPlace,
  parseDatabaseUrl,
  parseFolder,
  parseOrigin,
  parsePluginOrigin,
  parseProxy,
  parseUrl,
} from './parse-address.ts';
import { parseProviderUrl } from './parse-oauth.ts';
import {
  parseBoolean,
  parseChoice,
  parseCount,
  parseDuration,
  parseKey,
  parseList,
  parseSecret,
  parseTextLimit,
} from './parse-text.ts';
import { generated, optional, SURFACES, withDefault } from './variable.ts';

const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];
const DEPLOYMENTS = ['core', 'cloud'] as const;
const REGISTRATIONS = ['open', 'invite', 'closed'] as const;
const READINESS = ['compared', 'serving'] as const;
const SIGNING = ['core', 'desktop'] as const;
const WITH_CONTENT = [...SIGNING, 'worker'] as const;
const KEY_EXAMPLE = 'the output of: openssl rand -base64 32';
const parseWeb = parseUrl('http', 'https');

/** Every variable that Canonry reads. The data folder comes first because other defaults name it. */
export const VARIABLES = {
  dataDir: withDefault('DATA_DIR', {
    description: "The service's own state: database, logs, thumbnails, avatars, outbox, generated secrets",
    example: '/var/lib/canonry',
    start: './data',
    serve: null,
    parse: parseFolder,
  }),
  contentDir: withDefault('CONTENT_DIR', {
    description: 'Project root: `_Templates/`, `_Rules/`, `_Skills/`, `_Plugins/` and the type folders',
    example: '/srv/world',
    start: '$DATA_DIR/content',
    serve: null,
    neededBy: WITH_CONTENT,
    parse: parseFolder,
  }),
  databaseUrl: withDefault('DATABASE_URL', {
    description: '`sqlite:PATH`, `sqlite://PATH` or `postgres://…` / `postgresql://…`',
    example: 'sqlite:/var/lib/canonry/canonry.db',
    secrecy: 'password',
    start: 'sqlite:$DATA_DIR/canonry.db',
    serve: null,
    neededBy: WITH_CONTENT,
    parse: parseDatabaseUrl,
  }),
  accountsDatabaseUrl: optional('ACCOUNTS_DATABASE_URL', {
    description: 'Database of the accounts surface. Unset: `DATABASE_URL`',
    example: 'postgres://canonry@db/accounts',
    secrecy: 'password',
    parse: parseDatabaseUrl,
  }),
  publicUrl: optional('PUBLIC_URL', {
    description:
      'Address at which browsers reach the accounts surface or a core; behind an edge, the address of the edge. Links in mail start with it, and with https cookies are for https alone. Unset: the address that the service listens on',
    example: 'https://accounts.example.com',
    parse: parseWeb,
  }),
  jwtSecret: generated('JWT_SECRET', {
    description: 'Signs the access tokens of a self-hosted core (HS256); 32 bytes or more',
    example: KEY_EXAMPLE,
    file: 'jwt-secret',
    make: () => randomToken(48),
    absent: '',
    neededBy: SIGNING,
    selfHosted: true,
    parse: parseSecret,
  }),
  encryptionKey: generated('ENCRYPTION_KEY', {
    description: 'Key for credentials at rest: 32 bytes in base64',
    example: KEY_EXAMPLE,
    file: 'encryption-key',
    make: () => Buffer.from(randomToken(32), 'base64url').toString('base64'),
    absent: new Uint8Array(),
    neededBy: SURFACES.filter((surface) => surface !== 'edge' && surface !== 'ai'),
    parse: parseKey,
  }),
  bindAddress: withDefault('BIND_ADDR', {
    description:
      'Host and port; port 0 picks a free one, which is printed. The desktop surface accepts only loopback hosts and defaults to `127.0.0.1:8000`',
    example: '0.0.0.0:8000',
    start: '127.0.0.1:8000',
    serve: '0.0.0.0:8000',
    desktop: '127.0.0.1:8000',
    parse: parseBindAddress,
  }),
  logLevel: withDefault('LOG_LEVEL', {
    alias: 'RUST_LOG',
    description: 'Lowest level that is logged: debug, info, warn, error. If both are set, `LOG_LEVEL` wins',
    example: 'info',
    start: 'info',
    parse: parseChoice(LOG_LEVELS),
  }),
  corsOrigins: withDefault('CORS_ORIGINS', {
    description:
      'Origins of other web apps that may call the API, separated by commas. Unset: only the same origin',
    example: 'https://studio.example.com,https://wiki.example.com',
    start: '',
    parse: parseList(parseOrigin),
  }),
  pluginOrigin: optional('PLUGIN_ORIGIN', {
    description:
      'Origin of the pages of plugins, with `*` for the name of each: it must lead to this service, on another domain than the web app. Unset: names below `localhost` where the service is reached by a loopback address, else a sandbox without an origin',
    example: 'https://*.plugins.example.net',
    parse: parsePluginOrigin,
  }),
  pluginCatalog: optional('PLUGIN_CATALOG', {
    description:
      'Catalog that plugins are installed from: the path or the https address of its `catalog.json`, with the signature beside it. Needs `PLUGIN_CATALOG_KEY`',
    example: 'https://plugins.example.com/catalog.json',
    parse: parseCatalogPlace,
  }),
  pluginCatalogKey: optional('PLUGIN_CATALOG_KEY', {
    description:
      'Public key of whoever keeps that catalog: 32 bytes in base64, as `canonry plugin catalog keys` prints it',
    example: '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
    parse: parseKey,
  }),
  deployment: withDefault('DEPLOYMENT', {
    description: '`core`: one tenant. `cloud`: many; needs PostgreSQL, Redis and an accounts service',
    example: 'core',
    start: 'core',
    parse: parseChoice(DEPLOYMENTS),
  }),
  redisUrl: optional('REDIS_URL', {
    description: 'Events between processes, rate limits, OAuth state; required in cloud',
    example: 'redis://127.0.0.1:6379',
    secrecy: 'password',
    parse: parseUrl('redis', 'rediss'),
  }),
  billingApiKey: optional('BILLING_API_KEY', {
    description: 'Key of the billing provider',
    example: 'sk_live_…',
    secrecy: 'whole',
    parse: String,
  }),
  billingApiBase: optional('BILLING_API_BASE', {
    description: "Address of the billing provider's API",
    example: 'https://api.stripe.com',
    parse: parseWeb,
  }),
  billingWebhookSecret: optional('BILLING_WEBHOOK_SECRET', {
    description: "Checks the signature of the billing provider's webhooks (`Billing-Signature`)",
    example: 'whsec_…',
    secrecy: 'whole',
    parse: String,
  }),
  driveApiBase: withDefault('DRIVE_API_BASE', {
    description: "Address of Google Drive's API",
    example: 'https://www.googleapis.com',
    start: 'https://www.googleapis.com',
    parse: parseProviderUrl,
  }),
  accountsUrl: optional('ACCOUNTS_URL', {
    description: 'Where the accounts surface is. Required by the surfaces that call it',
    example: 'https://accounts.example.com',
    parse: parseWeb,
  }),
  coreUrls: withDefault('CORE_URL', {
    description:
      'Where the core surface is; several cores are separated by commas. Required by the surfaces that call it',
    example: 'http://core-1:8000,http://core-2:8000',
    start: '',
    parse: parseList(parseWeb),
  }),
  aiUrl: optional('AI_URL', {
    description:
      'Where the AI surface is. If set, models are asked there instead of by the core itself; needs `SERVICE_TOKEN`',
    example: 'http://ai:8000',
    parse: parseWeb,
  }),
  serviceToken: optional('SERVICE_TOKEN', {
    description: 'Shared secret for calls between the surfaces; 32 bytes or more',
    example: KEY_EXAMPLE,
    secrecy: 'whole',
    parse: parseSecret,
  }),
  metricsToken: optional('METRICS_TOKEN', {
    description:
      'Turns on `GET /metrics` for Prometheus, which sends this as a bearer token; 32 bytes or more',
    example: KEY_EXAMPLE,
    secrecy: 'whole',
    parse: parseSecret,
  }),
  cloudUrl: optional('CLOUD_URL', {
    description:
      'The cloud that a self-hosted core syncs its content with: the address of its web app. Needs `CLOUD_TOKEN`',
    example: 'https://canonry.example.com',
    parse: parseWeb,
  }),
  cloudToken: optional('CLOUD_TOKEN', {
    description:
      'An API key of that cloud with the scope `write`; syncing templates, rules and skills needs the scope `admin`',
    example: 'cnry_…',
    secrecy: 'whole',
    parse: String,
  }),
  ...OAUTH_VARIABLES,
  ...AI_VARIABLES,
  localPlan: withDefault('LOCAL_PLAN', {
    description: `Plan of the single tenant of a self-hosted core: ${PLAN_NAMES.join(', ')}`,
    example: 'enterprise',
    start: 'enterprise',
    parse: parseChoice(PLAN_NAMES),
  }),
  registration: withDefault('REGISTRATION', {
    description: 'Who may register after the first user: `open` (as viewer), `invite`, `closed`',
    example: 'invite',
    start: 'open',
    serve: 'invite',
    parse: parseChoice(REGISTRATIONS),
  }),
  rateLimitLogin: withDefault('RATE_LIMIT_LOGIN', {
    description: 'Login and password requests per minute, for each address and each account; 0: no limit',
    example: '10',
    start: '10',
    parse: parseCount,
  }),
  rateLimitAnonymous: withDefault('RATE_LIMIT_ANONYMOUS', {
    description: 'Other writes without a token per minute, for each address; 0: no limit',
    example: '60',
    start: '60',
    parse: parseCount,
  }),
  rateLimitUser: withDefault('RATE_LIMIT_USER', {
    description: 'Requests with a token per minute, for each user; 0: no limit',
    example: '1200',
    start: '1200',
    parse: parseCount,
  }),
  workMemoryMb: withDefault('WORK_MEMORY_MB', {
    description:
      'Memory, in MB, that costly requests may use at the same time (imports, comparisons, large bodies, previews). A request that finds no room waits, then gets 429 or 503. In the cloud one tenant may use half of it. 0: no limit',
    example: '512',
    start: '512',
    parse: parseCount,
  }),
  uploadSpaceMb: withDefault('UPLOAD_SPACE_MB', {
    description:
      'Disk space, in MB, that files in forms (uploads, archives) may use at the same time. A request that finds no room waits, then gets 429 or 503. In the cloud one tenant may use half of it. 0: no limit',
    example: '4096',
    start: '4096',
    parse: parseCount,
  }),
  sweepIntervalMs: withDefault('SWEEP_INTERVAL', {
    description: 'How often the whole content folder is compared with the database (ms, s, m, h)',
    example: '60s',
    start: '60s',
    parse: parseDuration,
  }),
  readyWhen: withDefault('READY_WHEN', {
    description:
      'When `/readyz` reports a self-hosted core as ready: `compared`, once the content folder has been compared with the database after the start, or `serving`, as soon as requests are served',
    example: 'serving',
    start: 'compared',
    parse: parseChoice(READINESS),
  }),
  historyKeepVersions: withDefault('HISTORY_KEEP_VERSIONS', {
    description:
      'How many earlier versions of an entity are kept; 0: all. If `HISTORY_KEEP_DAYS` is set too, a version is removed only when it exceeds both limits; what the undo of an operation needs is kept for 30 days',
    example: '500',
    start: '0',
    parse: parseCount,
  }),
  historyKeepDays: withDefault('HISTORY_KEEP_DAYS', {
    description: 'For how many days earlier versions of entities are kept; 0: forever',
    example: '365',
    start: '0',
    parse: parseCount,
  }),
  largestText: withDefault('MAX_TEXT_BYTES', {
    description:
      'The most bytes that a markdown file may have to be read or written as an entity or a note (65536 to 16777216). Larger files are reported with this limit and never read',
    example: '2097152',
    start: '10485760',
    parse: parseTextLimit,
  }),
  trustedProxies: withDefault('TRUSTED_PROXIES', {
    description: 'Proxies whose forwarded addresses are trusted, separated by commas',
    example: '10.0.0.0/8,127.0.0.1',
    start: '',
    parse: parseList(parseProxy),
  }),
  smtpUrl: optional('SMTP_URL', {
    description: 'Outgoing mail. Unset under `npm start`: mail is written to `$DATA_DIR/outbox/*.eml`',
    example: 'smtps://user:password@mail.example.com',
    secrecy: 'password',
    parse: parseUrl('smtp', 'smtps'),
  }),
  mailFrom: withDefault('MAIL_FROM', {
    description: 'Sender of outgoing mail',
    example: 'Canonry <canonry@example.com>',
    start: 'Canonry <canonry@localhost>',
    parse: String,
  }),
  allowPrivateEndpoints: withDefault('ALLOW_PRIVATE_ENDPOINTS', {
    description: 'Whether outgoing requests may go to private addresses; self-hosted only',
    example: 'true',
    start: 'false',
    parse: parseBoolean,
  }),
};
