import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PlanName, Role } from '../../src/access/plans.ts';
import { unauthorized } from '../../src/kit/errors.ts';
import { createServer } from '../../src/kit/http/server.ts';
import { silentLog } from '../../src/kit/log.ts';
import { createInProcessBus } from '../../src/platform/bus/adapters/in-process-bus.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { createLocalFiles } from '../../src/platform/files/adapters/local-files.ts';
import { readShippedTemplates } from '../../src/surfaces/shipped-templates.ts';
import { translateError } from '../../src/surfaces/translate-error.ts';
import { createTemplateRegistry } from '../../src/world/definitions/registry/registry.ts';
import {
  createTemplatesModule,
  templatesModule,
} from '../../src/world/definitions/templates/templates.module.ts';
import { createProjects } from '../../src/world/projects/projects.service.ts';
import { recordMigrations } from '../../src/world/records/records.tables.ts';

const STARTER = fileURLToPath(new URL('../../starter/_Templates', import.meta.url));
const NOW = Date.parse('2026-03-04T05:06:07.000Z');

interface Asking {
  as?: `${Role}` | `${Role}:${PlanName}` | null;
  headers?: Record<string, string>;
}

/** Frontmatter lines and a body. */
export const templateText = (lines: string, body = '## Notes\n'): string =>
  `---\n${lines.trim()}\n---\n\n${body}`;

/** After the metadata that every template has. */
export const withMetadata = (lines: string): string => `template_version: "2.0"
id: some_template
created_date: "2026-01-05"
last_updated: "2026-01-05"
status: active
${lines}`;

/** The templates module over a temporary content folder, with the starter templates unless it begins empty. */
export async function templatesWorld(database: Database, { isEmpty = false } = {}) {
  const root = await mkdtemp(join(tmpdir(), 'templates-'));
  const folder = (projectId: string) => join(root, projectId);
  if (isEmpty) await mkdir(folder('default'));
  else await cp(STARTER, join(folder('default'), '_Templates'), { recursive: true });
  const clock = { now: () => NOW };
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (message: string) => void warnings.push(message) };
  const open = async (_tenant: string, projectId: string) =>
    projectId === 'default' ? createLocalFiles({ root: folder(projectId) }) : null;
  const create = async (_tenant: string, projectId: string) => {
    await cp(STARTER, join(folder(projectId), '_Templates'), { recursive: true });
    return createLocalFiles({ root: folder(projectId) });
  };
  const projects = createProjects({
    database,
    bus: createInProcessBus({ verify: true, onError: (error) => assert.ifError(error) }),
    clock,
    log,
    largestText: 10 * 1024 * 1024,
    folders: { open, create, list: async () => null, makesDefault: false },
  });
  const registry = createTemplateRegistry({ clock, log });
  const module = createTemplatesModule({
    projects,
    registry,
    database,
    clock,
    isStorageConfigured: async () => true,
    readShipped: readShippedTemplates,
  });
  await database.migrate([...recordMigrations, ...(templatesModule.tables ?? [])]);
  await module.start();
  const app = await createServer({
    routes: module.routes,
    log: silentLog,
    corsOrigins: [],
    trustedProxies: [],
    rateLimit: () => null,
    anonymous: { tenantId: 'local', plan: 'enterprise' },
    verifyReplies: true,
    translateError,
    authenticate: (token) => {
      const [role, plan = 'enterprise'] = token.split(':');
      if (!role) throw unauthorized('Sign in again');
      return {
        userId: `${role}-1`,
        email: `${role}@example.org`,
        tenantId: 'local',
        role: role as Role,
        tenantRole: role as Role,
        plan: plan as PlanName,
      };
    },
  });

  const at = (path: string) => join(folder('default'), '_Templates', path);
  return {
    registry,
    database,
    warnings,
    project: await projects.open('local', 'default'),
    /** A new process's registry over the same folder and database. */
    restarted: () => createTemplateRegistry({ clock, log }),
    async ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object, asking: Asking = {}) {
      const { as = 'admin', headers } = asking;
      const reply = await app.inject({
        method,
        url: `/api/${url}`,
        headers: { ...(as && { authorization: `Bearer ${as}` }), ...headers },
        ...(body && { payload: body }),
      });
      return { status: reply.statusCode, etag: reply.headers.etag, body: reply.json() };
    },
    read: (path: string) => readFile(at(path), 'utf8'),
    async put(path: string, text: string | Uint8Array) {
      await mkdir(dirname(at(path)), { recursive: true });
      await writeFile(at(path), text);
    },
    remove: (path: string) => rm(at(path), { recursive: true }),
    async close() {
      await app.close();
      await rm(root, { recursive: true });
    },
  };
}

export type TemplatesWorld = Awaited<ReturnType<typeof templatesWorld>>;
