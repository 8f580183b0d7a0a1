import { detailOf, isRefusal } from '../../data/errors.ts';
import { useLayout } from '../../data/layouts.ts';
import { useSchema } from '../../data/types.ts';
import { useWorld } from '../../data/world.tsx';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Page } from '../../kit/ui/page.tsx';
import { PageSkeleton } from '../../kit/ui/page-skeleton.tsx';
import { LayoutEditor } from './layout-editor.tsx';
import { layoutTexts } from './layout-texts.ts';

/** Where the form of a type is arranged. */
export function LayoutPage({ type }: { type: string }) {
  const texts = useTexts(layoutTexts);
  const { project, typeOf } = useWorld();
  const layout = useLayout(project, type);
  const schema = useSchema(project, type);
  if (layout.data && schema.data) return <LayoutEditor read={layout.data} schema={schema.data} />;
  const error = layout.error ?? schema.error;
  if (!error) return <PageSkeleton />;
  if (isRefusal(error, 404))
    return (
      <EmptyState isPage title={texts.noType}>
        {texts.noTypeWhy}
      </EmptyState>
    );
  const retry = () => {
    void layout.refetch();
    void schema.refetch();
  };
  return (
    <Page title={texts.title(typeOf(type)?.plural ?? type)}>
      <Notice tone="error" actions={<Button onPress={retry}>{texts.retry}</Button>}>
        {detailOf(error) ?? texts.failed}
      </Notice>
    </Page>
  );
}
