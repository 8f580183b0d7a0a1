import { useQuery } from '@tanstack/react-query';
import { type Api, api } from './api.ts';
import { cache } from './cache.ts';
import { askOrRecall } from './kept.ts';

export type ProjectSummary = Awaited<ReturnType<Api['listProjects']>>['projects'][number];

const KEY = ['projects'];
const PAGE = 200;

/** All worlds of this installation that the user may see. */
export const useProjects = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => askOrRecall(KEY, () => readAll(signal)),
  });

async function readAll(signal: AbortSignal): Promise<ProjectSummary[]> {
  const all: ProjectSummary[] = [];
  for (;;) {
    const query = { limit: PAGE, offset: all.length };
    const { projects, total } = await api.listProjects({ query, signal });
    all.push(...projects);
    if (projects.length === 0 || all.length >= total) return all;
  }
}

/** The name of a world; its id until the name is known. */
export function useProjectName(project: string): string {
  const { data } = useProjects();
  return data?.find(({ id }) => id === project)?.name ?? project;
}

export type NewProject = Parameters<Api['createProject']>[0]['body'];

export async function createProject(body: NewProject): Promise<ProjectSummary> {
  const made = await api.createProject({ body });
  await cache.invalidateQueries({ queryKey: KEY });
  return made;
}

export async function renameProject(id: string, name: string): Promise<void> {
  await api.renameProject({ params: { id }, body: { name } });
  await cache.invalidateQueries({ queryKey: KEY });
}
