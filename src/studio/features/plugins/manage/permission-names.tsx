import { useTexts } from '../../../kit/i18n/texts.ts';
import styles from './manage.module.css';
import { permissionTexts, permissionWords } from './permission-words.ts';

interface PermissionNamesProps {
  permissions: readonly { permission: string }[];
  /** What is possible without any. */
  more?: string | null;
}

/** Permissions in plain words, without what each means. */
export function PermissionNames({ permissions, more = null }: PermissionNamesProps) {
  const words = useTexts(permissionTexts);
  return (
    <ul className={styles.dots}>
      {permissions.map(({ permission }) => (
        <li key={permission}>{permissionWords(permission, words)}</li>
      ))}
      {more !== null && <li>{more}</li>}
    </ul>
  );
}
