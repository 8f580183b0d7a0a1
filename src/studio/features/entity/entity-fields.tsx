import { Suspense, useMemo, useRef, useState } from 'react';
import { useCommands } from '../../data/commands.ts';
import type { EntityDraft } from '../../data/drafts/drafts.ts';
import { useDraftPart } from '../../data/entity.ts';
import { detailOf } from '../../data/errors.ts';
import { usePeople } from '../../data/people.ts';
import { useSchema } from '../../data/types.ts';
import { useWorld } from '../../data/world.tsx';
import { partOf } from '../../domain/drafts/draft.ts';
import { draftPath, formPath } from '../../domain/field-path.ts';
import type { JsonSchema } from '../../domain/form-field.ts';
import { layoutOf } from '../../domain/form-layout.ts';
import { firstEmptyField } from '../../domain/form-model.ts';
import type { EntityPlace } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import { announce } from '../../kit/ui/live-region.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { entityTexts } from './entity-texts.ts';
import { faultsByField, faultsIn } from './field-parts.ts';
import { EntityForm } from './form/entity-form.tsx';
import type { Arrangement, FormServices, Side, TheirValue, Wanted } from './form/form-types.ts';
import { LayoutProblem } from './layout/late-parts.ts';
import type { MakeEntity } from './make-entity.tsx';
import { shownFields } from './shown-parts.ts';
import { useArrangement } from './use-arrangement.ts';
import { useDiscarding } from './use-discarding.ts';
import { useFormServices } from './use-form-services.ts';

interface EntityFieldsProps {
  draft: EntityDraft;
  place: EntityPlace;
  /** Where to go in it. */
  wanted?: Wanted;
  onFocusField: (path: string) => void;
  /** The user asked for a field. */
  onSeek?: () => void;
  onMake: MakeEntity;
  moreOf?: FormServices['moreOf'];
}

/** The form of an entity, from its draft and into it. It is not drawn again while the text is typed. */
export function EntityFields({
  draft,
  place,
  wanted,
  onFocusField,
  onSeek,
  onMake,
  moreOf,
}: EntityFieldsProps) {
  const { project, can } = useWorld();
  const schema = useSchema(project, place.type);
  const arrangement = useArrangement(schema.data);
  const services = useFormServices(place, onMake);
  const base = useDraftPart(draft, (view) => view.draft.base);
  const changes = useDraftPart(draft, (view) => view.draft.changes);
  const faults = useDraftPart(draft, ({ state }) => faultsIn(state));
  const theirs = useTheirs(draft);
  const values = useMemo(() => shownFields({ base, changes }), [base, changes]);
  const { takeTheirs } = useDiscarding(draft);
  const sought = useSeekingEmpty({ schema: schema.data, arrangement, values, wanted, onSeek });
  if (schema.error && !schema.data)
    return <FieldsFailed error={schema.error} onRetry={() => void schema.refetch()} />;
  if (!schema.data || !arrangement) return <Skeleton lines={10} height="2rem" />;
  const settle = (path: string, side: Side) =>
    side === 'theirs' ? void takeTheirs(path) : draft.resolve(path, partOf(draft.getSnapshot().draft, path));
  const hasProblem = layoutOf(schema.data) === null && can('manage_templates');
  return (
    <>
      {hasProblem && (
        <Suspense>
          <LayoutProblem type={place.type} />
        </Suspense>
      )}
      <EntityForm
        {...services}
        moreOf={moreOf}
        arrangement={arrangement}
        schema={schema.data}
        values={values}
        onChange={(path, value) => draft.edit(draftPath(path), value)}
        wanted={sought}
        onFocusField={onFocusField}
        errors={faultsByField(faults)}
        theirs={theirs}
        onSettle={(path, side) => settle(draftPath(path), side)}
      />
    </>
  );
}

interface SeekingProps {
  schema: JsonSchema | undefined;
  arrangement: Arrangement | null;
  values: Record<string, unknown>;
  wanted: Wanted | undefined;
  onSeek: (() => void) | undefined;
}

/** `e` leads to the first field without a value. Gives where to go: there, or else to what is wanted. */
function useSeekingEmpty({ schema, arrangement, values, wanted, onSeek }: SeekingProps): Wanted | undefined {
  const texts = useTexts(entityTexts);
  const [sought, setSought] = useState<{ field: string; from: Wanted | undefined }>();
  const seek = useRef(() => {});
  seek.current = () => {
    const field = schema && arrangement && firstEmptyField(arrangement.groupsOf(schema, values), values);
    if (!field) return announce(texts.noneEmpty);
    onSeek?.();
    setSought({ field, from: wanted });
  };
  useCommands(
    useMemo(
      () => [
        {
          id: 'first-empty',
          title: texts.firstEmpty,
          keys: 'e',
          group: 'here' as const,
          run: () => seek.current(),
        },
      ],
      [texts],
    ),
  );
  return sought && sought.from === wanted ? sought : wanted;
}

/** The values that others saved in fields that were changed here. */
function useTheirs(draft: EntityDraft): Record<string, TheirValue> {
  const texts = useTexts(entityTexts);
  const people = usePeople();
  const conflicts = useDraftPart(draft, (view) => view.draft.conflicts);
  const theirs = Object.entries(conflicts).flatMap(([path, { theirs: value, by }]) => {
    const field = formPath(path);
    const who = (by !== null && people.get(by)?.display_name) || texts.somebody;
    return field === null ? [] : [[field, { who, value }]];
  });
  return Object.fromEntries(theirs);
}

/** The text can be written all the same. */
function FieldsFailed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const texts = useTexts(entityTexts);
  return (
    <Notice tone="error" actions={<Button onPress={onRetry}>{texts.retry}</Button>}>
      {detailOf(error) ?? texts.fieldsFailed}
    </Notice>
  );
}
