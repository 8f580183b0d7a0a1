import type { Plugin } from '../../../domain/plugins/plugin-list.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Badge } from '../../../kit/ui/badge.tsx';
import { FilePlace } from '../../../kit/ui/file-place.tsx';
import styles from './manage.module.css';
import { manageTexts } from './manage-texts.ts';

/** What is wrong with the file of a plugin, each with its place. */
export function ProblemList({ problems }: Pick<Plugin, 'problems'>) {
  const texts = useTexts(manageTexts);
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>{texts.problems}</h2>
      <ul className={styles.list}>
        {problems.map(({ severity, message, path, pointer, line, column }) => (
          <li key={`${pointer} ${line} ${column} ${message}`}>
            <Badge tone={severity}>{texts.severities[severity]}</Badge> {message}
            <div className={styles.quiet}>
              <FilePlace
                path={path}
                place={texts.place(path, line, column)}
                copy={texts.copy}
                copied={texts.copied}
              />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
