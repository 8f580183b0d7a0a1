import { useQuery } from '@tanstack/react-query';
import { apiOf } from './api.ts';
import { keys } from './cache.ts';
import { useWorld } from './world.tsx';

/** The fields of a type that a model may propose; `markdown_body` is the text. */
export type MayPropose = (field: string) => boolean;

const ASKED_AGAIN_MS = 5 * 60_000;

/** Null where nothing of AI is to be seen: it is off, there is no provider, or the user or the type must not use it. */
export function useAi(type: string): MayPropose | null {
  const { project, can } = useWorld();
  const { data } = useQuery({
    queryKey: keys.ai(project),
    enabled: can('use_ai') && can('edit_entities'),
    staleTime: ASKED_AGAIN_MS,
    queryFn: async ({ signal }) => {
      const [{ status }, { forbidden }] = await Promise.all([
        apiOf(project).getAiStatus({ signal }),
        apiOf(project).getAiSettings({ signal }),
      ]);
      return status === 'ready' ? forbidden : null;
    },
  });
  const never = data?.[type] ?? [];
  return data && never !== 'never' ? (field) => !never.includes(field) : null;
}
