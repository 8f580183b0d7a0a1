import { usePersonName } from '../../../data/people.ts';
import type { Plugin, PluginPermission } from '../../../domain/plugins/plugin-list.ts';
import { shownAgo } from '../../../kit/i18n/format.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Badge, type BadgeTone } from '../../../kit/ui/badge.tsx';
import { Button } from '../../../kit/ui/button.tsx';
import styles from './manage.module.css';
import { manageTexts } from './manage-texts.ts';
import { permissionMeaning, permissionTexts, permissionWords } from './permission-words.ts';

interface PermissionListProps {
  plugin: Plugin;
  /** Null for those who may not. */
  onChange: (() => void) | null;
}

/** The permissions that a plugin wants, and who allowed each. */
export function PermissionList({ plugin, onChange }: PermissionListProps) {
  const texts = useTexts(manageTexts);
  const { permissions, has_guest: hasGuest } = plugin;
  const hasAny = permissions.length > 0 || hasGuest;
  const isAsked = permissions.some(({ needs_consent: needs }) => needs);
  return (
    <section className={styles.section}>
      <div className={styles.line}>
        <h2 className={styles.heading}>{texts.permissions}</h2>
        {isAsked && onChange && (
          <Button size="s" onPress={onChange}>
            {texts.change}
          </Button>
        )}
      </div>
      <p className={styles.quiet}>{hasAny ? texts.permissionsWhy : texts.noPermissions}</p>
      <ul className={styles.list}>
        {hasGuest && (
          <li className={styles.item}>
            <Badge tone="info">{texts.always}</Badge>
            <span>{texts.runs}</span>
            <p className={styles.meaning}>{texts.runsMeans}</p>
          </li>
        )}
        {permissions.map((permission) => (
          <PermissionItem key={permission.permission} permission={permission} />
        ))}
      </ul>
    </section>
  );
}

const TONES: Readonly<Record<PluginPermission['state'], BadgeTone>> = {
  granted: 'success',
  refused: 'neutral',
  asked: 'warning',
};

function PermissionItem({
  permission: { permission, state, needs_consent: isAsked, ...answer },
}: {
  permission: PluginPermission;
}) {
  const texts = useTexts(manageTexts);
  const words = useTexts(permissionTexts);
  const name = usePersonName(answer.answered_by);
  const meaning = permissionMeaning(permission, words);
  return (
    <li className={styles.item}>
      <Badge tone={TONES[state]}>{texts.permissionStates[state]}</Badge>
      <span>{permissionWords(permission, words)}</span>
      <span className={styles.quiet}>
        {!isAsked && texts.unasked}
        {isAsked &&
          answer.answered_at !== null &&
          texts.answeredBy(name ?? texts.somebody, shownAgo(answer.answered_at))}
      </span>
      {meaning !== null && <p className={styles.meaning}>{meaning}</p>}
    </li>
  );
}
