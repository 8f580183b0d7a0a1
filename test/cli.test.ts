import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { cliWorld, writeCharacter } from './support/cli.ts';

const COMMANDS = [
  'serve',
  'init',
  'sync',
  'validate',
  'doctor',
  'import',
  'export',
  'user',
  'config',
  'migrate',
];

describe('the command line', () => {
  test('explains itself and each command', async (t) => {
    const world = cliWorld(t);
    const help = await world.run('--help');
    assert.equal(help.code, 0);
    for (const name of COMMANDS) {
      assert.match(help.out, new RegExp(`^  ${name}\\b`, 'm'));
      const own = await world.run(name, '--help');
      assert.equal(own.code, 0, name);
      assert.match(own.out, new RegExp(`Usage: canonry ${name}`));
      if (name !== 'user') assert.match(own.out, /--json/, name);
    }
    assert.match((await world.run('--version')).out, /^\d+\.\d+\.\d+\n$/);
  });

  test('ends with 2 and a line about it when it is called wrongly', async (t) => {
    const world = cliWorld(t);
    for (const args of [
      ['fly'],
      ['sync', '--fast'],
      ['user', 'role', 'a@example.com'],
      ['export', 'character'],
    ]) {
      const { code, out, err } = await world.run(...args);
      assert.equal(code, 2, args.join(' '));
      assert.equal(out, '');
      assert.match(err, /^(?:error|canonry): /);
    }
  });

  test('names a bad setting in one line', async (t) => {
    const world = cliWorld(t);
    const { code, err } = await world.runWith({ env: { BIND_ADDR: 'nowhere' } }, 'config');
    assert.equal(code, 2);
    assert.match(err, /^canonry: BIND_ADDR .*For example: BIND_ADDR=.*\n$/);
    const required = await world.runWith({ env: { CONTENT_DIR: '' } }, 'serve');
    assert.equal(required.code, 2);
    assert.match(required.err, /^canonry: CONTENT_DIR is not set.*\n$/);
  });

  test('says which variables are near to a setting and not read, in one line', async (t) => {
    const world = cliWorld(t);
    const errOf = async (env: Record<string, string>) => (await world.runWith({ env }, 'config')).err;
    assert.equal(
      await errOf({ BIND_ADRR: '127.0.0.1:1' }),
      'canonry: an environment variable that is set is not read: BIND_ADRR (did you mean BIND_ADDR?)\n',
    );
    const several = await errOf({ CORS_ORIGIN: 'https://a.example', JWT_SECERT_FILE: '/run/secrets/jwt' });
    assert.match(several, /^[^\n]*CORS_ORIGIN \(did you mean CORS_ORIGINS\?\)[^\n]*JWT_SECRET_FILE\?\)\n$/);
    const others = { API_URL: 'x', APP_URL: 'x', XDG_DATA_DIRS: '/usr/share', BIND_ADRR: ' ', EDITOR: 'vi' };
    assert.equal(await errOf(others), '');
    assert.equal(await errOf({ BIND_ADDR: '127.0.0.1:1', BIND_ADDR2: '127.0.0.1:2' }), '');
  });

  test('names all surfaces when there is none of that name', async (t) => {
    const { code, err } = await cliWorld(t).run('serve', '--surface', 'studio');
    assert.equal(code, 2);
    assert.match(err, /core, accounts, edge, worker, ai, desktop/);
  });

  test('the edge needs to know where the others are, and nothing else', async (t) => {
    const world = cliWorld(t);
    const addresses = { ACCOUNTS_URL: 'http://127.0.0.1:1', CORE_URL: 'http://127.0.0.1:1' };
    for (const missing of Object.keys(addresses)) {
      const env = { ...addresses, [missing]: '' };
      const { code, err } = await world.runWith({ env }, 'serve', '--surface', 'edge');
      assert.equal(code, 2);
      assert.match(err, new RegExp(`^canonry: ${missing} is not set.*For example: ${missing}=.*\\n$`));
    }
  });

  test('answers with JSON when it fails, too', async (t) => {
    const result = await cliWorld(t).run('validate', '--json');
    assert.equal(result.code, 2);
    assert.match(String(result.json().error), /canonry init/);
  });
});

