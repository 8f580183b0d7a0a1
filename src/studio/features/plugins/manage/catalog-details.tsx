import type { CatalogItem } from '../../../domain/plugins/catalog-list.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { TextLink } from '../../../kit/ui/link.tsx';
import { catalogTexts } from './catalog-texts.ts';
import { Fact } from './fact.tsx';
import styles from './manage.module.css';
import { manageTexts } from './manage-texts.ts';
import { PermissionNames } from './permission-names.tsx';
import { isWebAddress } from './web-address.ts';

/** Folded: what one looks at before trusting it. */
export function CatalogDetails({ item }: { item: CatalogItem }) {
  const texts = useTexts(catalogTexts);
  const common = useTexts(manageTexts);
  const { id, license, homepage, sha256, trust_tier: trust, min_canonry: needed, permissions } = item;
  const unasked = permissions.filter(({ needs_consent: needs }) => !needs);
  return (
    <details>
      <summary className={styles.summary}>{texts.details}</summary>
      <dl className={styles.facts}>
        <Fact name={common.id}>{id}</Fact>
        <Fact name={common.trust}>{common.trustOf(trust)}</Fact>
        <Fact name={texts.license}>{license}</Fact>
        {homepage !== null && isWebAddress(homepage) && (
          <Fact name={texts.homepage}>
            <TextLink href={homepage} isExternal>
              {homepage}
            </TextLink>
          </Fact>
        )}
        {needed !== null && <Fact name={texts.needs}>{needed}</Fact>}
        {unasked.length > 0 && (
          <Fact name={texts.gets}>
            <PermissionNames permissions={unasked} />
          </Fact>
        )}
        <Fact name={texts.hash}>
          <code>{sha256}</code>
        </Fact>
      </dl>
    </details>
  );
}
