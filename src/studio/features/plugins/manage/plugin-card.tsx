import { useWorld } from '../../../data/world.tsx';
import type { CatalogItem } from '../../../domain/plugins/catalog-list.ts';
import type { Plugin } from '../../../domain/plugins/plugin-list.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { TextLink } from '../../../kit/ui/link.tsx';
import { Notice } from '../../../kit/ui/notice.tsx';
import { EnabledSwitch } from './enabled-switch.tsx';
import { InstallButton } from './install-button.tsx';
import styles from './manage.module.css';
import { manageTexts } from './manage-texts.ts';
import { pluginsAddress } from './plugins-address.ts';
import { StateBadge } from './state-badge.tsx';
import { useInstall } from './use-install.ts';

interface PluginCardProps {
  plugin: Plugin;
  /** A newer version in the catalog. */
  update: CatalogItem | null;
  mayManage: boolean;
  onInstalled: (plugin: Plugin) => void;
  onAnswer: () => void;
}

export function PluginCard({ plugin, update, mayManage, onInstalled, onAnswer }: PluginCardProps) {
  const texts = useTexts(manageTexts);
  const { project } = useWorld();
  const { id, name, version, author, description, state, problems } = plugin;
  const { isPending, fault, install } = useInstall(id, onInstalled);
  const about = [
    ...(version === '' ? [] : [texts.version(version)]),
    ...(author === null ? [] : [texts.by(author)]),
    ...(problems.length === 0 ? [] : [texts.errors(problems.length)]),
  ];
  const first = problems.find(({ severity }) => severity === 'error');
  return (
    <li className={styles.card}>
      <div className={styles.about}>
        <h3 className={styles.name}>
          <TextLink href={pluginsAddress(project, '', id)}>
            <span dir="auto">{name}</span>
          </TextLink>
          <StateBadge state={state} />
        </h3>
        <p className={styles.quiet}>{about.join(' · ')}</p>
        {description !== '' && <p dir="auto">{description}</p>}
        {first && (
          <p>
            {first.message}{' '}
            <span className={styles.quiet}>{texts.place(first.path, first.line, first.column)}</span>
          </p>
        )}
        {state === 'waiting' && <p className={styles.quiet}>{texts.waitingWhy}</p>}
        {state === 'blocked' && <p className={styles.quiet}>{texts.blockedWhy}</p>}
      </div>
      {mayManage && (
        <div className={styles.buttons}>
          {state === 'waiting' && (
            <Button tone="primary" label={texts.answerFor(name)} onPress={onAnswer}>
              {texts.answer}
            </Button>
          )}
          {update && <InstallButton item={update} isPending={isPending} onPress={() => void install()} />}
          <EnabledSwitch plugin={plugin} />
        </div>
      )}
      {fault !== null && (
        <div className={styles.wide}>
          <Notice tone="error">{fault}</Notice>
        </div>
      )}
    </li>
  );
}
