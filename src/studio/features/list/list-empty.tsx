import { useWorld } from '../../data/world.tsx';
import { EVERYTHING, type ListQuery, searchOf } from '../../domain/list-query.ts';
import { addressOf } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { LinkButton } from '../../kit/ui/link.tsx';
import { listTexts } from './list-texts.ts';

interface ListEmptyProps {
  type: string;
  query: ListQuery;
  onClear: () => void;
}

/** A type without entities says what it is for; a search without hits leads back. */
export function ListEmpty({ type, query, onClear }: ListEmptyProps) {
  const texts = useTexts(listTexts);
  const { project, typeOf, can } = useWorld();
  const found = typeOf(type);
  const isNarrowed = searchOf({ ...query, sort: EVERYTHING.sort, isDescending: false, columns: null }) !== '';
  if (isNarrowed) {
    return (
      <EmptyState title={texts.noHits} actions={<Button onPress={onClear}>{texts.clear}</Button>}>
        {texts.noHitsWhy}
      </EmptyState>
    );
  }
  const make = can('create_entities') && (
    <LinkButton tone="primary" href={addressOf({ screen: 'new', project, type })}>
      {texts.make(found?.label ?? type)}
    </LinkButton>
  );
  return (
    <EmptyState title={texts.empty(found?.plural ?? type)} actions={make}>
      {found?.description}
    </EmptyState>
  );
}
