import { useState } from 'react';
import { detailOf } from '../../data/errors.ts';
import { useWorld } from '../../data/world.tsx';
import {
  type BrokenCount,
  checkCanon,
  type Finding,
  useBrokenCount,
  useCanonReport,
} from '../../data/world-health.ts';
import { addressOf } from '../../domain/places.ts';
import { shownAgo, shownNumber } from '../../kit/i18n/format.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Link } from '../../kit/router/link.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Icon } from '../../kit/ui/icons.tsx';
import { TextLink } from '../../kit/ui/link.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import styles from './home.module.css';
import { homeTexts } from './home-texts.ts';

/** The contradictions of the last check, worst first, and the number of references that lead nowhere. */
export function FindingsCard() {
  const texts = useTexts(homeTexts);
  const { project } = useWorld();
  const { data: report, error } = useCanonReport(project);
  const broken = useBrokenCount(project);
  const findings = addressOf({ screen: 'page', project, page: 'findings' });
  return (
    <section className={styles.card} aria-label={texts.findings}>
      <h2 className={styles.heading}>{texts.findings}</h2>
      {error && <Notice tone="error">{texts.failed}</Notice>}
      {!report && !error && <Skeleton lines={3} height="1.25rem" />}
      {report && report.open > 0 && (
        <>
          <p>
            <Link href={findings} className={styles.count}>
              {texts.found(report.open)}
            </Link>
          </p>
          <ul className={styles.findings}>
            {report.findings.map((finding) => (
              <FindingLine key={finding.finding_id} finding={finding} />
            ))}
          </ul>
        </>
      )}
      {report && <State report={report} />}
      <div className={styles.cardActions}>
        <CheckButton isRunning={report?.status === 'running'} />
        <TextLink href={findings}>{texts.allFindings}</TextLink>
      </div>
      {broken && <Broken broken={broken} href={findings} />}
    </section>
  );
}

/** It leads to the entity that the finding begins with, at the field. */
function FindingLine({ finding }: { finding: Finding }) {
  const { project } = useWorld();
  const [side] = finding.evidence;
  const icon = finding.severity === 'info' ? 'info' : finding.severity;
  const text = <span dir="auto">{finding.message}</span>;
  return (
    <li className={styles.finding} data-severity={finding.severity}>
      <Icon name={icon} />
      {side ? (
        <Link
          className={styles.findingLink}
          href={addressOf({
            screen: 'entity',
            project,
            type: side.entity_type,
            id: side.entity_id,
            field: side.field,
          })}
        >
          {text}
        </Link>
      ) : (
        text
      )}
    </li>
  );
}

type Report = NonNullable<ReturnType<typeof useCanonReport>['data']>;

function State({ report }: { report: Report }) {
  const texts = useTexts(homeTexts);
  const { status, open, entities, finished_at, stale } = report;
  if (status === 'none') return <p className={styles.quiet}>{texts.unchecked}</p>;
  if (status === 'running') return <p className={styles.quiet}>{texts.checking}</p>;
  if (status === 'failed') return <Notice tone="error">{report.error ?? texts.checkFailed}</Notice>;
  return (
    <>
      {open === 0 && finished_at !== null && <p>{texts.noneFound(entities, shownAgo(finished_at))}</p>}
      {stale && <p className={styles.quiet}>{texts.stale}</p>}
    </>
  );
}

function CheckButton({ isRunning }: { isRunning: boolean }) {
  const texts = useTexts(homeTexts);
  const { project } = useWorld();
  const [isAsked, setAsked] = useState(false);
  const [fault, setFault] = useState<string | null>(null);

  async function check() {
    setAsked(true);
    setFault(null);
    try {
      await checkCanon(project);
    } catch (error) {
      setFault(detailOf(error) ?? texts.failed);
    } finally {
      setAsked(false);
    }
  }

  return (
    <>
      <Button size="s" isPending={isAsked || isRunning} onPress={() => void check()}>
        {isAsked || isRunning ? texts.checking : texts.checkNow}
      </Button>
      {fault && <Notice tone="error">{fault}</Notice>}
    </>
  );
}

function Broken({ broken: { count, isMore }, href }: { broken: BrokenCount; href: string }) {
  const texts = useTexts(homeTexts);
  if (count === 0 && !isMore) return <p className={styles.broken}>{texts.noBroken}</p>;
  return (
    <p className={styles.broken}>
      <TextLink href={href}>
        {texts.broken(shownNumber(count) + (isMore ? '+' : ''), count === 1 && !isMore)}
      </TextLink>
    </p>
  );
}
