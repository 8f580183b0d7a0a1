import { useAcceptance } from '../../data/findings/use-acceptance.ts';
import type { Contradiction } from '../../domain/findings.ts';
import { Acceptance } from '../../kit/ui/acceptance.tsx';

export const FindingAcceptance = ({ finding }: { finding: Contradiction }) => (
  <Acceptance {...useAcceptance(finding)} />
);
