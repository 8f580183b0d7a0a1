import { useStore } from '../../data/store.ts';
import { useWorkspace, type Workspace } from '../../data/workspace.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { appTexts } from '../app-texts.ts';
import { downloadChanges } from '../download-changes.ts';
import { saveTexts } from './save-texts.ts';

/** Says for as long as it lasts that this browser does not keep what the user types. */
export function StoreStrip() {
  const workspace = useWorkspace();
  return workspace && <KnownStrip workspace={workspace} />;
}

function KnownStrip({ workspace: { drafts, store } }: { workspace: Workspace }) {
  const texts = useTexts(saveTexts);
  const app = useTexts(appTexts);
  const unsaved = useStore({ get: drafts.unsaved.getSnapshot, subscribe: drafts.unsaved.subscribe });
  const { fault } = useStore({ get: store.getSnapshot, subscribe: store.subscribe });
  if (!fault) return null;
  const download = unsaved.length > 0 && (
    <Button onPress={() => downloadChanges(drafts)}>{app.download}</Button>
  );
  return (
    <Notice tone="error" isStrip actions={download}>
      {fault.kind === 'full' ? texts.full : texts.broken}
    </Notice>
  );
}
