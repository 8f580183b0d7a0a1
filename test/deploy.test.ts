import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';
import { loadConfig, SURFACES, type Surface } from '../src/kit/config/index.ts';
import { VARIABLES } from '../src/kit/config/variables.ts';
import { readDockerfile } from './support/dockerfile.ts';

interface ComposeService {
  image: string;
  command?: string[];
  profiles?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: object;
}

interface Compose {
  services: Record<string, ComposeService>;
  volumes: Record<string, unknown>;
}

const root = new URL('../', import.meta.url);

function assertSurface(name: string): asserts name is Surface {
  assert.ok((SURFACES as readonly string[]).includes(name), name);
}
const read = (name: string): string => readFileSync(new URL(name, root), 'utf8');
const compose = load(read('compose.yaml'), { schema: CORE_SCHEMA.withTags(mergeTag) }) as Compose;
const stages = readDockerfile(read('Dockerfile'));
const image = stages.at(-1);
assert.ok(image);
const declared = new Set(
  Object.values(VARIABLES).flatMap(({ name, secrecy }) =>
    secrecy === 'none' ? [name] : [name, `${name}_FILE`],
  ),
);

/** As docs/deploy.md says. */
const DOTENV: Record<string, string> = {
  POSTGRES_PASSWORD: '0123456789abcdef',
  SERVICE_TOKEN: Buffer.alloc(32, 1).toString('base64'),
  ENCRYPTION_KEY: Buffer.alloc(32, 2).toString('base64'),
  PUBLIC_URL: 'http://localhost:8000',
};

/** `${NAME:-default}` and `${NAME:?why}`, filled in as by Compose. */
const filledIn = (text: string): string =>
  text.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_whole, name: string, kind: string, rest: string) => {
    const value = DOTENV[name];
    if (kind === '?') assert.ok(value, `.env has no ${name}`);
    return value ?? rest;
  });

describe('compose.yaml', () => {
  const ours = Object.entries(compose.services).filter(([, { image }]) => image.startsWith('canonry:'));

  for (const [name, service] of ours) {
    test(`${name} starts a surface with all that it needs`, () => {
      const [command, flag, surface = ''] = service.command ?? [];
      assert.deepEqual([command, flag], ['serve', '--surface']);
      assertSurface(surface);
      const variables = service.environment ?? {};
      for (const variable of Object.keys(variables)) assert.ok(declared.has(variable), variable);
      const env = Object.fromEntries(
        Object.entries({ ...image.variables, ...variables }).map(([key, value]) => [key, filledIn(value)]),
      );
      const { config } = loadConfig({ env, mode: 'serve', surface });
      assert.equal(config.deployment, 'cloud');
      assert.equal(config.serviceToken, DOTENV.SERVICE_TOKEN);
    });

    test(`${name} reaches services that are there`, () => {
      const named = Object.values(service.environment ?? {})
        .flatMap((value) => filledIn(value).split(','))
        .filter((value) => URL.canParse(value) && value !== DOTENV.PUBLIC_URL)
        .map((value) => new URL(value).hostname);
      for (const host of [...named, ...Object.keys(service.depends_on ?? {})])
        assert.ok(compose.services[host], host);
      for (const volume of service.volumes ?? [])
        assert.ok(Object.hasOwn(compose.volumes, volume.split(':')[0] ?? ''), volume);
    });
  }

  test('has two cores and a worker on one content folder, and images of one version each', () => {
    const always = ours.filter(([, { profiles }]) => profiles === undefined).map(([name]) => name);
    assert.deepEqual(always.sort(), ['accounts', 'core-1', 'core-2', 'edge', 'worker']);
    const content = ours.filter(([, { volumes }]) => volumes?.includes('content:/content'));
    assert.deepEqual(content.map(([name]) => name).sort(), ['core-1', 'core-2', 'worker']);
    for (const { image } of Object.values(compose.services)) assert.match(image, /:\d+\.\d+/);
    const { version } = JSON.parse(read('package.json')) as { version: string };
    for (const [, { image }] of ours) assert.equal(image, `canonry:${version}`);
  });

  test('asks models in a process of their own if a profile says so', () => {
    const { ai } = compose.services;
    assert.deepEqual([ai?.profiles, ai?.command?.at(-1)], [['ai'], 'ai']);
    assert.ok(read('docs/deploy.md').includes('AI_URL=http://ai:8000'));
    for (const name of ['core-1', 'core-2', 'worker'])
      assert.equal(compose.services[name]?.environment?.AI_URL, `\${AI_URL:-}`);
  });

  test('names no secret', () => {
    for (const { environment = {} } of Object.values(compose.services))
      for (const [name, value] of Object.entries(environment))
        if (/TOKEN|KEY|SECRET|PASSWORD|DATABASE_URL/.test(name))
          assert.match(value, /\$\{\w+:(?:\?[^}]+|-)\}/, name);
  });
});

describe('Dockerfile', () => {
  test('builds on one exact Node, which runs the sources', () => {
    const bases = new Set(stages.map(({ base }) => base));
    assert.equal(bases.size, 1);
    assert.match([...bases][0] ?? '', /^node:24\.\d+\.\d+-[a-z]+-slim$/);
  });

  test('copies what is there and not left out, from stages before', () => {
    const letIn = read('.dockerignore').split('\n');
    stages.forEach(({ makes }, index) => {
      for (const { from, sources } of makes.flatMap((step) => ('copy' in step ? [step.copy] : []))) {
        if (from !== undefined) {
          assert.ok(stages.slice(0, index).some(({ name }) => name === from));
          continue;
        }
        for (const source of sources) {
          assert.ok(existsSync(new URL(source, root)), source);
          assert.ok(letIn.includes(`!${source}`), `.dockerignore leaves out ${source}`);
        }
      }
    });
  });

  test('runs as nobody in particular, is asked for its health, and sets known variables', () => {
    assert.equal(image.user, 'node');
    assert.match(image.healthcheck ?? '', /127\.0\.0\.1:8000\/health/);
    for (const name of Object.keys(image.variables))
      assert.ok(declared.has(name) || name.startsWith('NODE_'), name);
    const secrets = Object.values(VARIABLES).filter(({ secrecy }) => secrecy !== 'none');
    for (const { name } of secrets) assert.ok(!read('Dockerfile').includes(name), name);
  });
});
