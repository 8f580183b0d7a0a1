import { acceptanceTexts } from '../../../data/findings/acceptance-texts.ts';
import { useFindingWords } from '../../../data/findings/finding-words.ts';
import { useWorld } from '../../../data/world.tsx';
import type { Contradiction } from '../../../domain/findings.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { FindingCard } from '../../../kit/ui/finding-card.tsx';
import styles from './side.module.css';
import { SideAcceptance } from './side-acceptance.tsx';

/** The contradictions that are meant to be there, and why. */
export function AcceptedFindings({ findings }: { findings: readonly Contradiction[] }) {
  const texts = useTexts(acceptanceTexts);
  const { can } = useWorld();
  const wordsOf = useFindingWords(findings);
  return (
    <details className={styles.accepted}>
      <summary>
        {texts.accepted} <span className={styles.quiet}>{findings.length}</span>
      </summary>
      <ul className={styles.cards}>
        {findings.map((finding) => {
          const { candidates: _, ...words } = wordsOf(finding);
          return (
            <li key={finding.key}>
              <FindingCard
                tone={finding.severity}
                {...words}
                actions={can('manage_settings') && <SideAcceptance finding={finding} />}
                note={finding.reason !== null && texts.acceptedWhy(finding.reason)}
                isCompact
              />
            </li>
          );
        })}
      </ul>
    </details>
  );
}
