import type { Project } from '../records/index.ts';
import { withoutKnown } from './known-paths.ts';

interface Runs {
  turn(work: () => Promise<void>): Promise<void>;
  hint(paths: readonly string[]): void;
}

/** Has a run look at the paths that a watcher names, unless they are own writes or known already. What comes while a run goes on is gathered. */
export function createNoticing(project: Project, runs: Runs): (paths: readonly string[]) => void {
  const named = new Set<string>();

  async function look(): Promise<void> {
    const paths = [...named];
    named.clear();
    // The run tells what is wrong with folder or database.
    const news = await project.ownWrites.news(paths).catch(() => paths);
    const unknown = await withoutKnown(project, news).catch(() => news);
    if (unknown.length > 0) runs.hint(unknown);
  }

  return (paths) => {
    const isFirst = named.size === 0;
    for (const path of paths) named.add(path);
    if (isFirst && named.size > 0) void runs.turn(look);
  };
}
