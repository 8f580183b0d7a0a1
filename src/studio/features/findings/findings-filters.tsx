import { useMemo } from 'react';
import { findingTexts } from '../../data/findings/finding-texts.ts';
import type { Findings } from '../../data/findings/use-findings.ts';
import { useNames } from '../../data/use-names.ts';
import { useWorld } from '../../data/world.tsx';
import { FINDING_GROUPS, SEVERITIES } from '../../domain/findings.ts';
import { type FindingsQuery, findingsSearchOf, fitting } from '../../domain/findings-query.ts';
import { addressOf } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { FilterLinks } from '../../kit/ui/filter-links.tsx';
import { TextLink } from '../../kit/ui/link.tsx';
import styles from './findings.module.css';
import { findingsTexts } from './findings-texts.ts';

interface FindingsFiltersProps {
  query: FindingsQuery;
  state: Findings;
}

export function FindingsFilters({ query, state }: FindingsFiltersProps) {
  const texts = useTexts(findingsTexts);
  const { project } = useWorld();
  const addressFor = (change: Partial<FindingsQuery>) => {
    const search = findingsSearchOf({ ...query, ...change });
    const page = addressOf({ screen: 'page', project, page: 'findings' });
    return search === '' ? page : `${page}?${search}`;
  };
  return (
    <div className={styles.filters}>
      <KindLinks query={query} state={state} addressFor={addressFor} />
      {!query.isAccepted && (
        <FilterLinks
          label={texts.severities}
          links={[null, ...SEVERITIES].map((severity) => ({
            key: severity ?? 'any',
            label: severity === null ? texts.anySeverity : texts.severityPlurals[severity],
            address: addressFor({ severity }),
            isChosen: query.severity === severity,
          }))}
        />
      )}
      {query.entity && <AboutEntity entity={query.entity} address={addressFor({ entity: null })} />}
    </div>
  );
}

interface KindLinksProps extends FindingsFiltersProps {
  addressFor: (change: Partial<FindingsQuery>) => string;
}

/** Links to the kinds, and to the accepted findings, which are a list of their own. */
function KindLinks({ query, state, addressFor }: KindLinksProps) {
  const texts = useTexts(findingsTexts);
  const { groups } = useTexts(findingTexts);
  const counts = useMemo(() => {
    const open = query.isAccepted ? undefined : state.findings;
    const fits = open && fitting(open, { ...query, group: null });
    return (
      fits &&
      new Map(FINDING_GROUPS.map((group) => [group, fits.filter((one) => one.group === group).length]))
    );
  }, [state.findings, query]);
  const kinds = FINDING_GROUPS.filter((group) => group === query.group || counts?.get(group) !== 0);
  const accepted = {
    key: 'accepted',
    label: texts.accepted,
    count: state.accepted,
    address: addressFor({ isAccepted: true, group: null, severity: null }),
    isChosen: query.isAccepted,
  };
  return (
    <FilterLinks
      label={texts.kinds}
      links={[
        {
          key: 'all',
          label: texts.allKinds,
          address: addressFor({ isAccepted: false, group: null }),
          isChosen: !query.isAccepted && query.group === null,
        },
        ...kinds.map((group) => {
          const count = counts?.get(group);
          return {
            key: group,
            label: groups[group],
            ...(count !== undefined && { count }),
            address: addressFor({ isAccepted: false, group }),
            isChosen: !query.isAccepted && query.group === group,
          };
        }),
        ...(state.accepted > 0 || query.isAccepted ? [accepted] : []),
      ]}
    />
  );
}

function AboutEntity({ entity, address }: { entity: { type: string; id: string }; address: string }) {
  const texts = useTexts(findingsTexts);
  const { project } = useWorld();
  const name = useNames(project).find(entity.type, entity.id)?.name ?? entity.id;
  return (
    <p className={styles.about}>
      {texts.about(name)} <TextLink href={address}>{texts.aboutAll}</TextLink>
    </p>
  );
}
