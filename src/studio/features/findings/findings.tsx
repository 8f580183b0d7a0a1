import { useCallback, useMemo } from 'react';
import { markFindings, useCheck, useCheckOfOld, useFindings } from '../../data/findings/use-findings.ts';
import { useWorld } from '../../data/world.tsx';
import { groupedFindings } from '../../domain/findings.ts';
import { type FindingsQuery, findingsQueryOf, fitting } from '../../domain/findings-query.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { useAddress } from '../../kit/router/router.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import styles from './findings.module.css';
import { FindingsEmpty } from './findings-empty.tsx';
import { FindingsFilters } from './findings-filters.tsx';
import { FindingsHead } from './findings-head.tsx';
import { FindingsList } from './findings-list.tsx';
import { findingsTexts } from './findings-texts.ts';

/** Contradictions, broken rules and references, and unreadable files of a world as one list. */
export function Findings() {
  const texts = useTexts(findingsTexts);
  const { project } = useWorld();
  const { search } = useAddress();
  const query = useMemo(() => findingsQueryOf(search), [search]);
  const state = useFindings(project, query.isAccepted);
  const { mutate } = useCheck(project);
  const check = useCallback(() => mutate(), [mutate]);
  useCheckOfOld(state, check);
  return (
    <section className={styles.page}>
      <title>{texts.title}</title>
      <FindingsHead state={state} onCheck={check} />
      <FindingsFilters query={query} state={state} />
      {state.error ? (
        <div className={styles.notice}>
          <Notice
            tone="error"
            actions={
              <Button size="s" onPress={() => void markFindings(project)}>
                {texts.tryAgain}
              </Button>
            }
          >
            {texts.failed}
          </Notice>
        </div>
      ) : (
        <FindingsBody query={query} state={state} />
      )}
    </section>
  );
}

function FindingsBody({ query, state }: { query: FindingsQuery; state: ReturnType<typeof useFindings> }) {
  const { findings } = state;
  const groups = useMemo(() => findings && groupedFindings(fitting(findings, query)), [findings, query]);
  if (!groups) return <Waiting />;
  if (groups.length === 0) return <FindingsEmpty query={query} state={state} />;
  return <FindingsList groups={groups} isCut={state.omitted > 0} />;
}

const Waiting = () => (
  <div className={styles.waiting}>
    <Skeleton lines={3} height="6rem" />
  </div>
);
