import { useRef, useState } from 'react';
import { codeOf, detailOf } from '../../../data/errors.ts';
import { installPlugin } from '../../../data/plugins/manage.ts';
import { useWorld } from '../../../data/world.tsx';
import type { Plugin } from '../../../domain/plugins/plugin-list.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { announce } from '../../../kit/ui/live-region.tsx';
import { showToast } from '../../../kit/ui/toasts.tsx';
import { manageTexts } from './manage-texts.ts';

const LARGEST = 50 * 1024 * 1024;

/** In the service's words and with its code; `unanswered` where nobody knows whether it was installed. */
export type UploadFault =
  | { kind: 'too_large' | 'unreadable' | 'unanswered' }
  | { kind: 'refused'; detail: string; code: string | null };

export interface Upload {
  /** Of the last file. */
  name: string;
  /** From 0 to 1, which is when the service has all of it; null while nothing is uploaded. */
  sent: number | null;
  fault: UploadFault | null;
  take(file: File): Promise<void>;
  cancel(): void;
}

/** Installs a plugin from a file, one at a time. */
export function useUpload(onAdded: (plugin: Plugin) => void): Upload {
  const texts = useTexts(manageTexts);
  const { project } = useWorld();
  const [name, setName] = useState('');
  const [sent, setSent] = useState<number | null>(null);
  const [fault, setFault] = useState<UploadFault | null>(null);
  const ending = useRef(new AbortController());

  async function send(file: File): Promise<void> {
    ending.current = new AbortController();
    const { signal } = ending.current;
    const onSent = (share: number) => {
      setSent(share);
      if (share === 1) announce(texts.unpacking(file.name));
    };
    setSent(0);
    try {
      const plugin = await installPlugin(project, file, { signal, onSent });
      showToast({ tone: 'success', text: texts.added(plugin.name) });
      onAdded(plugin);
    } catch (error) {
      const detail = detailOf(error);
      if (signal.aborted) announce(texts.cancelled(file.name));
      else
        setFault(detail === null ? { kind: 'unanswered' } : { kind: 'refused', detail, code: codeOf(error) });
    } finally {
      setSent(null);
    }
  }

  return {
    name,
    sent,
    fault,
    async take(file) {
      if (sent !== null) return;
      setName(file.name);
      setFault(null);
      if (file.size > LARGEST) setFault({ kind: 'too_large' });
      else if (!(await isReadable(file))) setFault({ kind: 'unreadable' });
      else await send(file);
    },
    cancel: () => ending.current.abort(),
  };
}

/** A folder that is dropped looks like a file until it is read. */
const isReadable = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
