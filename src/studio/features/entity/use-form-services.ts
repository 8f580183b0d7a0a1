import { useMemo } from 'react';
import { uploadPicture, usePictures } from '../../data/entity-assets.ts';
import { useNames } from '../../data/use-names.ts';
import { useWorld } from '../../data/world.tsx';
import { addressOf, type EntityPlace } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { goTo } from '../../kit/router/router.ts';
import { late } from '../../kit/ui/late.tsx';
import { FORM_MESSAGES } from './form/form-messages.ts';
import type { FormServices } from './form/form-types.ts';
import { Block } from './layout/late-parts.ts';
import type { MakeEntity } from './make-entity.tsx';
import { lookupOf } from './name-lookup.ts';

const PluginField = late(async () => (await import('./plugin-field.tsx')).PluginField);

/** Gives the form of an entity all that it asks of the world: the same object until something of it changes. */
export function useFormServices(place: EntityPlace, onMake: MakeEntity): FormServices {
  const messages = useTexts(FORM_MESSAGES);
  const { project, typeOf, can } = useWorld();
  const names = useNames(project);
  const pictures = usePictures(place);
  const readOnly = !can('edit_entities');
  return useMemo(
    () => ({
      names: lookupOf(names),
      typeOf: (type) => typeOf(type) ?? { label: type },
      onOpen: ({ type, id }) => goTo(addressOf({ screen: 'entity', project, type, id })),
      onMake: (type, name) => onMake(name, type),
      images: {
        resolve: (path) => pictures.get(path)?.src ?? null,
        upload: (file) => uploadPicture(place, file),
      },
      parts: { entity: place, PluginField, Block },
      readOnly,
      messages,
    }),
    [names, typeOf, project, onMake, pictures, place, readOnly, messages],
  );
}
