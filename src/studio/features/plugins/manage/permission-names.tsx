import { useTexts } from '../../../kit/i18n/texts.ts';
import styles from './manage.module.css';
import { permissionTexts, permissionWords } from './permission-words.ts';

/** Permissions in plain words, without what each means. */
export function PermissionNames({ permissions }: { permissions: readonly { permission: string }[] }) {
  const words = useTexts(permissionTexts);
  return (
    <ul className={styles.dots}>
      {permissions.map(({ permission }) => (
        <li key={permission}>{permissionWords(permission, words)}</li>
      ))}
    </ul>
  );
}
