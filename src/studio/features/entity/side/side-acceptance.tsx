import { useAcceptance } from '../../../data/findings/use-acceptance.ts';
import type { Contradiction } from '../../../domain/findings.ts';
import { Acceptance } from '../../../kit/ui/acceptance.tsx';

/** Loaded where something contradicts the entity. */
export const SideAcceptance = ({ finding }: { finding: Contradiction }) => (
  <Acceptance {...useAcceptance(finding)} />
);
