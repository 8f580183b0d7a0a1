import { join } from 'node:path';
import { freshFolder } from './support/fresh-folder.ts';
import { percentileOf } from './support/load.ts';
import { limitResult, type Result } from './support/report.ts';
import { type Service, startService } from './support/service.ts';
import { firstSync } from './support/sync.ts';
import { worldToChange } from './world.ts';

const AT_ONCE = 50;
const SECONDS = 4;
const HEALTHS_A_SECOND = 50;

/** 1.5 MB. */
const text = 'A long story of the sea.\n'.repeat(60_000);
const file = `---\nid: mira\nentity_type: character\nname: Mira\n---\n${text}`;

interface Kind {
  name: string;
  at: string;
  body(): object;
}

let made = 0;
const KINDS: Kind[] = [
  { name: 'templates', at: 'PUT /api/templates/character', body: () => ({ markdown: text }) },
  { name: 'imports', at: 'POST /api/entity/character/import', body: () => ({ content: file }) },
  {
    name: 'frontmatter',
    at: 'POST /api/markdown/validate-frontmatter',
    body: () => ({ content: file, entity_type: 'character' }),
  },
  { name: 'rules', at: 'PUT /api/rules/character/markdown', body: () => ({ content: text }) },
  { name: 'formatting', at: 'POST /api/markdown/format', body: () => ({ content: file }) },
  {
    name: 'creations',
    at: 'POST /api/entity/character',
    body: () => ({ entity_id: `made_${++made}`, name: 'Made', markdown_body: text }),
  },
  {
    name: 'updates',
    at: 'PUT /api/entity/character/mira',
    body: () => ({ markdown_body: `${++made}\n${text}` }),
  },
];

/** Refusals count too: a refused text was read and checked as well. */
async function send({ url, token }: Service, { at, body }: Kind): Promise<void> {
  const [method = '', path = ''] = at.split(' ');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const reply = await fetch(url + path, { method, headers, body: JSON.stringify(body()) });
  await reply.arrayBuffer();
  if (reply.status === 500) throw new Error(`${at} answered 500`);
}

/** Sends fifty at a time until it is over. */
async function flood(service: Service, kind: Kind, isOver: () => boolean): Promise<void> {
  while (!isOver()) await Promise.all(Array.from({ length: AT_ONCE }, () => send(service, kind)));
}

/** Latency of `/health` while fifty clients send 1.5 MB each. */
export async function run(): Promise<Result[]> {
  const service = await startService(worldToChange(1, join(freshFolder('flood'), 'content')));
  const results: Result[] = [];
  try {
    await firstSync(service);
    await service.call('POST', '/api/entity/character', { entity_id: 'mira', name: 'Mira' });
    for (const kind of KINDS) {
      let isOver = false;
      const flooding = flood(service, kind, () => isOver);
      const usual = await percentileOf(service.url, 0.95, {
        token: service.token,
        paths: ['/health'],
        perSecond: HEALTHS_A_SECOND,
        seconds: SECONDS,
      });
      isOver = true;
      await flooding;
      results.push(
        limitResult(`p95 of /health, ${AT_ONCE} ${kind.name} of 1.5 MB at once`, 'ms', usual, 100),
      );
    }
    return results;
  } finally {
    await service.stop();
  }
}
