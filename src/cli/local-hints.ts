import { glob } from 'node:fs/promises';
import type { Config } from '../kit/config/index.ts';
import type { Core } from '../surfaces/core.surface.ts';
import { count } from './terminal.ts';

/** Counting stops here: the hint is the same for more. */
const NOTES_COUNTED = 100_000;

/** The next steps for a person who started a self-hosted core, with their folder and with an account. */
export async function localHints(core: Core, config: Config, address: string): Promise<string[]> {
  const { dataDir, contentDir } = config;
  return [
    `  data     ${dataDir}`,
    `  content  ${contentDir}`,
    ...(hasTypes(core) ? [] : await withoutTypes(contentDir)).map((line) => `           ${line}`),
    `  next     open ${address}${(await core.users.isEmpty()) ? ' in a browser: the first account owns this installation' : ''}`,
  ];
}

const hasTypes = ({ projects, templates }: Core): boolean =>
  projects.opened().some((project) => (templates.current(project)?.types.size ?? 0) > 0);

async function withoutTypes(folder: string): Promise<string[]> {
  const notes = await countNotes(folder);
  if (notes === 0)
    return [
      'it has no templates, so no types. To add the starter ones: npm run canonry -- init --add-templates',
    ];
  const world = `${folder}-world`;
  return [
    `it has ${count(notes, 'note')} and no templates, so nothing in it is served, and nothing in it is changed.`,
    'To see what the notes would become in a new world beside it, and then to import them:',
    `  npm run canonry -- init ${world}`,
    `  CONTENT_DIR=${world} npm run canonry -- import ${folder} --dry-run`,
    `  CONTENT_DIR=${world} npm run canonry -- import ${folder}`,
  ];
}

async function countNotes(folder: string): Promise<number> {
  let found = 0;
  const isHidden = ({ name }: { name: string }) => name.startsWith('.') || name === 'node_modules';
  const notes = glob('**/*.md', { cwd: folder, withFileTypes: true, exclude: isHidden });
  for await (const note of notes) {
    if (note.isFile()) found += 1;
    if (found === NOTES_COUNTED) break;
  }
  return found;
}
