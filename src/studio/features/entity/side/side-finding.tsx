import { Suspense, useMemo } from 'react';
import type { EntityDraft } from '../../../data/drafts/drafts.ts';
import { useFindingWords } from '../../../data/findings/finding-words.ts';
import { useWorld } from '../../../data/world.tsx';
import type { Finding } from '../../../domain/findings.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { FindingCard } from '../../../kit/ui/finding-card.tsx';
import { late } from '../../../kit/ui/late.tsx';
import { sideTexts } from './side-texts.ts';

const MendActions = late(async () => (await import('./mend-actions.tsx')).MendActions);
const SideAcceptance = late(async () => (await import('./side-acceptance.tsx')).SideAcceptance);
const SideFilePlace = late(async () => (await import('./side-file-place.tsx')).SideFilePlace);

interface SideFindingProps {
  finding: Finding;
  draft: EntityDraft;
  /** Of the text as it is now, from 1. */
  line: number | undefined;
  /** It is about the field or the line in focus. */
  isLit: boolean;
  onMended: () => void;
}

/** One finding beside the entry, with what mends or accepts it. */
export function SideFinding({ finding, draft, line, isLit, onMended }: SideFindingProps) {
  const texts = useTexts(sideTexts);
  const { can } = useWorld();
  const wordsOf = useFindingWords(useMemo(() => [finding], [finding]));
  const { candidates, ...words } = wordsOf(finding);
  const mayMend = isLit && can('edit_entities');
  const mayAccept = finding.group === 'contradictions' && can('manage_settings');
  return (
    <li tabIndex={-1}>
      <FindingCard
        tone={finding.severity}
        {...words}
        candidates={{ label: texts.meant, links: candidates }}
        actions={
          (mayMend || mayAccept) && (
            <>
              <Suspense>
                {mayMend && <MendActions finding={finding} draft={draft} line={line} onMended={onMended} />}
              </Suspense>
              <Suspense>{mayAccept && <SideAcceptance finding={finding} />}</Suspense>
            </>
          )
        }
        note={
          finding.group === 'files' && (
            <Suspense>
              <SideFilePlace finding={finding} />
            </Suspense>
          )
        }
        isLit={isLit}
        isCompact
      />
    </li>
  );
}
