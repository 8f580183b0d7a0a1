import { useMemo, useRef } from 'react';
import { useCommands } from '../../data/commands.ts';
import { acceptanceTexts } from '../../data/findings/acceptance-texts.ts';
import { findingTexts } from '../../data/findings/finding-texts.ts';
import { useFindingWords } from '../../data/findings/finding-words.ts';
import { useFilePlace } from '../../data/findings/use-file-place.ts';
import { useWorld } from '../../data/world.tsx';
import type { Finding, FindingGroup, FindingGroupOf } from '../../domain/findings.ts';
import { shownNumber } from '../../kit/i18n/format.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { useRem } from '../../kit/theme/use-rem.ts';
import { FilePlace } from '../../kit/ui/file-place.tsx';
import { FindingCard } from '../../kit/ui/finding-card.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { useMeasuredWindow } from '../../kit/virtual/use-measured-window.ts';
import { FindingAcceptance } from './finding-acceptance.tsx';
import styles from './findings.module.css';
import { findingsTexts } from './findings-texts.ts';

type Item =
  | { kind: 'heading'; key: FindingGroup; group: FindingGroup; count: number }
  | { kind: 'finding'; key: string; finding: Finding; place: number };

/** In rem. */
const HEADING_HEIGHT = 3.25;
const CARD_HEIGHT = 9.5;

interface FindingsListProps {
  groups: readonly FindingGroupOf[];
  /** There is more than the service sent. */
  isCut: boolean;
}

/** Of the findings, only those in view are in the page: there may be thousands. */
export function FindingsList({ groups, isCut }: FindingsListProps) {
  const texts = useTexts(findingsTexts);
  const box = useRef<HTMLDivElement>(null);
  const rem = useRem();
  const items = useMemo(() => itemsOf(groups), [groups]);
  const view = useMeasuredWindow(box, items.length, {
    heightOf: (index) => (items[index]?.kind === 'heading' ? HEADING_HEIGHT : CARD_HEIGHT) * rem,
    keyOf: (index) => items[index]?.key ?? `${index}`,
  });
  useStepCommands(items, (index) => {
    view.scrollTo(index);
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus());
  });
  const shown = useMemo(() => groups.flatMap(({ findings }) => findings), [groups]);
  const wordsOf = useFindingWords(shown);
  const { groups: names } = useTexts(findingTexts);
  return (
    <div ref={box} className={styles.scroll}>
      {isCut && (
        <div className={styles.cut}>
          <Notice>{texts.omitted}</Notice>
        </div>
      )}
      <div className={styles.items} style={{ blockSize: view.height }}>
        {view.rows.map((row) => {
          const item = items[row.index];
          if (!item) return null;
          const place = view.propsOf(row);
          return item.kind === 'heading' ? (
            <h2 key={item.key} {...place} className={styles.heading}>
              {names[item.group]} <span className={styles.count}>{shownNumber(item.count)}</span>
            </h2>
          ) : (
            <article
              key={item.key}
              {...place}
              className={styles.item}
              aria-posinset={item.place}
              aria-setsize={shown.length}
              aria-label={wordsOf(item.finding).message}
              tabIndex={-1}
            >
              <FoundCard finding={item.finding} wordsOf={wordsOf} />
            </article>
          );
        })}
      </div>
    </div>
  );
}

interface FoundCardProps {
  finding: Finding;
  wordsOf: ReturnType<typeof useFindingWords>;
}

function FoundCard({ finding, wordsOf }: FoundCardProps) {
  const texts = useTexts(findingsTexts);
  const { can } = useWorld();
  const { candidates, ...words } = wordsOf(finding);
  const acceptance = useTexts(acceptanceTexts);
  const filePlace = useFilePlace(finding);
  const reason = finding.group === 'contradictions' ? finding.reason : null;
  return (
    <FindingCard
      tone={finding.severity}
      {...words}
      candidates={{ label: texts.meant, links: candidates }}
      actions={
        finding.group === 'contradictions' &&
        can('manage_settings') && <FindingAcceptance finding={finding} />
      }
      note={filePlace ? <FilePlace {...filePlace} /> : reason !== null && acceptance.acceptedWhy(reason)}
    />
  );
}

function itemsOf(groups: readonly FindingGroupOf[]): Item[] {
  let place = 0;
  return groups.flatMap(({ group, findings }) => [
    { kind: 'heading' as const, key: group, group, count: findings.length },
    ...findings.map((finding) => ({ kind: 'finding' as const, key: finding.key, finding, place: ++place })),
  ]);
}

/** `j` and `k` go from finding to finding, from the one that has the focus. */
function useStepCommands(items: readonly Item[], goTo: (index: number) => void): void {
  const texts = useTexts(findingsTexts);
  const now = useRef({ items, goTo });
  now.current = { items, goTo };
  useCommands(
    useMemo(() => {
      const step = (by: 1 | -1) => () => {
        const { items, goTo } = now.current;
        const index = nextFinding(items, focusedIndex(), by);
        if (index !== undefined) goTo(index);
      };
      return [
        { id: 'next-finding', title: texts.next, keys: 'j', group: 'here', run: step(1) },
        { id: 'previous-finding', title: texts.previous, keys: 'k', group: 'here', run: step(-1) },
      ];
    }, [texts]),
  );
}

function focusedIndex(): number {
  const item = document.activeElement?.closest<HTMLElement>('article[data-index]');
  return item ? Number(item.dataset.index) : -1;
}

function nextFinding(items: readonly Item[], from: number, by: 1 | -1): number | undefined {
  for (let index = from + by; index >= 0 && index < items.length; index += by)
    if (items[index]?.kind === 'finding') return index;
  return undefined;
}
