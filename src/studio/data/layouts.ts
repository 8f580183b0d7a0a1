import { useQuery } from '@tanstack/react-query';
import type { Layout } from '../../content/layout/index.ts';
import { type Api, api, apiOf } from './api.ts';
import { cache, keys } from './cache.ts';
import { setLayoutDraft, settleLayoutDraft, type TypeLayout } from './layout-drafts.ts';

type LayoutBody = Parameters<Api['updateLayout']>[0]['body'];

export const useLayout = (project: string, type: string) =>
  useQuery({
    queryKey: keys.layout(project, type),
    queryFn: ({ signal }) => apiOf(project).getLayout({ params: { type }, signal }),
  });

/** The ways in which forms can show fields, but for those of plugins. */
export const useWidgets = () =>
  useQuery({
    queryKey: ['widgets'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => (await api.listWidgets({ signal })).widgets,
  });

/** Over the one that was read: the service refuses where somebody else has saved another one since. */
const over = ({ checksum }: TypeLayout) => ({
  headers: checksum === null ? { 'if-none-match': '*' } : { 'if-match': `"${checksum}"` },
});

export const saveLayout = (project: string, read: TypeLayout, layout: Layout): Promise<void> =>
  take(
    project,
    read.entity_type,
    apiOf(project).updateLayout({
      params: { type: read.entity_type },
      // What is undefined is not sent.
      body: { ...layout, overwrite: read.problem !== null } as LayoutBody,
      ...over(read),
    }),
    (saved) => settleLayoutDraft(project, layout, saved),
  );

/** Back to the default. */
export const removeLayout = (project: string, read: TypeLayout): Promise<void> =>
  take(
    project,
    read.entity_type,
    apiOf(project).deleteLayout({ params: { type: read.entity_type }, ...over(read) }),
    () => setLayoutDraft(project, read.entity_type, null),
  );

async function take(
  project: string,
  type: string,
  work: Promise<TypeLayout>,
  settle: (layout: TypeLayout) => void,
): Promise<void> {
  const queryKey = keys.layout(project, type);
  try {
    const layout = await work;
    cache.setQueryData(queryKey, layout);
    settle(layout);
  } catch (error) {
    // It may be another one by now.
    void cache.invalidateQueries({ queryKey });
    throw error;
  }
  await cache.invalidateQueries({ queryKey: keys.schema(project, type) });
}