describe('an interruption', () => {
  test('ends long work with 2 and leaves no lock', async (t) => {
    const world = cliWorld(t);
    await world.run('init', '--sample');
    for (const args of [['validate'], ['sync'], ['doctor'], ['export', '--all', '--to', 'copy']]) {
      const { code, err } = await world.runWith({ stop: AbortSignal.abort() }, ...args);
      assert.equal(code, 2, args.join(' '));
      assert.equal(err, 'canonry: interrupted\n');
    }
    assert.deepEqual(readdirSync(world.folder).sort(), ['content', 'data']);
    assert.equal(existsSync(join(world.dataDir, 'canonry.pid')), false);
    assert.equal((await world.run('sync')).code, 0);
  });

  test('in the middle of a sync stops it at a safe point', async (t) => {
    const world = cliWorld(t);
    await world.run('init');
    for (let n = 0; n < 1_000; n += 1) writeCharacter(world.contentDir, `c${n}`);
    const stop = AbortSignal.timeout(400);
    const { err } = await world.runWith({ stop }, 'sync');
    assert.match(err, /^(?:canonry: interrupted\n)?$/);
    const { created, unchanged } = (await world.run('sync', '--json')).json<{
      created: number;
      unchanged: number;
    }>();
    assert.equal(created + unchanged, 1_000);
    assert.equal((await world.run('doctor')).code, 0);
  });
});

describe('config', () => {
  test('shows values with their source and no secret', async (t) => {
    const world = cliWorld(t);
    const env = {
      JWT_SECRET: 'a-secret-that-is-long-enough-for-this',
      DATABASE_URL: 'postgres://me:hidden@db/x',
    };
    const shown = await world.runWith({ env }, 'config', '--json');
    const { variables } = shown.json<{ variables: { name: string; value: string; source: string }[] }>();
    const of = (name: string) => variables.find((variable) => variable.name === name);
    assert.equal(of('DATA_DIR')?.source, 'environment');
    assert.equal(of('BIND_ADDR')?.source, 'default');
    assert.equal(of('JWT_SECRET')?.value, '***');
    assert.doesNotMatch(shown.out, /hidden|long-enough/);
    assert.equal(existsSync(world.dataDir), false);
  });

  test('prints the table of the README', async (t) => {
    const { out } = await cliWorld(t).run('config', '--markdown');
    assert.match(out, /^\| variable \|/);
    assert.match(out, /\| `DATA_DIR` \|/);
  });

  test('colours only for a terminal, and not with NO_COLOR', async (t) => {
    const world = cliWorld(t);
    const isColoured = async (setup: { isTTY?: boolean; env?: Record<string, string> }) =>
      (await world.runWith(setup, 'config')).out.includes('\u001b[');
    assert.equal(await isColoured({ isTTY: true }), true);
    assert.equal(await isColoured({ isTTY: true, env: { NO_COLOR: '1' } }), false);
    assert.equal(await isColoured({}), false);
  });
});

describe('init', () => {
  test('adds the templates that a folder with content lacks, and overwrites none', async (t) => {
    const world = cliWorld(t);
    const own = join(world.contentDir, '_Templates', 'Standard', 'ITEM_TEMPLATE.md');
    mkdirSync(dirname(own), { recursive: true });
    writeFileSync(own, 'mine');
    const added = await world.run('init', '--add-templates', '--json');
    assert.deepEqual(added.json(), { folder: world.contentDir, templates: 15, rules: 0, sample: false });
    assert.equal(readFileSync(own, 'utf8'), 'mine');
    assert.equal(
      (await world.run('init', '--add-templates', '--json')).json<{ templates: number }>().templates,
      0,
    );
  });

  test('adds the rules that a folder with content lacks, and overwrites none', async (t) => {
    const world = cliWorld(t);
    const own = join(world.contentDir, '_Rules', 'STORY_RULES.md');
    mkdirSync(dirname(own), { recursive: true });
    writeFileSync(own, 'mine');
    const added = await world.run('init', '--add-rules', '--json');
    assert.deepEqual(added.json(), { folder: world.contentDir, templates: 0, rules: 15, sample: false });
    assert.equal(readFileSync(own, 'utf8'), 'mine');
  });

  test('fills a folder with the templates, and with the sample world if asked', async (t) => {
    const world = cliWorld(t);
    const plain = await world.run('init', 'one', '--json');
    assert.deepEqual(plain.json(), {
      folder: join(world.folder, 'one'),
      templates: 16,
      rules: 16,
      sample: false,
    });
    assert.equal(existsSync(join(world.folder, 'one/Characters')), false);
    assert.equal((await world.run('init', '--sample')).code, 0);
    assert.equal(existsSync(join(world.contentDir, 'Characters')), true);
  });

  test('refuses a folder with anything in it and leaves it as it is', async (t) => {
    const world = cliWorld(t);
    mkdirSync(world.contentDir);
    writeFileSync(join(world.contentDir, 'mine.txt'), 'mine');
    const { code, err } = await world.run('init');
    assert.equal(code, 2);
    assert.match(err, /is not empty, and nothing in it was changed/);
    assert.deepEqual(readdirSync(world.contentDir), ['mine.txt']);
  });

  test('makes the folder of a project', async (t) => {
    const world = cliWorld(t);
    assert.equal((await world.run('init', '--project', 'second')).code, 0);
    assert.equal(existsSync(join(world.dataDir, 'projects/second/_Templates/Standard')), true);
    assert.equal((await world.run('init', '--project', '../up')).code, 2);
    assert.equal((await world.run('validate', '--project', 'second')).code, 0);
    assert.equal((await world.run('validate', '--project', 'third')).code, 2);
  });
});

