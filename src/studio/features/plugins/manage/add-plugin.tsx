import { useState } from 'react';
import { installPlugin } from '../../../data/plugins/manage.ts';
import { useWorld } from '../../../data/world.tsx';
import type { Plugin } from '../../../domain/plugins/plugin-list.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { DropArea, FileButton } from '../../../kit/ui/file-drop.tsx';
import { Notice } from '../../../kit/ui/notice.tsx';
import { ProgressBar } from '../../../kit/ui/progress-bar.tsx';
import { showToast } from '../../../kit/ui/toasts.tsx';
import styles from './manage.module.css';
import { manageTexts } from './manage-texts.ts';
import { useAction } from './use-action.ts';

const ARCHIVES = ['.zip', '.tar.gz', '.tgz', '.gz'];
const LARGEST = 50 * 1024 * 1024;

/** Installs a plugin from a file, by drop or by the browser's own choice. */
export function AddPlugin({ onAdded }: { onAdded: (plugin: Plugin) => void }) {
  const texts = useTexts(manageTexts);
  const { project } = useWorld();
  const { isPending, fault, run } = useAction();
  const [file, setFile] = useState<File | null>(null);
  const isTooLarge = file !== null && file.size > LARGEST;

  async function take(next: File) {
    setFile(next);
    if (next.size > LARGEST) return;
    await run(async () => {
      const plugin = await installPlugin(project, next);
      showToast({ tone: 'success', text: texts.added(plugin.name) });
      onAdded(plugin);
    });
  }

  return (
    <section className={styles.section} aria-label={texts.add}>
      <DropArea onDrop={(next) => void take(next)} isDisabled={isPending}>
        <div className={styles.drop}>
          <p className={styles.quiet}>{texts.drop}</p>
          {isPending && file ? (
            <ProgressBar label={texts.uploading(file.name)} share={null} />
          ) : (
            <FileButton accept={ARCHIVES} onPick={(next) => void take(next)}>
              {texts.choose}
            </FileButton>
          )}
        </div>
      </DropArea>
      {file && (fault !== null || isTooLarge) && (
        <Notice tone="error">
          <p>{texts.refused(file.name)}</p>
          <p>{isTooLarge ? texts.tooLarge : fault}</p>
        </Notice>
      )}
    </section>
  );
}
