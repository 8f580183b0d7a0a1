import { Suspense, useMemo, useRef } from 'react';
import { useCommands } from '../../../data/commands.ts';
import type { EntityDraft } from '../../../data/drafts/drafts.ts';
import type { EntityAddress } from '../../../data/entity.ts';
import { useEntityFindings } from '../../../data/findings/use-entity-findings.ts';
import { useFirstLine } from '../../../data/history.ts';
import { useOpenReferences } from '../../../data/references.ts';
import { bodyOf } from '../../../domain/drafts/draft.ts';
import {
  type Contradiction,
  type Finding,
  groupedFindings,
  isAboutField,
  isAccepted,
  referenceFinding,
} from '../../../domain/findings.ts';
import { findingsSearchOf } from '../../../domain/findings-query.ts';
import { addressOf } from '../../../domain/places.ts';
import { lineInText, sameLine } from '../../../domain/text-line.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { late } from '../../../kit/ui/late.tsx';
import { TextLink } from '../../../kit/ui/link.tsx';
import { announce } from '../../../kit/ui/live-region.tsx';
import { focusWithin } from '../focusable.ts';
import styles from './side.module.css';
import { sideTexts } from './side-texts.ts';

const SideFinding = late(async () => (await import('./side-finding.tsx')).SideFinding);
const AcceptedFindings = late(async () => (await import('./accepted-findings.tsx')).AcceptedFindings);

const SHOWN = 8;

interface SideFindingsProps {
  draft: EntityDraft;
  entity: EntityAddress;
  focusedField: string | null;
  /** Of the text as it was saved, from 1; null outside of it. */
  focusedLine: number | null;
  onMended: () => void;
}

/** Those about the field in focus stand first; in the text, those about the line, or else about the text. */
export function SideFindings({ draft, entity, focusedField, focusedLine, onMended }: SideFindingsProps) {
  const texts = useTexts(sideTexts);
  const cards = useMendCommand();
  const { findings, accepted, error } = useAllOf(entity);
  const hasLines = findings?.some((finding) => lineInText(finding, entity) !== undefined) ?? false;
  const firstLine = useFirstLine(entity, hasLines);
  const atLine = (findings ?? NONE).filter(
    (finding) =>
      focusedLine !== null &&
      firstLine !== undefined &&
      lineInText(finding, entity) === firstLine + focusedLine - 1,
  );
  const isLit = (finding: Finding) =>
    atLine.length > 0
      ? atLine.includes(finding)
      : focusedField !== null && isAboutField(finding, entity, focusedField);
  const lineNow = (finding: Finding) => {
    const line = lineInText(finding, entity);
    if (line === undefined || firstLine === undefined) return undefined;
    const now = draft.getSnapshot().draft;
    return sameLine(now.base?.markdown_body ?? '', bodyOf(now), line - firstLine + 1);
  };
  if (error) return <p className={styles.quiet}>{texts.findingsFailed}</p>;
  if (!findings) return null;
  const shown = findings.toSorted((one, other) => Number(isLit(other)) - Number(isLit(one))).slice(0, SHOWN);
  return (
    <section>
      <h2 className={styles.heading}>
        {texts.findings} {findings.length > 0 && <span className={styles.quiet}>{findings.length}</span>}
      </h2>
      {findings.length === 0 && <p className={styles.quiet}>{texts.nothingWrong}</p>}
      <ul ref={cards} className={styles.cards}>
        <Suspense>
          {shown.map((finding) => (
            <SideFinding
              key={finding.key}
              finding={finding}
              draft={draft}
              line={lineNow(finding)}
              isLit={isLit(finding)}
              onMended={onMended}
            />
          ))}
        </Suspense>
      </ul>
      {accepted.length > 0 && (
        <Suspense>
          <AcceptedFindings findings={accepted} />
        </Suspense>
      )}
      {findings.length > shown.length && (
        <p className={styles.all}>
          <TextLink href={allOf(entity)}>{texts.allFindings(findings.length)}</TextLink>
        </p>
      )}
    </section>
  );
}

/** `Ctrl .` leads to the finding that is lit, and to what mends it. */
function useMendCommand() {
  const texts = useTexts(sideTexts);
  const cards = useRef<HTMLUListElement>(null);
  useCommands(
    useMemo(
      () => [
        {
          id: 'mend',
          title: texts.mend,
          keys: 'Ctrl+.',
          group: 'here' as const,
          run() {
            const lit = [...(cards.current?.children ?? [])].filter((card) =>
              card.querySelector('[aria-current]'),
            );
            const card = lit.find((each) => each.querySelector('[data-mends] button')) ?? lit[0];
            if (!(card instanceof HTMLElement)) announce(texts.nothingToMend);
            else if (!focusWithin(card.querySelector('[data-mends]'))) card.focus();
          },
        },
      ],
      [texts],
    ),
  );
  return cards;
}

const NONE: readonly Finding[] = [];

interface AllOf {
  findings: readonly Finding[] | undefined;
  accepted: readonly Contradiction[];
  error: Error | null;
}

function useAllOf(entity: EntityAddress): AllOf {
  const { data, error } = useEntityFindings(entity);
  const references = useOpenReferences(entity).data;
  const findings = useMemo(() => {
    if (!data || !references) return undefined;
    const broken = references.map(referenceFinding);
    const open = data.filter((finding) => !isAccepted(finding));
    return groupedFindings([...open, ...broken]).flatMap((group) => group.findings);
  }, [data, references]);
  const accepted = useMemo(() => (data ?? []).filter(isAccepted), [data]);
  return { findings, accepted, error };
}

const allOf = ({ project, type, id }: EntityAddress): string =>
  `${addressOf({ screen: 'page', project, page: 'findings' })}?${findingsSearchOf({
    group: null,
    severity: null,
    entity: { type, id },
    isAccepted: false,
  })}`;