describe('user', () => {
  test('adds, shows and changes accounts; the last owner stays', async (t) => {
    const world = cliWorld(t);
    const owner = await world.run('user', 'create', 'Owner@Example.com', '--json');
    assert.equal(owner.code, 0);
    const { user, password } = owner.json<{ user: Record<string, unknown>; password: string }>();
    assert.deepEqual([user.email, user.role], ['owner@example.com', 'admin']);
    assert.ok(password.length >= 20);
    const setup = { input: 'a password of my own\n' };
    const second = await world.runWith(
      setup,
      'user',
      'create',
      'two@example.com',
      '--role',
      'editor',
      '--password-stdin',
    );
    assert.equal(second.code, 0);
    assert.doesNotMatch(second.out, /password/i);
    assert.equal((await world.run('user', 'role', 'two@example.com', 'admin')).code, 0);
    assert.match((await world.run('user', 'deactivate', 'owner@example.com')).err, /last owner/);
    assert.equal((await world.run('user', 'deactivate', 'two@example.com')).code, 0);
    const { users } = (await world.run('user', 'list', '--json')).json<{
      users: Record<string, unknown>[];
    }>();
    assert.deepEqual(
      users.map(({ email, role, is_active }) => [email, role, is_active]),
      [
        ['owner@example.com', 'admin', true],
        ['two@example.com', 'admin', false],
      ],
    );
    assert.match((await world.run('user', 'reset-password', 'owner@example.com')).out, /shown only now/);
  });

  test('makes invitations, and tokens for new passwords that go by mail or are printed', async (t) => {
    const world = cliWorld(t);
    await world.run('user', 'create', 'owner@example.com');
    const invited = await world.run('user', 'invite', 'Ben@example.com', '--role', 'editor', '--json');
    assert.equal(invited.code, 0, invited.err);
    const { invite, token } = invited.json<{ invite: { email: string; role: string }; token: string }>();
    assert.deepEqual([invite.email, invite.role], ['ben@example.com', 'editor']);
    assert.match(token, /^cnri_/);
    assert.match((await world.run('user', 'invite', 'owner@example.com')).err, /already has an account/);
    assert.match((await world.run('user', 'reset-link', 'owner@example.com')).out, /cnrp_/);
    const mailed = await world.run('user', 'reset-link', 'owner@example.com', '--mail');
    assert.equal(mailed.code, 0, mailed.err);
    assert.doesNotMatch(mailed.out, /cnrp_/);
    const [name = ''] = readdirSync(join(world.dataDir, 'outbox'));
    assert.match(readFileSync(join(world.dataDir, 'outbox', name), 'utf8'), /^To: owner@example\.com$/m);
    const down = { env: { SMTP_URL: 'smtp://127.0.0.1:1' } };
    const failed = await world.runWith(down, 'user', 'reset-link', 'owner@example.com', '--mail');
    assert.equal(failed.code, 2);
    assert.match(failed.err, /^canonry: The mail server does not take messages at the moment$/m);
    assert.equal((await world.run('user', 'reset-link', 'nobody@example.com')).code, 2);
  });

  test('refuses what cannot be an account', async (t) => {
    const world = cliWorld(t);
    assert.equal((await world.run('user', 'list')).code, 2);
    assert.equal((await world.run('user', 'create', 'nobody')).code, 2);
    assert.equal((await world.run('user', 'create', 'a@example.com', '--role', 'king')).code, 2);
    const short = await world.runWith(
      { input: 'short\n' },
      'user',
      'create',
      'a@example.com',
      '--password-stdin',
    );
    assert.match(short.err, /8 characters/);
    assert.match((await world.run('user', 'role', 'a@example.com', 'admin')).err, /there is no account/);
  });
});

describe('migrate', () => {
  test('says what is to do, does it, and has nothing to do then', async (t) => {
    const world = cliWorld(t);
    const before = await world.run('migrate', '--status', '--json');
    assert.equal(before.code, 1);
    const { pending } = before.json<{ pending: string[] }>();
    assert.ok(pending.length > 3);
    assert.equal(existsSync(world.dataDir), false);
    assert.deepEqual((await world.run('migrate', '--json')).json().applied, pending);
    assert.equal((await world.run('migrate', '--status')).code, 0);
    assert.match((await world.run('migrate')).out, /up to date/);
  });
});
