import { useMemo, useState } from 'react';
import { detailOf } from '../../data/errors.ts';
import type { TypeLayout } from '../../data/layout-drafts.ts';
import { removeLayout, saveLayout } from '../../data/layouts.ts';
import { useWorld } from '../../data/world.tsx';
import { fieldsOfSchema, type JsonSchema } from '../../domain/form-field.ts';
import { withSection } from '../../domain/layout-edit.ts';
import { addressOf } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import { ConfirmDialog } from '../../kit/ui/confirm-dialog.tsx';
import { Icon } from '../../kit/ui/icons.tsx';
import { TextLink } from '../../kit/ui/link.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Page } from '../../kit/ui/page.tsx';
import { showToast } from '../../kit/ui/toasts.tsx';
import { controlOf, type Editing, NEW_SECTION, sectionMark } from './editing.ts';
import { HiddenFields, UnplacedFields } from './field-lists.tsx';
import styles from './layout.module.css';
import { layoutTexts } from './layout-texts.ts';
import { SectionEditor } from './section-editor.tsx';
import { useFollowedFocus } from './use-followed-focus.ts';
import { useLayoutDraft } from './use-layout-draft.ts';
import { usePartNames } from './use-part-names.ts';
import { useSaveKey } from './use-save-key.ts';

interface LayoutEditorProps {
  read: TypeLayout;
  schema: JsonSchema;
}

/** The sections of a form with what stands in them. Nothing is saved before the user says so. */
export function LayoutEditor({ read, schema }: LayoutEditorProps) {
  const texts = useTexts(layoutTexts);
  const { project, typeOf, can } = useWorld();
  const type = read.entity_type;
  const plural = typeOf(type)?.plural ?? type;
  const mayEdit = can('manage_templates');
  const fields = useMemo(() => fieldsOfSchema([], schema), [schema]);
  const names = usePartNames(type, fields);
  const draft = useLayoutDraft(read, fields);
  const { ref, follow } = useFollowedFocus();
  const { layout } = draft;
  const editing: Editing = {
    layout,
    names,
    mayEdit,
    change(next, ...marks) {
      follow(...marks);
      draft.change(next);
    },
  };
  const addSection = () =>
    editing.change(
      withSection(layout, texts.newSection),
      controlOf(sectionMark(layout.sections.length), 'name'),
    );
  return (
    <Page title={texts.title(plural)} why={mayEdit ? texts.why : texts.readersWhy}>
      <TextLink href={addressOf({ screen: 'list', project, type })}>{texts.back(plural)}</TextLink>
      {read.problem !== null && <Notice tone="warning">{texts.unreadable(read.problem)}</Notice>}
      {!read.is_saved && <p className={styles.quiet}>{texts.usual}</p>}
      {draft.left.length > 0 && (
        <Notice>{texts.left(draft.left.map((name) => `“${name}”`).join(', '))}</Notice>
      )}
      <div ref={ref} className={styles.editor}>
        {layout.sections.map((_, at) => (
          <SectionEditor key={sectionMark(at)} at={at} {...editing} />
        ))}
        {mayEdit && (
          <div data-part={NEW_SECTION}>
            <Button icon={<Icon name="plus" />} onPress={addSection}>
              {texts.addSection}
            </Button>
          </div>
        )}
        <UnplacedFields {...editing} />
        <HiddenFields {...editing} />
      </div>
      {mayEdit && <Saving read={read} draft={draft} />}
    </Page>
  );
}

interface SavingProps {
  read: TypeLayout;
  draft: ReturnType<typeof useLayoutDraft>;
}

function Saving({ read, draft }: SavingProps) {
  const texts = useTexts(layoutTexts);
  const { project } = useWorld();
  const [fault, setFault] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const { layout, base, isChanged, drop } = draft;
  // What this user saves may be read before its reply is here.
  const isStale = draft.isStale && !isPending;
  const isNamed = layout.sections.every(({ label }) => label.trim() !== '');
  const mends = read.problem !== null || draft.left.length > 0;
  const canSave = (isChanged || mends) && isNamed && !isPending && !isStale;
  const sayWhy = (error: unknown) => detailOf(error) ?? texts.saveFailed;

  async function save() {
    if (!canSave) return;
    setPending(true);
    setFault(null);
    try {
      await saveLayout(project, base, layout);
      showToast({ tone: 'success', text: texts.saved });
    } catch (error) {
      setFault(sayWhy(error));
    } finally {
      setPending(false);
    }
  }

  useSaveKey(texts.save, save);
  return (
    <>
      {isStale && (
        <Notice tone="warning" actions={<Button onPress={drop}>{texts.takeTheirs}</Button>}>
          {texts.stale}
        </Notice>
      )}
      {fault !== null && <Notice tone="error">{fault}</Notice>}
      <div className={styles.buttons}>
        <Button tone="primary" isDisabled={!canSave} isPending={isPending} onPress={() => void save()}>
          {texts.save}
        </Button>
        {isChanged && <Button onPress={drop}>{texts.discard}</Button>}
        {read.is_saved && <Button onPress={() => setLeaving(true)}>{texts.toDefault}</Button>}
      </div>
      {isLeaving && (
        <ConfirmDialog
          title={texts.toDefaultTitle}
          action={texts.toDefaultDo}
          cancelLabel={texts.cancel}
          onConfirm={async () => {
            await removeLayout(project, read);
          }}
          onClose={() => setLeaving(false)}
          faultOf={sayWhy}
        >
          {texts.toDefaultWhy}
        </ConfirmDialog>
      )}
    </>
  );
}
