import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { EntityDraft } from '../../../data/drafts/drafts.ts';
import { useLive } from '../../../data/live.ts';
import { runHostCall } from '../../../data/plugins/run-call.ts';
import { useShownTheme } from '../../../data/shown-theme.ts';
import { timers } from '../../../data/timers.ts';
import { useWorld } from '../../../data/world.tsx';
import { createFrameHost, type FrameHost, type FrameState } from '../../../domain/plugins/frame-host.ts';
import { THEME_VARIABLES, type WidgetState } from '../../../domain/plugins/host-messages.ts';
import { grantedTo, type Surface } from '../../../domain/plugins/plugin-list.ts';
import { shownEntity } from '../../../domain/plugins/shown-entity.ts';
import { language } from '../../../kit/i18n/language.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { goTo } from '../../../kit/router/router.ts';
import { computedColors } from '../../../kit/theme/computed-colors.ts';
import { showToast } from '../../../kit/ui/toasts.tsx';
import { connectFrame } from './connect-frame.ts';
import { frameTexts } from './frame-texts.ts';
import { createFileOffers } from './offer-file.ts';
import { createPluginEdits } from './plugin-edits.ts';
import type { FrameSource } from './sandbox.ts';

export interface FrameSubject {
  surface: Surface;
  /** Of the entity that the page is about, if it is about one. */
  draft: EntityDraft | null;
  /** Null for a page that is no widget. */
  widget: { state: WidgetState; onChange: (value: unknown) => void } | null;
}

interface FrameTalk {
  state: FrameState;
  /** Pixels that the page asks for. */
  height: number | null;
  onLoad: () => void;
}

const NOWHERE = { entityType: null, entityId: null, data: null };

/** Speaks with the page in a frame, for as long as the frame is shown. */
export function useFrameHost(
  frame: RefObject<HTMLIFrameElement | null>,
  { origin, target }: FrameSource,
  subject: FrameSubject,
): FrameTalk {
  const { draft, widget } = subject;
  const { project, can } = useWorld();
  const texts = useTexts(frameTexts);
  const theme = useShownTheme();
  const live = useLive();
  const [state, setState] = useState<FrameState>('loading');
  const [height, setHeight] = useState<number | null>(null);
  const newest = useRef({ texts, theme, subject });
  newest.current = { texts, theme, subject };
  const host = useRef<FrameHost>(null);
  const mayEdit = can('edit_entities');

  useEffect(() => {
    const { plugin } = newest.current.subject.surface;
    const modify = draft && createPluginEdits(plugin, draft, () => host.current?.entityChanged());
    const offer = createFileOffers(plugin.name, timers.now);
    const { host: made, close } = connectFrame(
      () => frame.current,
      { origin, target },
      (send) =>
        createFrameHost({
          ...timers,
          project,
          granted: grantedTo(plugin),
          mayEdit,
          hostOrigin: location.origin,
          send,
          entity: () => (draft ? shownEntity(draft.getSnapshot().draft) : NOWHERE),
          theme: () => newest.current.theme,
          language: language.get,
          variables: () => computedColors(THEME_VARIABLES),
          widget: () => newest.current.subject.widget?.state ?? null,
          onState: setState,
          onModify: (fields, told) => void modify?.(fields, told),
          onGo: goTo,
          onToast: (tone, text) => showToast({ tone, text: `${plugin.name}: ${text}` }),
          onResize: setHeight,
          onChange: (value) => newest.current.subject.widget?.onChange(value),
          onRefused: (who) =>
            showToast({
              tone: 'warning',
              text: newest.current.texts[who === 'plugin' ? 'notGranted' : 'notYours'](plugin.name),
            }),
          run: async (call) =>
            call.call === 'files.offer'
              ? offer(call.args, newest.current.texts)
              : runHostCall(project, plugin, call),
        }),
    );
    host.current = made;
    return () => {
      host.current = null;
      close();
    };
  }, [frame, origin, target, draft, project, mayEdit]);

  useEffect(() => followBase(draft, () => host.current?.entityChanged()), [draft]);
  useEffect(
    () =>
      live?.listen((event) => {
        if (event.type !== 'plugin_event') return;
        const { plugin_id: pluginId, name, payload } = event;
        host.current?.pluginEmitted({ pluginId, name, payload });
      }),
    [live],
  );
  const firstTheme = useRef(theme);
  useEffect(() => {
    if (firstTheme.current !== theme) host.current?.themeChanged();
    firstTheme.current = theme;
  }, [theme]);
  useEffect(() => {
    if (widget) host.current?.widgetChanged();
  });
  return { state, height, onLoad: useCallback(() => host.current?.loaded(), []) };
}

/** Hears of each state of the entity that the service has: after a save, and after an edit by others. */
function followBase(draft: EntityDraft | null, onNext: () => void): (() => void) | undefined {
  if (!draft) return undefined;
  const version = () => draft.getSnapshot().draft.base?.version;
  let known = version();
  return draft.subscribe(() => {
    const next = version();
    if (next === known) return;
    known = next;
    onNext();
  });
}
