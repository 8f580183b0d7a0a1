import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CallOptions, type CoreSetup, startCore, type TestCore, type TestReply } from './core.ts';
import { saveFile } from './save-file.ts';

export interface TestDesktop extends TestCore {
  machine: string;
  /** As a program of this machine, without a token. */
  ask<Body = Record<string, unknown>>(
    method: string,
    path: string,
    options?: Omit<CallOptions, 'token'>,
  ): Promise<TestReply<Body>>;
  /** With characters in it. */
  world(name: string, ...characters: string[]): string;
}

/** In this process. */
export async function startDesktop(setup: Omit<CoreSetup, 'surface'> = {}): Promise<TestDesktop> {
  const core = await startCore({ ...setup, surface: 'desktop' });
  const machine = mkdtempSync(join(tmpdir(), 'machine-'));
  return {
    ...core,
    machine,
    ask: (method, path, options = {}) => core.call(method, path, { ...options, token: null }),
    world: (name, ...characters) => makeWorld(machine, name, ...characters),
    async close() {
      await core.close();
      rmSync(machine, { recursive: true, force: true });
    },
  };
}

/** With a template and characters in it. */
export function makeWorld(parent: string, name: string, ...characters: string[]): string {
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true });
  writeTemplate(folder);
  for (const id of characters) writeCharacter(folder, id);
  return folder;
}

/** Texts by path. */
export const readTree = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path, readFileSync(path, 'utf8')]),
  );

export const writeCharacter = (folder: string, id: string, body = `Of ${id}.`): void =>
  saveFile(join(folder, `Characters/${id}/CH_${id}.md`), `---\nid: ${id}\nname: ${id}\n---\n${body}\n`);

const writeTemplate = (folder: string): void =>
  saveFile(
    join(folder, '_Templates/Custom/CHARACTER_TEMPLATE.md'),
    '---\ntemplate_version: "2.0"\nid: character_template\nentity_type: character\nname: "[Name]"\nrole: "[What they do]"\n---\n',
  );

const PATIENCE_MS = 20_000;

/** Repeats the request until the answer is as wanted; resolves to it. */
export async function eventually<Answer>(
  ask: () => Answer | Promise<Answer>,
  isWanted: (answer: Answer) => boolean,
): Promise<Answer> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (isWanted(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`still ${JSON.stringify(answer)}`);
    await sleep(10);
  }
}
