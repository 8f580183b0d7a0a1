import { type FieldWords, useFieldWords } from '../../data/field-words.ts';
import type { Found, Match } from '../../data/search.ts';
import { useWorld } from '../../data/world.tsx';
import { addressOf } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Link } from '../../kit/router/link.tsx';
import { ColorMark } from '../../kit/ui/color-mark.tsx';
import { FoundText } from '../../kit/ui/found-text.tsx';
import styles from './find.module.css';
import { findTexts } from './find-texts.ts';

/** By type, in the order of each type's best match. */
export function FoundList({ found: { matches, total } }: { found: Found }) {
  const texts = useTexts(findTexts);
  const { project, typeOf } = useWorld();
  const groups = [...Map.groupBy(matches, ({ type }) => type)];
  const words = useFieldWords(
    project,
    groups.map(([type]) => type),
  );
  return (
    <>
      <p className={styles.count} role="status">
        {texts.count(matches.length, total)}
      </p>
      {groups.map(([type, own]) => (
        <section key={type} aria-label={typeOf(type)?.plural ?? type}>
          <h2 className={styles.type}>
            <ColorMark color={typeOf(type)?.color} />
            <span dir="auto">{typeOf(type)?.plural ?? type}</span>
            <span className={styles.count}>{own.length}</span>
          </h2>
          <ul className={styles.matches}>
            {own.map((match) => (
              <MatchRow key={match.id} match={match} words={words} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

const NAME = 'name';
const BODY = 'markdown_body';

function MatchRow({ match, words }: { match: Match; words: FieldWords }) {
  const { project } = useWorld();
  const { type, id, name, field, snippet, ranges } = match;
  const isName = field === NAME;
  const place = isName || field === BODY ? {} : { field };
  return (
    <li>
      <Link href={addressOf({ screen: 'entity', project, type, id, ...place })} className={styles.match}>
        <span className={styles.name} dir="auto">
          {isName && snippet === name ? <FoundText text={name} ranges={ranges} /> : name}
        </span>
        {!isName && (
          <span className={styles.snippet} dir="auto">
            {field !== BODY && <span className={styles.field}>{words.labelOf(type, field)}: </span>}
            <FoundText text={snippet} ranges={ranges} />
          </span>
        )}
      </Link>
    </li>
  );
}
