import type { TypeFolders } from '../../content/paths/index.ts';
import { RECYCLE_ROOT } from '../texts/index.ts';

const MOST_ROOTS = 500;

/** The entity's folder that contains a path, or undefined: `Characters/ada/…` → `Characters/ada`. */
function entityFolderOf(path: string, folders: TypeFolders): string | undefined {
  const first = path.indexOf('/');
  if (first < 0 || !folders.has(path.slice(0, first))) return undefined;
  const second = path.indexOf('/', first + 1);
  return second < 0 ? undefined : path.slice(0, second);
}

/** An entity's folder is walked as a whole, since its markdown files compete to be the main one. Null if everything is to be walked. */
export function rootsOf(paths: readonly string[], folders: TypeFolders): string[] | null {
  const roots = new Set<string>();
  for (const path of paths) {
    if (path === '') return null;
    if (path === RECYCLE_ROOT || path.startsWith(`${RECYCLE_ROOT}/`)) continue;
    const isMarkdown = /\.md$/i.test(path);
    roots.add((isMarkdown && entityFolderOf(path, folders)) || path);
  }
  if (roots.size > MOST_ROOTS) return null;
  return [...roots].filter((root) => !ancestorsOf(root).some((folder) => roots.has(folder)));
}

function ancestorsOf(path: string): string[] {
  const ancestors: string[] = [];
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    ancestors.push(path.slice(0, slash));
  }
  return ancestors;
}

export function isBelow(roots: readonly string[]): (path: string) => boolean {
  if (roots.length <= 8) {
    const prefixes = roots.map((root) => `${root}/`);
    return (path) =>
      prefixes.some(
        (prefix) => path.startsWith(prefix) || (path.length === prefix.length - 1 && prefix.startsWith(path)),
      );
  }
  const all = new Set(roots);
  return (path) => all.has(path) || ancestorsOf(path).some((folder) => all.has(folder));
}
