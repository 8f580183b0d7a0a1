import { useConflict, useResolve } from '../../data/conflicts.ts';
import { useWorld } from '../../data/world.tsx';
import { addressOf } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { LinkButton, TextLink } from '../../kit/ui/link.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Page } from '../../kit/ui/page.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { conflictsTexts } from './conflicts-texts.ts';
import { Merge } from './merge.tsx';

/** One conflict: what was common, what each side made of it, and what it is to be. */
export function ConflictPage({ id }: { id: string }) {
  const texts = useTexts(conflictsTexts);
  const { project } = useWorld();
  const { data, error } = useConflict(project, id);
  // Of the page and not of the merge, which others' news of the end can remove before the service has answered.
  const resolve = useResolve(project, id);
  const all = addressOf({ screen: 'page', project, page: 'conflicts' });
  if (data === null)
    return (
      <Page title={texts.title}>
        <EmptyState title={texts.gone} actions={<LinkButton href={all}>{texts.all}</LinkButton>}>
          {texts.goneWhy}
        </EmptyState>
      </Page>
    );
  return (
    <Page title={data ? texts.merge(data.local.name) : texts.title} why={texts.restMerged} isWide>
      <p>
        <TextLink href={all}>{texts.all}</TextLink>
      </p>
      {error && <Notice tone="error">{texts.failed}</Notice>}
      {data ? (
        <Merge key={data.conflict_id} conflict={data} resolve={resolve} />
      ) : (
        !error && <Skeleton lines={5} />
      )}
    </Page>
  );
}
