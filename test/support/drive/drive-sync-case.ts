import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { RemoteItem, Replica, SyncResult } from '../../../src/exchange/sync/index.ts';
import { silentLog } from '../../../src/kit/log.ts';
import { createGoogleDrive } from '../../../src/platform/drive/adapters/google-drive.ts';
import type { Drive } from '../../../src/platform/drive/drive.ts';
import type { Project } from '../../../src/world/records/index.ts';
import type { TestCore } from '../core.ts';
import { startEngineInstall } from '../engine/engine-install.ts';
import { createLife } from '../engine/life.ts';
import { startDriveServer } from './drive-server.ts';
import { replicaOf } from './replica-of.ts';

const TEMPLATE = `---
id: character_template
entity_type: character
folder_name: Characters
file_prefix: CH_
name: "[Name]"
occupation: "[What they live on]"
---

## Notes
`;

export const character = (id: string, body = 'Nothing yet.', occupation = 'baker') =>
  `---\nid: ${id}\nentity_type: character\nname: ${id}\noccupation: ${occupation}\n---\n\n${body}\n`;

export const pathOf = (id: string, folder = id) => `Characters/${folder}/CH_${id}.md`;

/** Some characters by their paths. */
export const characters = (...ids: string[]): Record<string, string> =>
  Object.fromEntries(ids.map((id) => [pathOf(id), character(id)]));

interface CaseOptions {
  installs?: number;
  /** Files of the first install at the beginning, which everybody gets. */
  files?: Record<string, string>;
  /** Calls between the installs and the drive. */
  through?: (drive: Drive) => Partial<Drive>;
}

interface Acts {
  before(): void;
  after?(): void;
}

/** Acts around the next update of a content. */
export function aroundUpdate() {
  let acts: Acts | null = null;
  return {
    next(given: Acts): void {
      acts = given;
    },
    through: (drive: Drive): Partial<Drive> => ({
      async update(fileId, change) {
        const now = change.content ? acts : null;
        if (now) acts = null;
        now?.before();
        const file = await drive.update(fileId, change);
        now?.after?.();
        return file;
      },
    }),
  };
}

async function itemsOf(replica: Replica): Promise<RemoteItem[]> {
  const items: RemoteItem[] = [];
  let cursor: string | null = null;
  for (let hasMore = true; hasMore; ) {
    const page = await replica.changes(cursor);
    items.push(...page.items);
    ({ cursor, hasMore } = page);
  }
  return items;
}

/** Installs that keep a project in one folder of a drive, where a person works, too. */
export async function startDriveSync(
  core: TestCore,
  { installs: count = 1, files = {}, through = () => ({}) }: CaseOptions = {},
) {
  const server = await startDriveServer();
  const google = createGoogleDrive({ apiBase: server.url, pauseMs: 1, answerMs: 2_000, log: silentLog });
  const person = server.person('Mira');
  const folderId = server.owner.createFolder(server.rootId, 'World');
  server.pick(folderId);
  const changed = (drive: Drive): Drive => ({
    ...drive,
    get requests() {
      return drive.requests;
    },
    ...through(drive),
  });
  const open = (project: Project): Replica =>
    replicaOf(core, {
      project,
      drive: changed(google({ token: async () => server.token })),
      folderId,
    });

  async function start(at: number) {
    const projectId = `drive-${randomUUID().slice(0, 13)}-${at}`;
    const install = await startEngineInstall(core, {
      name: `install ${at}`,
      projectId,
      replica: 'drive',
      open,
      life: createLife(() => {}),
    });
    return {
      ...install,
      folder: join(core.config.dataDir, 'projects', projectId),
      async round(): Promise<SyncResult> {
        await install.look();
        return install.sync.syncNow(install.project);
      },
    };
  }

  const [one, ...others] = await Promise.all(Array.from({ length: count }, (_, at) => start(at)));
  if (one === undefined) throw new Error('A case has at least one install');
  const installs = [one, ...others];

  /** Rounds until everybody knows everything. */
  async function settle(): Promise<SyncResult[]> {
    const results: SyncResult[] = [];
    for (let pass = 0; pass < 3; pass += 1)
      for (const install of installs) results.push(await install.round());
    return results;
  }

  one.disk.write('_Templates/Custom/CHARACTER_TEMPLATE.md', TEMPLATE);
  for (const [path, text] of Object.entries(files)) one.disk.write(path, text);
  await settle();

  const fileAt = (path: string) => {
    const file = server.at(path, folderId);
    if (file === undefined) throw new Error(`The drive has no ${path}`);
    return file;
  };
  return {
    server,
    person,
    folderId,
    one,
    /** The second one. */
    two: others[0] ?? one,
    installs,
    /** All that the first install sees, from the beginning. */
    items: () => itemsOf(open(one.project)),
    settle,
    idAt: (path: string): string => fileAt(path).id,
    textAt: (path: string): string | undefined =>
      server.at(path, folderId)?.revisions.at(-1)?.content.toString(),
    /** Paths of files in the drive, without the template's. */
    paths: (): string[] =>
      server
        .tree(folderId)
        .flatMap(({ path, text }) => (text === null || path.startsWith('_') ? [] : [path])),
    async close(): Promise<void> {
      for (const install of installs) await install.close();
      google.close();
      await server.close();
    },
  };
}

export type DriveSyncCase = Awaited<ReturnType<typeof startDriveSync>>;
