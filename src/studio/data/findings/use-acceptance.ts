import { useMutation } from '@tanstack/react-query';
import type { Contradiction } from '../../domain/findings.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { apiOf } from '../api.ts';
import { detailOf } from '../errors.ts';
import { useWorld } from '../world.tsx';
import { acceptanceTexts } from './acceptance-texts.ts';
import { markFindings } from './use-findings.ts';

/** As the service admits. */
const LONGEST_REASON = 2_000;

/** Says that a contradiction is meant to be there, and why, or that it is not any more. */
export function useAcceptance({ id, message, reason }: Contradiction) {
  const words = useTexts(acceptanceTexts);
  const { project } = useWorld();
  const params = { finding_id: id };
  const onSuccess = () => void markFindings(project);
  const accept = useMutation({
    mutationFn: (why: string) => apiOf(project).acceptCanonFinding({ params, body: { reason: why } }),
    onSuccess,
  });
  const reopen = useMutation({
    mutationFn: () => apiOf(project).reopenCanonFinding({ params }),
    onSuccess,
  });
  const failure = accept.error ?? reopen.error;
  return {
    words,
    message,
    isAccepted: reason !== null,
    longestReason: LONGEST_REASON,
    isPending: accept.isPending || reopen.isPending,
    fault: failure && (detailOf(failure) ?? words.failed),
    onOpen: accept.reset,
    onAccept: (why: string, onDone: () => void) => accept.mutate(why, { onSuccess: onDone }),
    onReopen: (onDone: () => void) => reopen.mutate(undefined, { onSuccess: onDone }),
  };
}
