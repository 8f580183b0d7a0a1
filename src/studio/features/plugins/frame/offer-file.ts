import type { HostCall } from '../../../domain/plugins/host-calls.ts';
import type { CallResult } from '../../../domain/plugins/host-messages.ts';
import { createPace } from '../../../domain/plugins/message-guard.ts';
import { downloadFile } from '../../../kit/ui/download-text.ts';
import { showToast } from '../../../kit/ui/toasts.tsx';
import type { frameTexts } from './frame-texts.ts';

type Offer = Extract<HostCall, { call: 'files.offer' }>['args'];

const LONGEST_NAME = 100;
const OFFERS = { most: 5, withinMs: 10_000 };

const TOO_MANY = {
  status: 429,
  detail: `At most ${OFFERS.most} files may be offered within ${OFFERS.withinMs / 1_000} seconds`,
};

/** A frame may not download by itself, so the user is asked: with one toast for each frame, about its newest file. */
export function createFileOffers(plugin: string, now: () => number) {
  const mayOffer = createPace(now, OFFERS);
  let toast: number | undefined;
  return ({ name, content }: Offer, texts: (typeof frameTexts)['en']): CallResult => {
    if (!mayOffer()) return { ok: false, ...TOO_MANY };
    const shown = name.replaceAll(/[^\p{L}\p{N}._ -]/gu, '_').slice(-LONGEST_NAME);
    toast = showToast(
      {
        tone: 'info',
        text: texts.made(plugin, shown),
        action: { label: texts.saveFile, onPress: () => downloadFile(content, shown) },
      },
      toast,
    );
    return { ok: true, result: null };
  };
}
