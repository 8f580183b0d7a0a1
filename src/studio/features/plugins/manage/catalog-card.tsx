import { useWorld } from '../../../data/world.tsx';
import { type CatalogItem, offerOf } from '../../../domain/plugins/catalog-list.ts';
import type { Plugin } from '../../../domain/plugins/plugin-list.ts';
import { shownBytes } from '../../../kit/i18n/measures.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Badge } from '../../../kit/ui/badge.tsx';
import { TextLink } from '../../../kit/ui/link.tsx';
import { Notice } from '../../../kit/ui/notice.tsx';
import { CatalogDetails } from './catalog-details.tsx';
import { catalogTexts } from './catalog-texts.ts';
import { InstallButton } from './install-button.tsx';
import styles from './manage.module.css';
import { PermissionNames } from './permission-names.tsx';
import { pluginsAddress } from './plugins-address.ts';
import { useInstall } from './use-install.ts';

interface CatalogCardProps {
  item: CatalogItem;
  onInstalled: (plugin: Plugin) => void;
}

export function CatalogCard({ item, onInstalled }: CatalogCardProps) {
  const texts = useTexts(catalogTexts);
  const { project, can } = useWorld();
  const { isPending, fault, install } = useInstall(item.id, onInstalled);
  const { id, name, version, author, size, source, description, installed, min_canonry: needed } = item;
  const offer = offerOf(item);
  return (
    <li className={styles.card}>
      <div className={styles.about}>
        <h3 className={styles.name}>
          {installed ? (
            <TextLink href={pluginsAddress(project, '', id)}>
              <span dir="auto">{name}</span>
            </TextLink>
          ) : (
            <span dir="auto">{name}</span>
          )}
          <Badge tone={source === 'official' ? 'primary' : 'neutral'}>{texts.source[source]}</Badge>
          {installed && (
            <Badge tone={offer === 'update' ? 'warning' : 'success'}>
              {texts.isInstalled(installed.version)}
            </Badge>
          )}
        </h3>
        <p className={styles.quiet}>
          {[texts.version(version), texts.by(author), shownBytes(size)].join(' · ')}
        </p>
        <p dir="auto">{description}</p>
        <Asks item={item} />
        {offer === 'too_old' && <p>{texts.tooOld(needed ?? '')}</p>}
        {offer === 'not_allowed' && <p>{texts.notAllowed}</p>}
        <CatalogDetails item={item} />
      </div>
      {can('manage_settings') && (
        <div className={styles.buttons}>
          <InstallButton item={item} isPending={isPending} onPress={() => void install()} />
        </div>
      )}
      {fault !== null && (
        <div className={styles.wide}>
          <Notice tone="error">
            <p>{texts.notInstalled(name)}</p>
            <p>{fault}</p>
          </Notice>
        </div>
      )}
    </li>
  );
}

/** Said before anything is installed, so that no question comes as a surprise. */
function Asks({ item: { permissions } }: { item: CatalogItem }) {
  const texts = useTexts(catalogTexts);
  const asked = permissions.filter(({ needs_consent: needs }) => needs);
  if (asked.length === 0) return <p className={styles.quiet}>{texts.asksNothing}</p>;
  return (
    <div className={styles.quiet}>
      {texts.asks} <PermissionNames permissions={asked} />
    </div>
  );
}
