import { deleteOldFolders } from './support/fresh-folder.ts';
import { printResults, type Result } from './support/report.ts';

const BENCHES: Record<string, () => Promise<{ run(args: readonly string[]): Promise<Result[]> }>> = {
  list: () => import('./list.ts'),
  get: () => import('./get.ts'),
  import: () => import('./import.ts'),
  sync: () => import('./sync.ts'),
  drive: () => import('./drive.ts'),
  replicate: () => import('./replicate.ts'),
  save: () => import('./save.ts'),
  edit: () => import('./edit.ts'),
  start: () => import('./start.ts'),
  flood: () => import('./flood.ts'),
  login: () => import('./login.ts'),
  validate: () => import('./validate.ts'),
  scan: () => import('./scan.ts'),
  files: () => import('./files.ts'),
  fanout: () => import('./fanout.ts'),
  memory: () => import('./memory.ts'),
  thumbnails: () => import('./thumbnails.ts'),
  ai: () => import('./ai.ts'),
  upload: () => import('./upload.ts'),
  credits: () => import('./credits.ts'),
  embeddings: () => import('./embeddings.ts'),
  plugins: () => import('./plugins.ts'),
  studio: () => import('./studio.ts'),
};

const name = process.argv[2] ?? '';
const load = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
if (load === undefined) {
  console.error(`Usage: npm run bench -- <name>, where name is one of ${Object.keys(BENCHES).join(', ')}`);
  process.exitCode = 2;
} else {
  const { run } = await load();
  const results = await run(process.argv.slice(3));
  printResults(results);
  deleteOldFolders();
  process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
}
