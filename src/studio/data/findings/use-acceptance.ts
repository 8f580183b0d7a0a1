import { useMutation } from '@tanstack/react-query';
import { apiOf } from '../api.ts';
import { markFindings } from './use-findings.ts';

/** Says that a contradiction is meant to be there, and why. */
export const useAccept = (project: string) =>
  useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string }) =>
      apiOf(project).acceptCanonFinding({ params: { finding_id: id }, body: { reason } }),
    onSuccess: () => {
      void markFindings(project);
    },
  });

/** A contradiction is none that is meant any more. */
export const useReopen = (project: string) =>
  useMutation({
    mutationFn: (id: string) => apiOf(project).reopenCanonFinding({ params: { finding_id: id } }),
    onSuccess: () => {
      void markFindings(project);
    },
  });
