import { useMemo, useRef, useState } from 'react';
import { useShownTheme } from '../../../data/shown-theme.ts';
import { isLocal } from '../../../domain/drafts/draft.ts';
import { grantedTo } from '../../../domain/plugins/plugin-list.ts';
import { useLanguage, useTexts } from '../../../kit/i18n/texts.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { Notice } from '../../../kit/ui/notice.tsx';
import styles from './frame.module.css';
import { frameTexts } from './frame-texts.ts';
import { frameSource } from './sandbox.ts';
import { type FrameSubject, useFrameHost } from './use-frame-host.ts';

interface PluginFrameProps {
  surface: FrameSubject['surface'];
  draft?: FrameSubject['draft'];
  widget?: FrameSubject['widget'];
  /** It has all the room that there is, and does not choose its height. */
  isWhole?: boolean;
}

/** A page of a plugin. Another address, installation, entity or language, or more that it may do, is another frame. */
export function PluginFrame(props: PluginFrameProps) {
  const { surface, draft } = props;
  const [attempt, setAttempt] = useState(0);
  // A new entity gets its id while somebody uses the frame, which is told of it by a message.
  const entity = useMemo(() => draft?.getSnapshot().draft.key ?? null, [draft]);
  const language = useLanguage();
  const { plugin, url } = surface;
  const key = JSON.stringify([attempt, url, plugin.installed_at, entity, language, ...grantedTo(plugin)]);
  return <OneFrame key={key} {...props} onAgain={() => setAttempt(attempt + 1)} />;
}

function OneFrame({
  surface,
  draft = null,
  widget = null,
  isWhole = false,
  onAgain,
}: PluginFrameProps & { onAgain: () => void }) {
  const texts = useTexts(frameTexts);
  const theme = useShownTheme();
  const frame = useRef<HTMLIFrameElement>(null);
  // Later changes are sent as messages: another address would load the page anew.
  const [source] = useState(() => {
    const entity = draft?.getSnapshot().draft.key;
    const id = entity && !isLocal(entity) ? entity.id : null;
    return frameSource(surface, { entity_type: entity?.type ?? null, entity_id: id, theme });
  });
  const { state, height, onLoad } = useFrameHost(frame, source, { surface, draft, widget });
  const { plugin, title } = surface;
  const again = (
    <Button size="s" onPress={onAgain}>
      {texts.again}
    </Button>
  );
  if (state === 'stopped')
    return (
      <Notice tone="error" actions={again}>
        {texts.stopped(plugin.name)}
      </Notice>
    );
  return (
    <>
      {state === 'silent' && (
        <Notice tone="warning" actions={again}>
          {texts.silent(plugin.name)}
        </Notice>
      )}
      <iframe
        ref={frame}
        title={texts.frame(title, plugin.name)}
        sandbox={source.sandbox}
        src={source.src}
        className={isWhole ? styles.whole : styles.frame}
        style={height === null || isWhole ? undefined : { blockSize: height }}
        onLoad={onLoad}
      />
    </>
  );
}
