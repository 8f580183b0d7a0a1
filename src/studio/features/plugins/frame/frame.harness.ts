import '../../../kit/theme/base.css';
import { createFrameHost } from '../../../domain/plugins/frame-host.ts';
import { THEME_VARIABLES } from '../../../domain/plugins/host-messages.ts';
import { computedColors } from '../../../kit/theme/computed-colors.ts';
import { frameHostOptions } from '../../../testing/frame-host-options.ts';
import { samplePlugin } from '../../../testing/sample-plugin.ts';
import { connectFrame } from './connect-frame.ts';
import { frameSource } from './sandbox.ts';

/** A test puts this into `window.frame` before the page loads. */
interface Given {
  url: string;
  /** Of the plugin; `own` for the one of this page. */
  origin: string | null | 'own';
}

declare global {
  interface Window {
    frame?: Given;
    /** The messages that the host took from the page, in order. */
    heard: unknown[][];
    /** Messages that came from anywhere. */
    arrived: number;
    /** Milliseconds, for the host. */
    time: number;
    variables: Record<string, string>;
  }
}

window.heard = [];
window.arrived = 0;
window.time = 1_000;

function show({ url, origin }: Given): void {
  const plugin = samplePlugin({ origin: origin === 'own' ? location.origin : origin });
  const source = frameSource(
    { plugin, id: 'goals', title: 'Goals', url },
    { entity_type: 'character', entity_id: 'mira', theme: 'light' },
  );
  const frame = document.createElement('iframe');
  frame.title = 'Goals';
  frame.setAttribute('sandbox', source.sandbox);
  frame.src = source.src;
  const { host } = connectFrame(
    () => frame,
    source,
    (send) =>
      createFrameHost({
        ...frameHostOptions(window.heard),
        granted: new Set(['entities:write']),
        hostOrigin: location.origin,
        now: () => window.time,
        after: () => () => undefined,
        send,
        variables: () => computedColors(THEME_VARIABLES),
      }),
  );
  frame.addEventListener('load', () => {
    window.heard.push(['load']);
    host.loaded();
  });
  document.querySelector('#root')?.append(frame);
}

// Registered after the host's, so that what has arrived here has been judged there.
if (window.frame) show(window.frame);
window.addEventListener('message', () => {
  window.arrived += 1;
});
window.variables = computedColors(THEME_VARIABLES);
