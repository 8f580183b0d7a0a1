import type { CallResult } from '../../../domain/plugins/host-messages.ts';
import { downloadFile } from '../../../kit/ui/download-text.ts';
import { showToast } from '../../../kit/ui/toasts.tsx';
import type { frameTexts } from './frame-texts.ts';

const LONGEST_NAME = 100;

/** A frame may not download by itself, so the user is asked. */
export function offerFile(
  { name, content }: { name: string; content: Blob },
  texts: (typeof frameTexts)['en'],
  plugin: string,
): CallResult {
  const shown = name.replaceAll(/[^\p{L}\p{N}._ -]/gu, '_').slice(-LONGEST_NAME);
  showToast({
    tone: 'info',
    text: texts.made(plugin, shown),
    action: { label: texts.saveFile, onPress: () => downloadFile(content, shown) },
  });
  return { ok: true, result: null };
}
