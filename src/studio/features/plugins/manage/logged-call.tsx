import { useNames } from '../../../data/use-names.ts';
import { useWorld } from '../../../data/world.tsx';
import { addressOf } from '../../../domain/places.ts';
import { entityOf, type LoggedCall, type LogLine } from '../../../domain/plugins/log-lines.ts';
import { shownAgo, shownMoment } from '../../../kit/i18n/format.ts';
import { shownSpan } from '../../../kit/i18n/measures.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Badge, type BadgeTone } from '../../../kit/ui/badge.tsx';
import { TextLink } from '../../../kit/ui/link.tsx';
import { callWords, logTexts } from './log-texts.ts';
import styles from './manage.module.css';

/** A call with all that it left in the log. */
export function LoggedCallItem({ call: lines }: { call: LoggedCall }) {
  const texts = useTexts(logTexts);
  const [{ at, call, took_ms: took }] = lines;
  return (
    <li className={styles.call}>
      <div className={styles.item}>
        <time className={styles.quiet} dateTime={at} title={shownMoment(at)}>
          {shownAgo(at)}
        </time>
        <span>{call === null ? texts.service : callWords(call, texts)}</span>
        <About line={lines[0]} />
        {took !== null && <span className={styles.quiet}>{texts.took(shownSpan(took))}</span>}
      </div>
      <ul className={styles.list}>
        {lines.map((line) => (
          <Line key={line.seq} line={line} />
        ))}
      </ul>
    </li>
  );
}

/** An entity that is there leads to its history. */
function About({ line }: { line: LogLine }) {
  const { project } = useWorld();
  const names = useNames(project);
  if (line.about === null) return null;
  const entity = entityOf(line);
  const named = entity && names.find(entity.type, entity.id);
  return entity && named ? (
    <TextLink href={addressOf({ screen: 'entity', project, ...entity, tab: 'history' })}>
      <span dir="auto">{named.name}</span>
    </TextLink>
  ) : (
    <code dir="auto">{line.about}</code>
  );
}

const TONES: Readonly<Record<LogLine['level'], BadgeTone>> = {
  debug: 'neutral',
  info: 'info',
  warn: 'warning',
  error: 'error',
};

function Line({ line: { kind, level, message } }: { line: LogLine }) {
  const texts = useTexts(logTexts);
  return (
    <li className={styles.message}>
      <Badge tone={kind === 'did' ? 'success' : TONES[level]}>
        {kind === 'said' ? texts.levels[level] : texts.kinds[kind]}
      </Badge>{' '}
      <span className={styles.said} dir="auto">
        {message}
      </span>
    </li>
  );
}
