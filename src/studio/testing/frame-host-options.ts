import type { FrameHostOptions } from '../domain/plugins/frame-host.ts';

type Given = 'hostOrigin' | 'now' | 'after' | 'send';

/** A host of a page about Mira, which notes in `heard` all that the page wants. The test gives it time and a way to the page. */
export function frameHostOptions(heard: unknown[][]): Omit<FrameHostOptions, Given> {
  const hear =
    (what: string) =>
    (...args: unknown[]) =>
      void heard.push([what, ...args]);
  return {
    project: 'saltmere',
    granted: new Set(),
    entity: () => ({ entityType: 'character', entityId: 'mira', data: { name: 'Mira' } }),
    theme: () => 'light',
    language: () => 'en',
    variables: () => ({}),
    widget: () => null,
    mayEdit: true,
    onState: hear('state'),
    onModify: hear('modify'),
    onGo: hear('go'),
    onToast: hear('toast'),
    onResize: hear('resize'),
    onChange: hear('change'),
    onRefused: hear('refused'),
    run: async () => ({ ok: true, result: null }),
  };
}
