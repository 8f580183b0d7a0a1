import { useMutation, useQuery } from '@tanstack/react-query';
import { type Api, apiOf } from '../api.ts';
import { keys, markWorld } from '../cache.ts';
import { type EntityAddress, useEntityVersion } from '../entity.ts';
import { takeBack } from '../operations.ts';

type FixReply = Awaited<ReturnType<Api['fixValidation']>>;
export type FixPlan = Extract<FixReply, { fixed: unknown }>;
export type Fix = FixPlan['fixed'][number];

/** The fixes that would be made; nothing changes. */
export const useFixPlan = (project: string) =>
  useQuery({
    queryKey: [...keys.findings(project), 'fixes'],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<FixPlan | null> => {
      const reply = await apiOf(project).fixValidation({ body: { dry_run: true }, signal });
      return 'fixed' in reply ? reply : null;
    },
  });

/** What is certain about one entity as it was saved last; references that lead nowhere could be taken out. */
export const useEntityFixes = (entity: EntityAddress) => {
  const { project, type, id } = entity;
  const version = useEntityVersion(entity);
  return useQuery({
    queryKey: [...keys.findings(project), 'fixes', type, id, version],
    queryFn: async ({ signal }): Promise<readonly Fix[]> => {
      const body = { entity_type: type, entity_id: id, remove_dangling: true, dry_run: true };
      const reply = await apiOf(project).fixValidation({ body, signal });
      return 'fixed' in reply ? reply.fixed : [];
    },
  });
};

export interface FixOutcome {
  operation: string | null;
  /** Null while a large one still runs. */
  changed: number | null;
}

export const useFix = (project: string) =>
  useMutation({
    mutationFn: async (): Promise<FixOutcome> => {
      const reply = await apiOf(project).fixValidation({ body: {} });
      return {
        operation: reply.operation_id,
        changed: 'fixed' in reply ? reply.entities_changed : null,
      };
    },
    onSuccess: () => markWorld(project),
  });

export const useUndo = (project: string) =>
  useMutation({
    mutationFn: (operation: string) => takeBack(project, operation),
  });
