import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCli } from '../../src/cli/cli.ts';
import { scannerHere } from './scanner-here.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface CliResult {
  code: number;
  out: string;
  err: string;
  /** Fails unless standard output is one JSON document. */
  json<Document = Record<string, unknown>>(): Document;
}

export interface CliWorld {
  /** The commands' working folder, empty at first. */
  folder: string;
  dataDir: string;
  contentDir: string;
  run(...args: string[]): Promise<CliResult>;
  runWith(setup: CliSetup, ...args: string[]): Promise<CliResult>;
}

export interface CliSetup {
  /** Standard input. */
  input?: string;
  env?: Record<string, string>;
  isTTY?: boolean;
  stop?: AbortSignal;
  /** Gets the command's complaints while it runs. */
  heard?(text: string): void;
  /** Gets what it prints while it runs. */
  said?(text: string): void;
}

/** Its own data and content folders; commands run in this process. */
export function cliWorld(t: TestContext): CliWorld {
  const folder = mkdtempSync(join(tmpdir(), 'canonry-cli-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'data');
  const contentDir = join(folder, 'content');

  const runWith: CliWorld['runWith'] = async (setup, ...args) => {
    const out: Buffer[] = [];
    let err = '';
    const code = await runCli(args, {
      env: { DATA_DIR: dataDir, CONTENT_DIR: contentDir, ...setup.env },
      cwd: folder,
      program: [process.execPath, MAIN],
      input: Object.assign(
        (async function* () {
          yield setup.input ?? '';
        })(),
        { isTTY: setup.isTTY ?? false },
      ),
      out: {
        write: (text) => {
          out.push(Buffer.from(text));
          setup.said?.(String(text));
        },
        isTTY: setup.isTTY ?? false,
      },
      err: {
        write: (text) => {
          err += text;
          setup.heard?.(text);
        },
        isTTY: setup.isTTY ?? false,
      },
      stop: setup.stop ?? new AbortController().signal,
      startScanner: scannerHere,
    });
    const text = Buffer.concat(out).toString('utf8');
    return { code, out: text, err, json: <Document>() => JSON.parse(text) as Document };
  };
  return { folder, dataDir, contentDir, runWith, run: (...args) => runWith({}, ...args) };
}

/** Of a file that a shell can source, such as `cloud.env`. */
export const variablesIn = (file: string): Record<string, string> =>
  Object.fromEntries(
    [...readFileSync(file, 'utf8').matchAll(/^(\w+)='(.*)'$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );

/** Bytes in hex, by path. */
export function snapshot(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    names.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length + 1), readFileSync(path, 'hex')];
    }),
  );
}

export const character = (id: string, more = '') =>
  `---\nid: ${id}\nentity_type: character\nname: ${id}\n${more}---\n\nText of ${id}.\n`;

/** Returns its path. */
export function writeCharacter(contentDir: string, id: string, more = ''): string {
  const folder = join(contentDir, 'Characters', id);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `CH_${id}.md`);
  writeFileSync(path, character(id, more));
  return path;
}
