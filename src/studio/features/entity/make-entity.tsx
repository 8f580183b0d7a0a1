import { type ReactNode, Suspense, useCallback, useState } from 'react';
import { detailOf } from '../../data/errors.ts';
import { makeEntity } from '../../data/make-entity.ts';
import { useWorld } from '../../data/world.tsx';
import { useTexts } from '../../kit/i18n/texts.ts';
import { late } from '../../kit/ui/late.tsx';
import { showToast } from '../../kit/ui/toasts.tsx';
import { entityTexts } from './entity-texts.ts';
import type { TypeQuestion } from './type-dialog.tsx';

const TypeDialog = late(async () => (await import('./type-dialog.tsx')).TypeDialog, { isAbove: true });

interface Made {
  type: string;
  id: string;
}

/** Makes an entity by its name. Without a type the user is asked for it. Null: nothing was made. */
export type MakeEntity = (name: string, type: string | null) => Promise<Made | null>;

/** A way to make entities that a text or a field names before they exist, and the dialog that asks for their type. */
export function useMakeEntity(): { make: MakeEntity; dialog: ReactNode } {
  const texts = useTexts(entityTexts);
  const { project } = useWorld();
  const [question, setQuestion] = useState<TypeQuestion | null>(null);

  const askForType = useCallback(
    (name: string) =>
      new Promise<string | null>((resolve) => {
        setQuestion({
          name,
          answer(type) {
            setQuestion(null);
            resolve(type);
          },
        });
      }),
    [],
  );
  const make: MakeEntity = useCallback(
    async (name, given) => {
      const type = given ?? (await askForType(name));
      if (type === null) return null;
      try {
        return await makeEntity(project, type, name);
      } catch (error) {
        showToast({ tone: 'error', text: detailOf(error) ?? texts.makeFailed });
        return null;
      }
    },
    [project, texts, askForType],
  );

  const dialog = question && (
    <Suspense>
      <TypeDialog {...question} onClose={() => question.answer(null)} />
    </Suspense>
  );
  return { make, dialog };
}
