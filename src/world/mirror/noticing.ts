import type { Project } from '../records/index.ts';
import { withoutKnown } from './known-paths.ts';

interface Runs {
  betweenRuns(work: () => Promise<void>): Promise<void>;
  hint(paths: readonly string[]): void;
}

/** Starts a run over the paths from a watcher, except own writes and unchanged files. Paths that arrive during a run are collected. */
export function createNoticing(project: Project, runs: Runs): (paths: readonly string[]) => void {
  const named = new Set<string>();

  async function look(): Promise<void> {
    const paths = [...named];
    named.clear();
    // On an error all paths are passed on, and the run reports the fault of folder or database.
    const news = await project.ownWrites.news(paths).catch(() => paths);
    const unknown = await withoutKnown(project, news).catch(() => news);
    if (unknown.length > 0) runs.hint(unknown);
  }

  return (paths) => {
    const isFirst = named.size === 0;
    for (const path of paths) named.add(path);
    if (isFirst && named.size > 0) void runs.betweenRuns(look);
  };
}
