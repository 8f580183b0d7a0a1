import type { Findings } from '../../data/findings/use-findings.ts';
import { useWorld } from '../../data/world.tsx';
import { type FindingsQuery, findingsSearchOf } from '../../domain/findings-query.ts';
import { addressOf } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { Icon } from '../../kit/ui/icons.tsx';
import { LinkButton } from '../../kit/ui/link.tsx';
import { findingsTexts } from './findings-texts.ts';

/** A clean world says so; filters without hits lead back. */
export function FindingsEmpty({ query, state }: { query: FindingsQuery; state: Findings }) {
  const texts = useTexts(findingsTexts);
  const { project } = useWorld();
  const all = addressOf({ screen: 'page', project, page: 'findings' });
  const back = <LinkButton href={all}>{texts.clear}</LinkButton>;
  if (query.isAccepted)
    return (
      <EmptyState title={texts.noneAccepted} actions={back}>
        {texts.noneAcceptedWhy}
      </EmptyState>
    );
  if (findingsSearchOf(query) !== '') return <EmptyState title={texts.noHits} actions={back} />;
  if (state.isChecking || !state.checked) return <EmptyState title={texts.checking} />;
  const { entities, at } = state.checked;
  return (
    <EmptyState title={texts.clean(entities)} icon={<Icon name="success" size={32} />}>
      {texts.cleanWhen(at)}
    </EmptyState>
  );
}
